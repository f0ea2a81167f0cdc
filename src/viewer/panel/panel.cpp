// The panel as a whole: Dear ImGui's context, events, and the drawing of one picture.
#include "core/error.h"
#include "viewer/panel/panel_internal.h"

#include <backends/imgui_impl_opengl3.h>
#include <backends/imgui_impl_sdl.h>
#include <cfloat>
#include <cstring>
#include <math.h>
#include <new>

static const float panel_points = 330.0f;
static const float margin_points = 12.0f;

BrumeStatus brume_panel_create(BrumePanel **panel, void *window, void *context, float scale,
                               const BrumePresets *presets, BrumeError *error)
{
    *panel = nullptr;
    BrumePanel *made = new (std::nothrow) BrumePanel();
    if (!made) {
        return brume_out_of_memory(error, "the panel");
    }
    made->window = static_cast<SDL_Window *>(window);
    made->presets = presets;
    made->pointer = ImVec2(-FLT_MAX, -FLT_MAX);
    made->section = "";
    IMGUI_CHECKVERSION();
    made->context = ImGui::CreateContext();
    ImGui::SetCurrentContext(made->context);
    ImGuiIO &io = ImGui::GetIO();
    io.IniFilename = nullptr;
    io.LogFilename = nullptr;
    int points = 1;
    int pixels = 1;
    SDL_GetWindowSize(made->window, &points, nullptr);
    SDL_GL_GetDrawableSize(made->window, &pixels, nullptr);
    const float pixels_per_unit = points > 0 && pixels > 0 ? (float)pixels / (float)points : 1.0f;
    brume_theme_apply(*made, scale, pixels_per_unit);
    const bool has_window = ImGui_ImplSDL2_InitForOpenGL(made->window, context);
    const bool has_device = has_window && ImGui_ImplOpenGL3_Init("#version 330 core");
    if (!has_device) {
        if (has_window) {
            ImGui_ImplSDL2_Shutdown();
        }
        ImGui::DestroyContext(made->context);
        delete made;
        return brume_fail(error, BRUME_FAILED, "the panel cannot be drawn with this OpenGL");
    }
    *panel = made;
    return BRUME_OK;
}

void brume_panel_destroy(BrumePanel *panel)
{
    if (!panel) {
        return;
    }
    ImGui::SetCurrentContext(panel->context);
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplSDL2_Shutdown();
    ImGui::DestroyContext(panel->context);
    delete panel;
}

static bool is_covered(const BrumePanel &panel)
{
    for (int n = 0; n < panel.covered_count; n++) {
        const ImVec2 *corners = panel.covered[n];
        if (panel.pointer.x >= corners[0].x && panel.pointer.x < corners[1].x && panel.pointer.y >= corners[0].y &&
            panel.pointer.y < corners[1].y) {
            return true;
        }
    }
    return false;
}

static bool is_held(const BrumePanel &panel) { return panel.down[0] || panel.down[1] || panel.down[2]; }

static int button_of(const SDL_Event &event)
{
    switch (event.button.button) {
    case SDL_BUTTON_LEFT:
        return 0;
    case SDL_BUTTON_RIGHT:
        return 1;
    case SDL_BUTTON_MIDDLE:
        return 2;
    default:
        return -1;
    }
}

static void handle_button(BrumePanel &panel, const SDL_Event &event)
{
    const int button = button_of(event);
    panel.pointer = ImVec2((float)event.button.x, (float)event.button.y);
    if (button < 0) {
        return;
    }
    const bool pressed = event.type == SDL_MOUSEBUTTONDOWN;
    if (pressed && !is_held(panel)) {
        panel.owned = panel.popup_open || is_covered(panel);
    }
    if (pressed && !panel.any_pressed) {
        panel.pressed_at = panel.pointer;
        panel.any_pressed = true;
    }
    panel.down[button] = pressed;
    panel.pressed[button] = panel.pressed[button] || pressed;
}

bool brume_panel_wants_keys(const BrumePanel *panel)
{
    ImGui::SetCurrentContext(panel->context);
    return ImGui::GetIO().WantTextInput;
}

// ImGui would activate the next control as a text field, while the key hides the panel
static bool is_tab_of_window(const BrumePanel *panel, const SDL_Event &event)
{
    return event.type == SDL_KEYDOWN && event.key.keysym.sym == SDLK_TAB && !brume_panel_wants_keys(panel);
}

