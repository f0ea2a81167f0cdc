/**
 * @file coming_changes.h
 * What the coming frames of a session will apply if the user edits nothing more.
 */
#ifndef BRUME_VIEWER_SIMULATION_COMING_CHANGES_H
#define BRUME_VIEWER_SIMULATION_COMING_CHANGES_H

#include "viewer/simulation/session.h"

/**
 * Appends to `timeline`, which has the changes of earlier frames, those of the coming ones: the edits of the user that
 * wait, as many frames as their strokes need, and all that the scene prescribes. Settings that the simulation would
 * reject are left out. `edits` has the strokes that the session carries. BRUME_FAILED without memory; the timeline has
 * only some of the changes then.
 */
BrumeStatus brume_session_add_coming_changes(const BrumeSession *session, int variant, const BrumePendingEdits *edits,
                                             BrumeTimeline *timeline, BrumeError *error);

/** Appends what the scene prescribes for the frames after `frame`. BRUME_FAILED without memory, as above. */
BrumeStatus brume_session_add_scheduled_changes(const BrumeSession *session, int frame, BrumeTimeline *timeline,
                                                BrumeError *error);

#endif
