/**
 * @file run_farm.h
 * What a run does as one of several workers which draw one sequence, of a scene or of volumes: the part of the frames
 * that belongs to it (--chunk), the frames that it claims (--skip-existing), and its checkpoints.
 */
#ifndef BRUME_APP_RUN_RUN_FARM_H
#define BRUME_APP_RUN_RUN_FARM_H

#include "app/run/run_state.h"

/**
 * Checks --chunk, --skip-existing, --lock-timeout and --turntable. BRUME_BAD_INPUT where they exclude each other or
 * another option, or where the output is a video, which one run writes.
 */
BrumeStatus brume_run_check_farm_options(const BrumeRunSettings *settings, BrumeError *error);

/**
 * Selects the frames of the run from those that are wanted: all, or their part --chunk. BRUME_BAD_INPUT where those
 * that
 * --turntable is to draw are not one. run->frames_in_chunk is false where the part has no frame; run->frames is
 * undefined then.
 */
BrumeStatus brume_run_select_frames(BrumeSceneRun *run, BrumeError *error);

/**
 * With --skip-existing, ends the run after the last frame whose image is missing, but not before the frame `done`,
 * unless a table, the final state or its steadiness is asked for.
 */
void brume_run_skip_last_frames(BrumeSceneRun *run, int done);

/** With --skip-existing, removes the lock files that killed workers have left beside files that exist. */
void brume_run_remove_abandoned_claims(const BrumeSceneRun *run);

/**
 * Whether this run draws a frame, or writes its volume, which then goes to `path`: the frame is among those of the run,
 * its file does not exist, and with --skip-existing no other worker draws it. Releases the claims of the frames that
 * are written. Fails as brume_frame_claim_take does.
 */
BrumeStatus brume_run_claim_frame(BrumeSceneRun *run, int frame, char path[BRUME_MAX_PATH], bool *writes,
                                  BrumeError *error);

/** Releases all frames, when no image is being drawn or written any more, and frees the memory. */
void brume_run_release_claims(BrumeSceneRun *run);

/** Goes on without checkpoints at intervals, because another worker has the folder, and prints that. */
void brume_run_leave_checkpoints(BrumeSceneRun *run);

#endif
