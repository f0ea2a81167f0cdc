/**
 * @file saved_session.h
 * The state of a session before a frame that changes its grid, so that the change can be cancelled.
 */
#ifndef BRUME_VIEWER_SIMULATION_SAVED_SESSION_H
#define BRUME_VIEWER_SIMULATION_SAVED_SESSION_H

#include "viewer/simulation/session.h"

/** A saved state. Zeroed, there is none. */
typedef struct BrumeSavedSession {
    bool valid;
    int variant_count;
    void *bytes[BRUME_MAX_VARIANTS];
    size_t sizes[BRUME_MAX_VARIANTS];
    BrumeSessionVariant variants[BRUME_MAX_VARIANTS]; // their timelines are copies; without simulations
    BrumePendingEdits edits;
} BrumeSavedSession;

/** Whether the edits change the grid of a variant. */
bool brume_edits_change_grid(const BrumeSession *session, const BrumePendingEdits *edits);

/**
 * Saves the state of all variants, and the edits of the next frame. Nothing is saved, `saved->valid` is false, without
 * memory and where obstacles or emitters have the shapes of volumes, which snapshots refer to.
 */
void brume_session_save(BrumeSavedSession *saved, const BrumeSession *session, const BrumePendingEdits *edits);

/**
 * Restores the state that was saved, and the edits but the settings. Fails as brume_sim_load does; the session counts
 * as failed then.
 */
BrumeStatus brume_session_restore(BrumeSavedSession *saved, BrumeSession *session, BrumePendingEdits *edits,
                                  BrumeError *error);

void brume_saved_session_clear(BrumeSavedSession *saved);

#endif
