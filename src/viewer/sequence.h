/**
 * @file sequence.h
 * Plays a sequence of frames in place of a simulation: passes the controls of the timeline to the playback thread, and
 * its status to the readouts.
 */
#ifndef BRUME_VIEWER_SEQUENCE_H
#define BRUME_VIEWER_SEQUENCE_H

#include "core/error.h"
#include "viewer/controls/controls.h"

struct BrumeViewer;

/** Executes the commands of the timeline. */
void brume_viewer_move_playhead(struct BrumeViewer *viewer, const BrumeCommands *commands);

/** For a sequence, or the past of a simulation: passes on changed controls of playback; reverts those of a simulation.
 */
void brume_viewer_apply_playback(struct BrumeViewer *viewer);

/** For a sequence, or the past of a simulation: updates `viewer->timeline` and reports frames that cannot be read. */
void brume_viewer_update_timeline(struct BrumeViewer *viewer);

/** Shows the message that `what` needs a simulation. */
void brume_viewer_refuse_edit(struct BrumeViewer *viewer, const char *what);

#endif
