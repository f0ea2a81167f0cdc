/**
 * @file session.h
 * The simulations of one scene that run in lockstep, one per variant, and the timeline of every change that was applied
 * to them. A session has no lock: one thread uses it (the simulation thread).
 */
#ifndef BRUME_VIEWER_SIMULATION_SESSION_H
#define BRUME_VIEWER_SIMULATION_SESSION_H

#include "brume/animation.h"
#include "brume/timeline.h"
#include "viewer/simulation/frame_edits.h"
#include "viewer/simulation/snapshot.h"

#include <stdbool.h>

typedef struct BrumeSessionVariant {
    uint64_t id; ///< id in the log of edits (BrumeLogVariants)
    BrumeSim *sim;
    BrumeSimDef initial_settings; ///< settings that the simulation was created with
    BrumeTimeline applied;        ///< changes since the start
    BrumeFrameStats stats;        ///< statistics of the latest frame
    bool rejected;                ///< the simulation has rejected the settings of the latest frame
} BrumeSessionVariant;

/** Zeroed, it is empty: it has no variants. */
typedef struct BrumeSession {
    int variant_count;
    BrumeSessionVariant variants[BRUME_MAX_VARIANTS];
    const BrumeTimeline *scene_timeline; ///< changes that the scene file prescribes; NULL: none
    const BrumeAnimation *animation;     ///< values that change within the frames; NULL: none
    int frame;                           ///< frames that all variants have finished
    int position;                        ///< index in the log of the first entry that was not applied
    uint64_t key;                        ///< brume_edit_log_key at `position` when the entries were applied
    bool failed;                         ///< a frame has failed: a restart or an earlier state is required
    /** Called before every stage with the finished part of the frame; where it returns false, the frame stops. */
    bool (*progress)(void *context, double fraction);
    void *progress_context;
    int computing; ///< variant whose frame is computed
} BrumeSession;

/**
 * Replaces the simulations by `count` new ones from `settings[variant]` at time 0, with empty timelines and the
 * bodies of `settings`. Fails as brume_sim_create does; the session is unchanged then.
 */
BrumeStatus brume_session_start(BrumeSession *session, const BrumeSimDef *settings, int count, BrumeError *error);

/** Frees everything and leaves the session empty. */
void brume_session_destroy(BrumeSession *session);

/**
 * Copies the first variant, its state, its settings and its timeline, to a second one, `id`, which computes the same
 * frames, bit for bit, until its settings are changed. Does nothing where there are two. BRUME_FAILED without memory or
 * after a failed frame; the session is unchanged then.
 */
BrumeStatus brume_session_fork(BrumeSession *session, uint64_t id, BrumeError *error);

/** Returns the ids of the variants in the log. */
BrumeLogVariants brume_session_variants(const BrumeSession *session);

/** Destroys all variants but `kept`, which becomes the first. */
void brume_session_keep_variant(BrumeSession *session, int kept);

/**
 * Applies the edits and the scene's changes to every variant, appends them to its timeline, and computes one frame.
 * Rejected settings are not applied, and `rejected` has the reason. If a frame fails, the session is marked as failed
 * and `error` has the reason; every further call fails until brume_session_start or a restored state.
 * BRUME_INTERRUPTED, and marked as failed, where `session->progress` stopped the frame.
 */
BrumeStatus brume_session_run_frame(BrumeSession *session, const BrumeFrameEdits *edits, BrumeError *rejected,
                                    BrumeError *error);

#endif