void brume_panel_event(BrumePanel *panel, const void *event)
{
    const SDL_Event &sdl_event = *static_cast<const SDL_Event *>(event);
    ImGui::SetCurrentContext(panel->context);
    switch (sdl_event.type) {
    case SDL_MOUSEMOTION:
        panel->pointer = ImVec2((float)sdl_event.motion.x, (float)sdl_event.motion.y);
        break;
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
        handle_button(*panel, sdl_event);
        break;
    case SDL_MOUSEWHEEL:
        if (brume_panel_wants_mouse(panel)) {
            (void)ImGui_ImplSDL2_ProcessEvent(&sdl_event);
        }
        break;
    case SDL_WINDOWEVENT:
        if (sdl_event.window.event == SDL_WINDOWEVENT_LEAVE && !is_held(*panel)) {
            panel->pointer = ImVec2(-FLT_MAX, -FLT_MAX);
        } else if (sdl_event.window.event == SDL_WINDOWEVENT_FOCUS_LOST) {
            memset(panel->down, 0, sizeof panel->down);
        }
        (void)ImGui_ImplSDL2_ProcessEvent(&sdl_event);
        break;
    default:
        if (!is_tab_of_window(panel, sdl_event)) {
            (void)ImGui_ImplSDL2_ProcessEvent(&sdl_event);
        }
        break;
    }
}

bool brume_panel_wants_mouse(const BrumePanel *panel)
{
    return is_held(*panel) ? panel->owned : panel->popup_open || is_covered(*panel);
}

// Passes the mouse to ImGui from its events: a click between two pictures counts, at the position of the press.
static void update_mouse(BrumePanel &panel)
{
    ImGuiIO &io = ImGui::GetIO();
    io.MousePos = panel.any_pressed ? panel.pressed_at : panel.pointer;
    for (int n = 0; n < BRUME_PANEL_BUTTONS; n++) {
        io.MouseDown[n] = panel.down[n] || panel.pressed[n];
        panel.pressed[n] = false;
    }
    panel.any_pressed = false;
}

static void draw_panel(BrumePanel &panel)
{
    const float margin = margin_points * panel.unit;
    const ImVec2 size = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos(ImVec2(margin, margin));
    ImGui::SetNextWindowSize(ImVec2(std::fmin(panel_points * panel.unit, size.x - 2.0f * margin),
                                    std::fmax(size.y - panel.foot - 2.0f * margin, 64.0f * panel.unit)));
    const ImGuiWindowFlags flags = ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_AlwaysVerticalScrollbar;
    if (ImGui::Begin("##panel", nullptr, flags)) {
        const ImVec2 corner = ImGui::GetWindowPos();
        const ImVec2 extent = ImGui::GetWindowSize();
        panel.covered[panel.covered_count][0] = corner;
        panel.covered[panel.covered_count][1] = ImVec2(corner.x + extent.x, corner.y + extent.y);
        panel.covered_count++;
        brume_draw_sections(panel);
    }
    ImGui::End();
}

void brume_panel_draw(BrumePanel *panel, const BrumeScene *scene, const BrumeReadouts *readouts,
                      BrumeControls *controls, BrumeCommands *commands)
{
    ImGui::SetCurrentContext(panel->context);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui_ImplSDL2_NewFrame();
    update_mouse(*panel);
    ImGui::NewFrame();
    panel->scene = scene;
    panel->readouts = readouts;
    panel->controls = controls;
    panel->commands = commands;
    panel->spot_count = 0;
    panel->covered_count = 0;
    panel->foot = brume_timeline_height(*panel);
    if (panel->foot > 0.0f) {
        brume_draw_timeline(*panel);
    } else {
        controls->scrubbing = false;
    }
    brume_draw_hud(*panel);
    if (controls->panel) {
        draw_panel(*panel);
    }
    if (controls->help) {
        brume_draw_help(*panel);
    }
    panel->popup_open = ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
    ImGui::Render();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    const bool wants_text = ImGui::GetIO().WantTextInput;
    if (wants_text != (SDL_IsTextInputActive() == SDL_TRUE)) {
        wants_text ? SDL_StartTextInput() : SDL_StopTextInput();
    }
}

bool brume_panel_find(const BrumePanel *panel, const char *name, float rectangle[4])
{
    for (int n = 0; n < panel->spot_count; n++) {
        const BrumeSpot &spot = panel->spots[n];
        if (strcmp(spot.name, name) == 0) {
            rectangle[0] = spot.lower.x;
            rectangle[1] = spot.lower.y;
            rectangle[2] = spot.upper.x;
            rectangle[3] = spot.upper.y;
            return true;
        }
    }
    return false;
}
