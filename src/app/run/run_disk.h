/**
 * @file run_disk.h
 * The disk space of a run: what its outputs need before it starts, and what its next frames need while it goes on.
 */
#ifndef BRUME_APP_RUN_RUN_DISK_H
#define BRUME_APP_RUN_RUN_DISK_H

#include "app/run/run_state.h"

/**
 * BRUME_FAILED, with the numbers, where a lower bound of what the files of frames and the tables need exceeds the free
 * space of their file system. Where only an upper bound, with the checkpoints, exceeds it, prints a warning.
 */
BrumeStatus brume_run_check_disk(BrumeSceneRun *run, BrumeError *error);

/**
 * BRUME_FAILED, with the numbers, where the free space is less than what the next frames and a checkpoint need, judged
 * by the largest file so far. A checkpoint that did not fit before is not counted.
 */
BrumeStatus brume_run_check_next_frames(BrumeSceneRun *run, BrumeError *error);

#endif
