/**
 * @file imgui_versions.h
 * The differences between the versions of Dear ImGui that systems have, from 1.86 to 1.92: its backends, and how they
 * and the panel report input and fonts.
 */
#ifndef BRUME_VIEWER_PANEL_IMGUI_VERSIONS_H
#define BRUME_VIEWER_PANEL_IMGUI_VERSIONS_H

#include <SDL.h>
#include <backends/imgui_impl_opengl3.h>
#if __has_include(<backends/imgui_impl_sdl2.h>)
#include <backends/imgui_impl_sdl2.h> // from 1.89 on
#else
#include <backends/imgui_impl_sdl.h>
#endif
#include <imgui.h>

#if IMGUI_VERSION_NUM < 18700 // before 1.87 input is a state, from 1.87 on a list of events
inline void brume_take_all_events() {}

inline void brume_set_mouse(ImVec2 position, const bool *down, int count)
{
    ImGuiIO &io = ImGui::GetIO();
    io.MousePos = position;
    for (int n = 0; n < count; n++) {
        io.MouseDown[n] = down[n];
    }
}

/** The backend reads the present state of the keyboard, which may be newer than the event. */
inline void brume_set_modifiers(int modifiers)
{
    ImGuiIO &io = ImGui::GetIO();
    io.KeyCtrl = (modifiers & KMOD_CTRL) != 0;
    io.KeyShift = (modifiers & KMOD_SHIFT) != 0;
    io.KeyAlt = (modifiers & KMOD_ALT) != 0;
    io.KeySuper = (modifiers & KMOD_GUI) != 0;
}

inline bool brume_is_pressed(ImGuiKey key) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(key)); }
#else
/** Makes every frame take all events, because every change of a button or key has a separate frame. */
inline void brume_take_all_events() { ImGui::GetIO().ConfigInputTrickleEventQueue = false; }

inline void brume_set_mouse(ImVec2 position, const bool *down, int count)
{
    ImGuiIO &io = ImGui::GetIO();
    io.AddMousePosEvent(position.x, position.y);
    for (int n = 0; n < count; n++) {
        io.AddMouseButtonEvent(n, down[n]);
    }
}

inline void brume_set_modifiers(int) {}

inline bool brume_is_pressed(ImGuiKey key) { return ImGui::IsKeyPressed(key); }
#endif

#if IMGUI_VERSION_NUM < 19200 // from 1.92 on the backend draws new fonts by itself
inline void brume_release_font_texture() { ImGui_ImplOpenGL3_DestroyFontsTexture(); }
inline void brume_make_font_texture() { (void)ImGui_ImplOpenGL3_CreateFontsTexture(); }
#else
inline void brume_release_font_texture() {}
inline void brume_make_font_texture() {}
#endif

#endif
