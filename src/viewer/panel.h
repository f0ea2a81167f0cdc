/**
 * @file panel.h
 * The panel, the HUD and the help, drawn with Dear ImGui. ImGui is C++ and known to panel.cpp alone; its calls, and
 * SDL's and OpenGL's, belong to the window's thread.
 */
#ifndef BRUME_VIEWER_PANEL_H
#define BRUME_VIEWER_PANEL_H

#include "core/error.h"
#include "viewer/controls.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BrumePanel BrumePanel;

/** Presets for the panel's list: files and the names that they are shown with. */
typedef struct BrumePresets {
    int count;
    const char *const *paths;
    const char *const *names;
} BrumePresets;

/** For an SDL_Window and SDL_GLContext whose context is current. `scale` is the display's pixels a point. */
BrumeStatus brume_panel_create(BrumePanel **panel, void *window, void *context, float scale,
                               const BrumePresets *presets, BrumeError *error);
void brume_panel_destroy(BrumePanel *panel);

/** Hands an SDL_Event over. */
void brume_panel_event(BrumePanel *panel, const void *event);

/** Whether the mouse (the keyboard) is the panel's at present, and not the picture's. */
bool brume_panel_wants_mouse(const BrumePanel *panel);
bool brume_panel_wants_keys(const BrumePanel *panel);

/** Lays out and draws all into the bound framebuffer. `scene` has the values that 'reset' goes back to. */
void brume_panel_draw(BrumePanel *panel, const BrumeScene *scene, const BrumeFacts *facts, BrumeControls *controls,
                      BrumeCommands *commands);

#ifdef __cplusplus
}
#endif

#endif
