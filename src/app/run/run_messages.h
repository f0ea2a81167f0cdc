/**
 * @file run_messages.h
 * The messages of a run other than its progress and its errors.
 */
#ifndef BRUME_APP_RUN_RUN_MESSAGES_H
#define BRUME_APP_RUN_RUN_MESSAGES_H

#include "app/run/run_state.h"

/** With -v and -vv the machine and the sizes; always where a run continues from a checkpoint. */
void brume_run_print_start(BrumeSceneRun *run);

/** The statistics of a frame, with -v. */
void brume_run_print_frame(BrumeSceneRun *run, const BrumeFrameStats *sim);

/** Warns, once in a run, of an inflow into a region that walls and bodies enclose in the present state. */
void brume_run_warn_of_sealed_inflow(BrumeSceneRun *run);

/**
 * Appends the frames that are on the disk to the text of an error. A video that is not complete is not on the disk.
 */
void brume_run_append_written(BrumeSceneRun *run, BrumeError *error);

/** The results of a run that ended with this status. */
void brume_run_print_end(BrumeSceneRun *run, BrumeStatus status);

#endif
