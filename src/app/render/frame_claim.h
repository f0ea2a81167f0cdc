/**
 * @file frame_claim.h
 * Distributes frames among several workers, on one machine or on several. A worker claims a frame by a lock file next
 * to the image, `plume.0042.png.lock`, which it creates exclusively, locks (flock) and removes when the image is
 * written. The system releases the lock of a worker that ends, also of a killed one; the next worker that claims the
 * frame then takes over the lock file.
 *
 * Some network file systems accept locks and do not show them to other machines. The lock file therefore names the
 * machine, by a random identifier of the running kernel, and a lock file of another machine is taken over only when it
 * is older than a limit. If a worker of another machine draws longer than this, two workers draw the same image;
 * neither image file is incomplete.
 */
#ifndef BRUME_APP_RENDER_FRAME_CLAIM_H
#define BRUME_APP_RENDER_FRAME_CLAIM_H

#include "core/error.h"

/** The age from which on the lock file of another machine is taken over, if --lock-timeout is not given [s]. */
#define BRUME_DEFAULT_LOCK_TIMEOUT 3600.0

/** The result of an attempt to claim a frame. */
typedef enum BrumeClaimResult {
    BRUME_CLAIM_TAKEN,  ///< the caller draws the frame
    BRUME_CLAIM_EXISTS, ///< its image exists
    BRUME_CLAIM_BUSY,   ///< another worker draws it
} BrumeClaimResult;

/** A claimed frame. Zeroed: none. */
typedef struct BrumeFrameClaim {
    char *lock_path; ///< NULL: none
    int file;        ///< descriptor of the lock file, which holds the lock
} BrumeFrameClaim;

/**
 * Claims the frame with the image `path`, whose folder must exist. `timeout` is the age [s] of a lock file of another
 * machine from which on it is taken over. `*result` is one of the enumeration; `claim` is all zero unless it is
 * BRUME_CLAIM_TAKEN, and is released with brume_frame_claim_release. Any number of threads and processes may call it at
 * the same time.
 *
 * BRUME_FAILED, naming the lock file, where the system cannot create or open it, and without memory.
 */
BrumeStatus brume_frame_claim_take(BrumeFrameClaim *claim, const char *path, double timeout, BrumeClaimResult *result,
                                   BrumeError *error);

/** Removes a lock file that a killed worker has left next to the image `path`, if the image exists. */
void brume_frame_claim_remove_abandoned(const char *path, double timeout);

/** Removes the lock file. All zero is allowed. */
void brume_frame_claim_release(BrumeFrameClaim *claim);

#endif
