/**
 * @file coming_changes.h
 * The changes that the coming frames of a session will apply if the user edits nothing more.
 */
#ifndef BRUME_VIEWER_SIMULATION_COMING_CHANGES_H
#define BRUME_VIEWER_SIMULATION_COMING_CHANGES_H

#include "viewer/simulation/undoable_session.h"

/**
 * Appends the changes of the coming frames to `timeline`, which has the changes of earlier frames: the waiting edits of
 * the log, divided into as many frames as their strokes need, and all scheduled changes of the scene. Settings that the
 * simulation would reject are omitted. `*any`: edits wait. BRUME_FAILED without memory; the timeline then has only some
 * of the changes. The function reads the log.
 */
BrumeStatus brume_undoable_session_add_coming_changes(BrumeUndoableSession *undoable, int variant,
                                                      BrumeTimeline *timeline, bool *any, BrumeError *error);

/** Appends the scheduled changes of the scene for the frames after `frame`. BRUME_FAILED without memory, as above. */
BrumeStatus brume_session_add_scheduled_changes(const BrumeSession *session, int frame, BrumeTimeline *timeline,
                                                BrumeError *error);

#endif
