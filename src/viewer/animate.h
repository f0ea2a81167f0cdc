/**
 * @file animate.h
 * Keyframes of the window: animated values at the shown time, setting of keys, the camera that follows its keys, and
 * the recording of a flight.
 */
#ifndef BRUME_VIEWER_ANIMATE_H
#define BRUME_VIEWER_ANIMATE_H

#include "viewer/viewer_state.h"

/**
 * Sets the animated values and the camera that follows its keys for the shown time, and records the flight. To be
 * called after a new picture and after changes of the keys.
 */
void brume_viewer_animate(BrumeViewer *viewer);

/** Executes the commands that concern keys, before the changes of controls are passed on. */
void brume_viewer_execute_keys(BrumeViewer *viewer, const BrumeCommands *commands);

/** Ends the recording of a flight: converts it to keys as one step of the undo history. Does nothing without one. */
void brume_viewer_end_flight(BrumeViewer *viewer);

/** Starts anew with the keys of a scene, or after an undone edit of keys. */
void brume_viewer_restart_animation(BrumeViewer *viewer);

#endif
