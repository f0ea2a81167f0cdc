/**
 * @file events.h
 * The events of the window, and their commands. For the window thread, except brume_viewer_wake_loop.
 */
#ifndef BRUME_VIEWER_EVENTS_H
#define BRUME_VIEWER_EVENTS_H

#include "viewer/viewer_state.h"

#include <stdbool.h>

#define BRUME_VIEWER_MAX_EVENT_WAIT 0.1 ///< longest wait, so that rates and messages are updated [s]

/** To be called before the first thread that wakes the loop. */
void brume_viewer_register_wake_event(void);

/** Ends the wait for an event, from any thread. */
void brume_viewer_wake_loop(void);

/**
 * Handles the events in SDL's queue in order, with layouts of the panel between them where needed. With `wait`, waits
 * for the first one for BRUME_VIEWER_MAX_EVENT_WAIT at most.
 */
void brume_viewer_handle_events(BrumeViewer *viewer, bool wait);

/** Passes the strokes and the motion of bodies since the last call to the simulation thread. */
void brume_viewer_send_strokes_and_moves(BrumeViewer *viewer, double now);

/** Whether there is a command that brume_viewer_execute executes. */
bool brume_viewer_has_commands(const BrumeViewer *viewer);

/** Executes the commands except the ones that must wait, and passes on the controls that have changed. */
void brume_viewer_execute(BrumeViewer *viewer);

#endif
