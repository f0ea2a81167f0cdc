/**
 * @file input_internal.h
 * Functions that the files of the input share: input.c (mouse, camera, strokes) and input_keys.c (keyboard).
 */
#ifndef BRUME_VIEWER_WINDOW_INPUT_INTERNAL_H
#define BRUME_VIEWER_WINDOW_INPUT_INTERNAL_H

#include "viewer/window/input.h"

/** The clock (brume_seconds) at an event [s]. */
double brume_input_event_clock(const BrumeInput *input, const SDL_Event *event);

/** Adds the held keys to the pressed ones if the drag lets them fly the camera. */
void brume_input_note_fly_keys(BrumeInput *input);

/** Multiplies the radius of the brush; positive notches enlarge it. */
void brume_input_resize_brush(BrumeBrush *brush, float notches);

/** Handles the press of a key that the panel does not handle. */
void brume_input_press_key(BrumeInput *input, const SDL_Event *event, BrumeControls *controls, BrumeCommands *commands);

/**
 * The BrumeFlyKey of a key, 0 for other keys. Fly keys are identified by their position (scancode), which is the same
 * on all keyboard layouts.
 */
unsigned brume_input_fly_key(SDL_Scancode code);

/** Ends the drag of a handle, which leaves the object where it is. */
void brume_input_release_gizmo(BrumeInput *input, BrumeControls *controls, BrumeCommands *commands);

/** Ends the drag of a handle and restores the object. */
void brume_input_cancel_gizmo(BrumeInput *input, BrumeControls *controls, BrumeCommands *commands);

/** Handles a key that has another meaning with the select tool (edit_keys.c); returns whether this is one of them. */
bool brume_input_press_select_key(BrumeInput *input, const SDL_Keysym *key, BrumeControls *controls,
                                  BrumeCommands *commands);

#endif
