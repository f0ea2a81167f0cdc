/**
 * @file run_farm.h
 * What a run of a scene does as one of several workers (worker.h): the frames that it simulates and writes, and its
 * checkpoints.
 */
#ifndef BRUME_APP_RUN_RUN_FARM_H
#define BRUME_APP_RUN_RUN_FARM_H

#include "app/run/run_state.h"

/**
 * Selects the frames of the run from those that are wanted: all, or their part --chunk. Fails as
 * brume_worker_check_turned_frame does. run->frames_in_chunk is false where the part has no frame; run->frames is
 * undefined then.
 */
BrumeStatus brume_run_select_frames(BrumeSceneRun *run, BrumeError *error);

/**
 * With --skip-existing, ends the run after the last frame whose image is missing, but not before the frame `done`,
 * unless a table, the final state or its steadiness is asked for.
 */
void brume_run_skip_last_frames(BrumeSceneRun *run, int done);

/**
 * Whether this run draws a frame, or writes its volume, which then goes to `path`: the frame is among those of the run,
 * its file does not exist, and with --skip-existing no other worker draws it. Releases the claims of the frames that
 * are written. Fails as brume_frame_claim_take does.
 */
BrumeStatus brume_run_claim_frame(BrumeSceneRun *run, int frame, char path[BRUME_MAX_PATH], bool *writes,
                                  BrumeError *error);

/** Goes on without checkpoints at intervals, because another worker has the folder, and prints that. */
void brume_run_leave_checkpoints(BrumeSceneRun *run);

#endif
