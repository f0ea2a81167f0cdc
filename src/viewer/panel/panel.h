/**
 * @file panel.h
 * The panel, the HUD and the help, drawn with Dear ImGui. Only the C++ files of this folder include ImGui. All
 * functions are called by the window thread.
 */
#ifndef BRUME_VIEWER_PANEL_PANEL_H
#define BRUME_VIEWER_PANEL_PANEL_H

#include "core/error.h"
#include "viewer/controls/controls.h"
#include "viewer/controls/panel_state.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct BrumePanel BrumePanel;

/** The scenes in the panel's list of presets. */
typedef struct BrumePresets {
    int count;
    const char *const *paths;
    const char *const *names; ///< that the list shows
} BrumePresets;

/**
 * Creates the panel for an SDL_Window and its SDL_GLContext, which is current. `scale` is the number of pixels per
 * point (BrumeWindow). `presets` and its arrays must outlive the panel. BRUME_FAILED without memory or if OpenGL fails;
 * `*panel` is NULL then.
 */
BrumeStatus brume_panel_create(BrumePanel **panel, void *window, void *context, float scale,
                               const BrumePresets *presets, BrumeError *error);

/** NULL is fine. */
void brume_panel_destroy(BrumePanel *panel);

/** Opens the sections that are named and sets the width, before the first layout; and stores them. */
void brume_panel_restore(BrumePanel *panel, const BrumePanelState *state);
void brume_panel_store(const BrumePanel *panel, BrumePanelState *state);

/** The part of the window, given as `window` [points], that panel and timeline leave free. */
BrumePictureArea brume_panel_free_area(const BrumePanel *panel, const BrumeControls *controls,
                                       const BrumeReadouts *readouts, BrumePictureArea window);

/**
 * Whether brume_panel_lay_out must be called before this SDL_Event is passed. ImGui sees the state of mouse and keys
 * once a layout, so that each change of a button or a key needs a layout of its own, with the pointer where it was
 * then; otherwise a click shorter than a picture would be lost. It also determines to whom the next event belongs.
 */
bool brume_panel_needs_layout(const BrumePanel *panel, const void *event);

/** Passes an SDL_Event to the panel: every event, before brume_panel_wants_mouse and brume_panel_wants_keys. */
void brume_panel_event(BrumePanel *panel, const void *event);

/**
 * Every event from before `clock`, SDL's clock [s], is handled. What is a double click follows from this: SDL gives
 * events the time at which they are read, which is late where the program takes long.
 */
void brume_panel_note_no_events(BrumePanel *panel, double clock);

/**
 * Whether mouse events belong to the panel at present: the pointer is over it, or a button that was pressed on it is
 * held. Key events belong to it while a text field is active or the dialog for files is open.
 */
bool brume_panel_wants_mouse(const BrumePanel *panel);
bool brume_panel_wants_keys(const BrumePanel *panel);

/** Whether there is input that has not been laid out yet, other than motion of the pointer. */
bool brume_panel_has_input(const BrumePanel *panel);

/**
 * Lays out panel, HUD and help without drawing them, and writes the changes of the user to `controls` and `commands`,
 * to which it only adds. `scene` has the values that the reset buttons restore.
 */
void brume_panel_lay_out(BrumePanel *panel, const BrumeScene *scene, const BrumeReadouts *readouts,
                         BrumeControls *controls, BrumeCommands *commands);

/** As brume_panel_lay_out; also draws them into the bound framebuffer. */
void brume_panel_draw(BrumePanel *panel, const BrumeScene *scene, const BrumeReadouts *readouts,
                      BrumeControls *controls, BrumeCommands *commands);

/**
 * Handles the press of a key that is for the panel alone: Tab and the keys that follow it, and those of the curve
 * editor where the pointer is over it. Returns whether it was; otherwise the event is passed to brume_panel_event.
 */
bool brume_panel_takes_key(BrumePanel *panel, const void *event);

/** Opens the dialog for files, which starts in `folder`; "": in the working folder. */
void brume_panel_open_dialog(BrumePanel *panel, BrumeFilePurpose purpose, const char *folder);

/**
 * Sets or removes the keys at `time` [s] of the value in whose row the pointer is. False where it is in none whose
 * value can be animated.
 */
bool brume_panel_key_hovered(BrumePanel *panel, BrumeControls *controls, double time);

/**
 * The rectangle where a control was drawn last: left, top, right, bottom [points of the window]. A control is named by
 * section and label, "Air.viscosity"; its reset button "Air.viscosity reset"; the header of a section "Air". False if
 * it was not drawn or is scrolled out of view. For tests.
 */
bool brume_panel_find(const BrumePanel *panel, const char *name, float rectangle[4]);

/**
 * The name of the control to which keys go, "" where they go to the picture or the control has no name; and its
 * rectangle as of brume_panel_find, zeros where they go to the picture.
 */
const char *brume_panel_focus(const BrumePanel *panel, float rectangle[4]);

/** The name and the rectangle of the control `index` from 0 on, in the order in which they were drawn; false behind the
 * last one. */
bool brume_panel_spot(const BrumePanel *panel, int index, const char **name, float rectangle[4]);

#ifdef __cplusplus
}
#endif

#endif
