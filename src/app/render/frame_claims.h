/**
 * @file frame_claims.h
 * The frames that a worker has claimed and whose images are not written yet. For the thread that submits frames alone.
 */
#ifndef BRUME_APP_RENDER_FRAME_CLAIMS_H
#define BRUME_APP_RENDER_FRAME_CLAIMS_H

#include "app/render/frame_claim.h"
#include "app/render/run_stats.h"

/** A claimed frame with its number. */
typedef struct BrumeClaimedFrame {
    int frame;
    BrumeFrameClaim claim;
} BrumeClaimedFrame;

/** The claims of a worker; all zero for none. */
typedef struct BrumeFrameClaims {
    int count, capacity;
    BrumeClaimedFrame *frames;
    int busy; ///< frames that were left to other workers
} BrumeFrameClaims;

/**
 * Claims a frame as brume_frame_claim_take does, and keeps the claim until its image is written. Fails as
 * brume_frame_claim_take does.
 */
BrumeStatus brume_frame_claims_take(BrumeFrameClaims *claims, int frame, const char *path, double timeout,
                                    BrumeClaimResult *result, BrumeError *error);

/** Releases the frames whose images are written, as `stats` has it. */
void brume_frame_claims_release_written(BrumeFrameClaims *claims, BrumeRunStats *stats);

/** Releases all frames, when no image is being drawn or written any more, and frees the memory. */
void brume_frame_claims_destroy(BrumeFrameClaims *claims);

#endif
