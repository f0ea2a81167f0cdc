/**
 * @file session.h
 * The simulations of one scene that run in lockstep, one per variant, and the timeline of every change that was applied
 * to them. A session has no lock: one thread uses it (the simulation thread).
 */
#ifndef BRUME_VIEWER_SIMULATION_SESSION_H
#define BRUME_VIEWER_SIMULATION_SESSION_H

#include "brume/timeline.h"
#include "viewer/simulation/snapshot.h"
#include "viewer/simulation/stroke_queue.h"

#include <stdbool.h>

typedef struct BrumeSessionVariant {
    BrumeSim *sim;
    BrumeSimDef initial_settings; ///< that the simulation was created with
    BrumeSimDef restart_settings; ///< latest settings, with the obstacles at their initial positions: for a restart
    BrumeTimeline applied;        ///< changes since the start
    BrumeFrameStats stats;        ///< of the latest frame
} BrumeSessionVariant;

/** Zeroed, it is empty: it has no variants. */
typedef struct BrumeSession {
    int variant_count;
    BrumeSessionVariant variants[BRUME_MAX_VARIANTS];
    BrumeTimeline scene_timeline; ///< changes that the scene file prescribes
    int frame;                    ///< frames that all variants have finished
    bool failed;                  ///< a frame has failed: only a restart helps
    /** Called before every stage with the finished part of the frame; where it returns false, the frame stops. */
    bool (*progress)(void *context, double fraction);
    void *progress_context;
    int computing; ///< variant whose frame is computed
} BrumeSession;

/** Edits by the user that the next frame applies. */
typedef struct BrumePendingEdits {
    bool settings_changed[BRUME_MAX_VARIANTS];
    BrumeSimDef settings[BRUME_MAX_VARIANTS];
    BrumeStrokeQueue strokes; ///< for all variants
    bool obstacle_moved[BRUME_MAX_OBSTACLES];
    BrumeVec3 displacement[BRUME_MAX_OBSTACLES]; ///< during the frame, for all variants [m]
} BrumePendingEdits;

/**
 * Creates `count` simulations from `settings[variant]` at time 0, in place of those that exist, and clears their
 * timelines; the scene's timeline stays. The obstacles start where `settings` have them. Fails as brume_sim_create
 * does; the session is unchanged then.
 */
BrumeStatus brume_session_start(BrumeSession *session, const BrumeSimDef *settings, int count, BrumeError *error);

/** Frees everything and leaves the session empty. */
void brume_session_destroy(BrumeSession *session);

/** Destroys all variants but the first `count`. */
void brume_session_truncate(BrumeSession *session, int count);

/**
 * Applies the pending edits and the scene's changes to every variant, appends them to its timeline, and computes one
 * frame. Applied edits are cleared; strokes that exceed what a frame can hold stay in `edits`. Settings that the
 * simulation rejects are not applied, and `rejected` says why. If a frame fails, the session is marked as failed and
 * `error` says why; every further call fails until brume_session_start. BRUME_INTERRUPTED, and marked as failed, where
 * `session->progress` stopped it before one of its steps.
 */
BrumeStatus brume_session_run_frame(BrumeSession *session, BrumePendingEdits *edits, BrumeError *rejected,
                                    BrumeError *error);

#endif
