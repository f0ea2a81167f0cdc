/**
 * @file worker.h
 * A run that may be one of several workers which draw one sequence, of a scene or of volumes: the part of the frames
 * that belongs to it (--chunk), and the frames that it claims (--skip-existing).
 */
#ifndef BRUME_APP_RUN_WORKER_H
#define BRUME_APP_RUN_WORKER_H

#include "app/cli/format.h"
#include "app/cli/messages.h"
#include "app/cli/paths.h"
#include "app/render/frame_claims.h"
#include "app/run/run_options.h"

/**
 * Checks --chunk, --skip-existing and --lock-timeout. BRUME_BAD_INPUT where they exclude each other or another option,
 * or where the output is a video, which one run writes.
 */
BrumeStatus brume_worker_check_options(const BrumeRunSettings *settings, BrumeError *error);

/** Fails with BRUME_BAD_INPUT where the frames that --turntable is to draw are not one. */
BrumeStatus brume_worker_check_turned_frame(const BrumeFrameRange *frames, BrumeError *error);

/** How the run goes on: as --resume says; BRUME_RESUME_SAME with --skip-existing alone. */
BrumeResumeMode brume_worker_resume_mode(const BrumeRunSettings *settings);

/**
 * Whether images replace those that exist. With --skip-existing they do, so that a frame which another worker has drawn
 * too is no error: the image is replaced by the same one.
 */
bool brume_worker_replaces_images(const BrumeRunSettings *settings);

/**
 * Sets `part` to the frames of --chunk, or to all frames `whole` without it. False where the part has no frame; `part`
 * is undefined then.
 */
bool brume_worker_part(const BrumeRunSettings *settings, const BrumeFrameRange *whole, BrumeFrameRange *part);

/** Prints that the part of the frames `whole` has no frame. */
void brume_worker_print_empty_part(const BrumeRunSettings *settings, const BrumeFrameRange *whole,
                                   BrumeMessages *messages);

/** The name of the part in the name of its default folder of checkpoints: ".chunk-3-of-8"; "" without --chunk. */
BrumeShortText brume_worker_chunk_name(const BrumeRunSettings *settings);

/** With --skip-existing, removes the lock files that killed workers have left beside images that exist. */
void brume_worker_remove_abandoned_claims(const BrumeRunSettings *settings, const BrumeOutputPattern *images,
                                          const BrumeFrameRange *frames);

/**
 * Claims the frame with the image `path` with --skip-existing. `*draws`: whether this run draws it, because no other
 * worker does and, with --skip-existing, its image does not exist. Fails as brume_frame_claim_take does.
 */
BrumeStatus brume_worker_claim(BrumeFrameClaims *claims, const BrumeRunSettings *settings, int frame, const char *path,
                               bool *draws, BrumeError *error);

/** Prints how many frames were left to other workers, unless there is none. */
void brume_worker_print_busy_frames(const BrumeFrameClaims *claims, BrumeMessages *messages);

#endif
