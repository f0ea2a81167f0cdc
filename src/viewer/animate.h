/**
 * @file animate.h
 * Keyframes of the window: values at the time that is shown, keys that are set, the camera that follows its keys, and
 * the recording of a flight.
 */
#ifndef BRUME_VIEWER_ANIMATE_H
#define BRUME_VIEWER_ANIMATE_H

#include "viewer/viewer_state.h"

/**
 * Brings the animated values and the camera that follows its keys to the time that is shown, and records the flight. To
 * be called after a new picture and after changes of the keys.
 */
void brume_viewer_animate(BrumeViewer *viewer);

/** Executes the commands that concern keys, before the changes of controls are passed on. */
void brume_viewer_execute_keys(BrumeViewer *viewer, const BrumeCommands *commands);

/** Ends the recording of a flight, which becomes keys, and one step of the undo history. Without one, does nothing. */
void brume_viewer_end_flight(BrumeViewer *viewer);

/** Starts anew with the keys of a scene, or after an undone edit of keys. */
void brume_viewer_restart_animation(BrumeViewer *viewer);

#endif
