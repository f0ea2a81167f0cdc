/**
 * @file past.h
 * The past of a running simulation: its frames are stored (history/), and played by the threads for sequences. The
 * window shows either the present, which the simulation thread computes, or one of these frames, while the simulation
 * pauses. Without a simulation, the same threads play a sequence. The window thread calls all functions; any thread may
 * call brume_viewer_permit_frame.
 */
#ifndef BRUME_VIEWER_PAST_H
#define BRUME_VIEWER_PAST_H

#include "viewer/controls/controls.h"

struct BrumeViewer;

/** Creates the history, before the simulation thread. Fails as brume_frame_history_create. */
BrumeStatus brume_viewer_create_history(struct BrumeViewer *viewer, BrumeError *error);

/** Starts the player, of `viewer->def.sequence` or of the past. Other threads call `wake`. */
BrumeStatus brume_viewer_start_player(struct BrumeViewer *viewer, void (*wake)(void), BrumeError *error);

/** Executes the commands of the timeline, and removes executed ones from `commands`. */
void brume_viewer_move_in_past(struct BrumeViewer *viewer, BrumeCommands *commands);

/** Runs or pauses the shown states: the simulation, or the playback of its frames or of a sequence. */
void brume_viewer_set_running(struct BrumeViewer *viewer, bool running);

/** Shows one more frame while paused. */
void brume_viewer_step(struct BrumeViewer *viewer);

/**
 * While enabled, simulation or player wait after every frame until the next one is permitted, so that a recording
 * misses none. `context` is a BrumeViewer.
 */
void brume_viewer_set_frame_by_frame(struct BrumeViewer *viewer, bool enabled);
void brume_viewer_permit_frame(void *context);

/** Shows the present. */
void brume_viewer_show_present(struct BrumeViewer *viewer);

/** Follows the history and the simulation, before the timeline is updated. */
void brume_viewer_update_past(struct BrumeViewer *viewer);

/** Whether an edit of the simulation is refused, because the past is shown; shows a message then. */
bool brume_viewer_refuse_past_edit(struct BrumeViewer *viewer, const char *what);

#endif
