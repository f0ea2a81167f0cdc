/**
 * @file coming_changes.h
 * What the coming frames of a session will apply if the user edits nothing more.
 */
#ifndef BRUME_VIEWER_SIMULATION_COMING_CHANGES_H
#define BRUME_VIEWER_SIMULATION_COMING_CHANGES_H

#include "viewer/simulation/undoable_session.h"

/**
 * Appends to `timeline`, which has the changes of earlier frames, those of the coming ones: the edits of the log that
 * wait, as many frames as their strokes need, and all that the scene prescribes. Settings that the simulation would
 * reject are left out. `*any`: there are edits that wait. BRUME_FAILED without memory; the timeline has only some of
 * the changes then. The log is read.
 */
BrumeStatus brume_undoable_session_add_coming_changes(BrumeUndoableSession *undoable, int variant,
                                                      BrumeTimeline *timeline, bool *any, BrumeError *error);

/** Appends what the scene prescribes for the frames after `frame`. BRUME_FAILED without memory, as above. */
BrumeStatus brume_session_add_scheduled_changes(const BrumeSession *session, int frame, BrumeTimeline *timeline,
                                                BrumeError *error);

#endif
