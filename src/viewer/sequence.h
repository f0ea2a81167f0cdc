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

/** Goes to where the commands of the timeline say. */
void brume_viewer_move_playhead(struct BrumeViewer *viewer, const BrumeCommands *commands);

/** Of a sequence, or of the past of a simulation: passes on the controls of the playback that differ from those applied
 * before; reverts those of a simulation. */
void brume_viewer_apply_playback(struct BrumeViewer *viewer);

/** Of a sequence, or of the past of a simulation: updates `viewer->timeline` and reports frames that cannot be read. */
void brume_viewer_update_timeline(struct BrumeViewer *viewer);

/** Shows the message that `what` needs a simulation. */
void brume_viewer_refuse_edit(struct BrumeViewer *viewer, const char *what);

#endif
