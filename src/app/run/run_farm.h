/**
 * @file run_farm.h
 * A run as one of several workers that draw one sequence, of a scene or of volumes: its part of the frames (--chunk),
 * the frames that it claims (--skip-existing), and its checkpoints.
 */
#ifndef BRUME_APP_RUN_RUN_FARM_H
#define BRUME_APP_RUN_RUN_FARM_H

#include "app/run/run_state.h"

/**
 * Makes a run with images that a launcher has started several times a worker, as --skip-existing does; only the first
 * process prints its progress. BRUME_BAD_INPUT where several processes would write the same file: a video, or images
 * with --overwrite.
 */
BrumeStatus brume_run_share_frames(BrumeRunSettings *settings, BrumeError *error);

/**
 * Checks --chunk, --skip-existing, --lock-timeout and --turntable. BRUME_BAD_INPUT where they exclude each other or
 * another option, or where the output is a video, which one run writes.
 */
BrumeStatus brume_run_check_farm_options(const BrumeRunSettings *settings, BrumeError *error);

/**
 * Selects the frames of the run from the requested ones: all, or the part --chunk. BRUME_BAD_INPUT where the frames
 * that --turntable is to draw are not one. run->frames_in_chunk is false where the part has no frame; run->frames is
 * undefined then.
 */
BrumeStatus brume_run_select_frames(BrumeSceneRun *run, BrumeError *error);

/**
 * With --skip-existing, ends the run after the last frame whose image is missing, but not before the frame `done`,
 * unless a table, the final state or its steadiness is asked for.
 */
void brume_run_skip_last_frames(BrumeSceneRun *run, int done);

/** With --skip-existing, removes the lock files that killed workers have left next to existing files. */
void brume_run_remove_abandoned_claims(const BrumeSceneRun *run);

/**
 * Whether this run draws a frame, or writes its volume, which then goes to `path`: the run has the frame, its file does
 * not exist, and with --skip-existing no other worker draws it. Releases the claims of the frames that are written.
 * Fails as brume_frame_claim_take does.
 */
BrumeStatus brume_run_claim_frame(BrumeSceneRun *run, int frame, char path[BRUME_MAX_PATH], bool *writes,
                                  BrumeError *error);

/** Releases all frames, when no image is being drawn or written any more, and frees the memory. */
void brume_run_release_claims(BrumeSceneRun *run);

/** Continues without checkpoints at intervals, because another worker has locked the folder, and prints a message. */
void brume_run_leave_checkpoints(BrumeSceneRun *run);

#endif
