/**
 * @file panel.h
 * The panel, the HUD and the help, drawn with Dear ImGui. ImGui is C++ and known to panel.cpp alone; its calls, and
 * SDL's and OpenGL's, belong to the window's thread.
 */
#ifndef BRUME_VIEWER_PANEL_PANEL_H
#define BRUME_VIEWER_PANEL_PANEL_H

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

/**
 * For an SDL_Window and SDL_GLContext whose context is current. `scale` is the display's pixels a point (BrumeWindow).
 * `presets` and what it points to outlive the panel. BRUME_FAILED without memory, or where the device refuses.
 */
BrumeStatus brume_panel_create(BrumePanel **panel, void *window, void *context, float scale,
                               const BrumePresets *presets, BrumeError *error);
void brume_panel_destroy(BrumePanel *panel);

/** Hands an SDL_Event over; all of them, before it is asked what it wants. */
void brume_panel_event(BrumePanel *panel, const void *event);

/**
 * Whether the mouse, as the newest event left it, is the panel's and not the picture's: over it, or held since a press
 * on it. The keyboard is the panel's while text is typed.
 */
bool brume_panel_wants_mouse(const BrumePanel *panel);
bool brume_panel_wants_keys(const BrumePanel *panel);

/** Lays out and draws all into the bound framebuffer. `scene` has the values that 'reset' goes back to. */
void brume_panel_draw(BrumePanel *panel, const BrumeScene *scene, const BrumeFacts *facts, BrumeControls *controls,
                      BrumeCommands *commands);

/**
 * Where a control was drawn last, by section and label as "Air.viscosity", its reset button as "Air.viscosity reset", a
 * section's header as "Air": left, top, right, bottom [points of the window]. False where it was not drawn, or is
 * scrolled out of sight. For tests.
 */
bool brume_panel_find(const BrumePanel *panel, const char *name, float place[4]);

#ifdef __cplusplus
}
#endif

#endif
