/**
 * @file panel.h
 * The panel, the HUD and the help, drawn with Dear ImGui. Only the C++ files of this folder include ImGui. The window
 * thread calls all functions.
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
    const char *const *names; ///< names in the list
} BrumePresets;

/**
 * Creates the panel for an SDL_Window and its SDL_GLContext, which is current. `scale` is the number of pixels per
 * point (BrumeWindow). `presets` and its arrays must outlive the panel. BRUME_FAILED without memory or if OpenGL fails;
 * `*panel` is NULL then.
 */
BrumeStatus brume_panel_create(BrumePanel **panel, void *window, void *context, float scale,
                               const BrumePresets *presets, BrumeError *error);

/** Frees everything. NULL is allowed. */
void brume_panel_destroy(BrumePanel *panel);

/** Restore the open sections and the width, before the first layout, and store them. */
void brume_panel_restore(BrumePanel *panel, const BrumePanelState *state);
void brume_panel_store(const BrumePanel *panel, BrumePanelState *state);

/** Returns the part of the window, given as `window` [points], that panel and timeline do not cover. */
BrumePictureArea brume_panel_free_area(const BrumePanel *panel, const BrumeControls *controls,
                                       const BrumeReadouts *readouts, BrumePictureArea window);

/**
 * Whether brume_panel_lay_out must be called before this SDL_Event is passed. ImGui reads the state of mouse and keys
 * once a layout, so that each change of a button or a key needs a separate layout, with the pointer's position at that
 * time; otherwise a click shorter than a picture would be lost. It also selects the receiver of the next event.
 */
bool brume_panel_needs_layout(const BrumePanel *panel, const void *event);

/** Passes an SDL_Event to the panel: every event, before brume_panel_wants_mouse and brume_panel_wants_keys. */
void brume_panel_event(BrumePanel *panel, const void *event);

/**
 * Reports that every event before `clock`, SDL's clock [s], is handled. Double clicks are measured by it: SDL gives
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
 * Lays out panel, HUD and help without drawing them, and writes the changes of the user to `controls` and `commands`.
 * Existing commands are not removed. `scene` has the values that the reset buttons restore.
 */
void brume_panel_lay_out(BrumePanel *panel, const BrumeScene *scene, const BrumeReadouts *readouts,
                         BrumeControls *controls, BrumeCommands *commands);

/** As brume_panel_lay_out; also draws them into the bound framebuffer. */
void brume_panel_draw(BrumePanel *panel, const BrumeScene *scene, const BrumeReadouts *readouts,
                      BrumeControls *controls, BrumeCommands *commands);

/** Fills the window with the background and draws this line alone, before there is a scene. */
void brume_panel_draw_line(BrumePanel *panel, const char *line);

/**
 * Handles the press of a key for the panel: Tab and the keys of the focus, and the keys of the curve editor while the
 * pointer is over it. Returns whether it was one; otherwise the event must be passed to brume_panel_event.
 */
bool brume_panel_takes_key(BrumePanel *panel, const void *event);

/** Opens the dialog for files, which starts in `folder`; "": in the working folder. */
void brume_panel_open_dialog(BrumePanel *panel, BrumeFilePurpose purpose, const char *folder);

/**
 * Sets or removes the keys at `time` [s] of the value under the pointer. False where it is not over the row of a value
 * that can be animated.
 */
bool brume_panel_key_hovered(BrumePanel *panel, BrumeControls *controls, double time);

/**
 * Returns the rectangle where a control was drawn last: left, top, right, bottom [points of the window]. A control is
 * named by section and label, "Air.viscosity"; its reset button "Air.viscosity reset"; the header of a section "Air".
 * False if it was not drawn or is scrolled out of view. For tests.
 */
bool brume_panel_find(const BrumePanel *panel, const char *name, float rectangle[4]);

/**
 * Returns the name of the control that receives keys, "" if the picture does or the control has no name; and its
 * rectangle as brume_panel_find does, zeros for the picture.
 */
const char *brume_panel_focus(const BrumePanel *panel, float rectangle[4]);

/** Returns name and rectangle of the control `index` from 0 on, in the order of drawing; false after the last one. */
bool brume_panel_spot(const BrumePanel *panel, int index, const char **name, float rectangle[4]);

#ifdef __cplusplus
}
#endif

#endif
