/**
 * @file checkpoint_writer.h
 * Checkpoints at intervals: the state is copied between two frames, and the copy is written in the background
 * (core/parallel/job_queue.h) while the next frames are simulated.
 */
#ifndef BRUME_APP_CHECKPOINT_CHECKPOINT_WRITER_H
#define BRUME_APP_CHECKPOINT_CHECKPOINT_WRITER_H

#include "app/checkpoint/checkpoint.h"
#include "app/checkpoint/checkpoint_folder.h"
#include "app/checkpoint/checkpoint_options.h"
#include "core/parallel/job_queue.h"

typedef struct BrumeCheckpointWriter {
    BrumeCheckpointInterval interval;
    int keep; ///< checkpoints that are left when the run is complete; 0: none, and two during the run
    BrumeCheckpointFolder *folder;
    double latest; ///< time at which the latest checkpoint was begun [s]
    int frame;     ///< of the latest checkpoint; 0: none

    BrumeJobQueue files; ///< one at a time
    uint8_t *bytes;      ///< content of the file that is being written
    size_t size;
} BrumeCheckpointWriter;

/**
 * Prepares checkpoints in `folder`, which must outlive the writer. `now` is the time of the clock [s]. The address of
 * the writer must not change from then on.
 */
void brume_checkpoint_writer_start(BrumeCheckpointWriter *writer, const BrumeCheckpointOptions *options,
                                   BrumeCheckpointFolder *folder, double now);

/** Whether a checkpoint is due after `frame`. */
bool brume_checkpoint_due(const BrumeCheckpointWriter *writer, int frame, double now);

/**
 * Copies the present state and starts to write it; but first waits for the previous checkpoint. Fails, also with the
 * error of the previous checkpoint, with BRUME_FAILED; the simulation may continue. A checkpoint that an earlier run
 * has kept is not replaced.
 */
BrumeStatus brume_checkpoint_write(BrumeCheckpointWriter *writer, const BrumeRunRecord *record, const BrumeSim *sim,
                                   double now, BrumeError *error);

/** Waits until the latest checkpoint is written; returns its status. */
BrumeStatus brume_checkpoint_writer_finish(BrumeCheckpointWriter *writer, BrumeError *error);

/** Waits until the latest checkpoint is written, ends the thread and frees the memory. All zero is allowed. */
void brume_checkpoint_writer_end(BrumeCheckpointWriter *writer);

#endif
