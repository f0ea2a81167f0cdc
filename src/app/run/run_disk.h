/**
 * @file run_disk.h
 * Checks of the disk space of a run: for all outputs before it starts, and for the next frames during the run.
 */
#ifndef BRUME_APP_RUN_RUN_DISK_H
#define BRUME_APP_RUN_RUN_DISK_H

#include "app/run/run_state.h"

/**
 * BRUME_FAILED, with the numbers, where a lower bound of the space for the files of frames and tables exceeds the free
 * space of their file system. Where only an upper bound, with the checkpoints, exceeds it, prints a warning.
 */
BrumeStatus brume_run_check_disk(BrumeSceneRun *run, BrumeError *error);

/**
 * BRUME_FAILED, with the numbers, where the free space is less than the next frames and a checkpoint need, estimated
 * from the largest file so far. A checkpoint that did not fit before is not counted.
 */
BrumeStatus brume_run_check_next_frames(BrumeSceneRun *run, BrumeError *error);

#endif
