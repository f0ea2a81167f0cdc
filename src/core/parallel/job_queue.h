/**
 * @file job_queue.h
 * Jobs of one caller in the background: a thread runs them one after the other, in the order of their submission, while
 * the caller continues. The queue holds a fixed number of jobs, its slots; the caller fills the data of a slot and
 * submits it. Where the system starts no thread, a job runs in the call that submits it, with the same results.
 *
 * Threads: one thread at a time calls these functions for a queue. The data of a slot belong to the caller from
 * brume_job_queue_slot to brume_job_queue_submit, and to the job from then on until it is complete, which
 * brume_job_queue_slot, for that slot, and brume_job_queue_finish establish. The functions order memory accesses
 * accordingly.
 *
 * Errors: the first error is stored, and later jobs are discarded, until brume_job_queue_take_result returns it.
 */
#ifndef BRUME_CORE_PARALLEL_JOB_QUEUE_H
#define BRUME_CORE_PARALLEL_JOB_QUEUE_H

#include "core/error.h"
#include "core/parallel/worker.h"

#include <stdbool.h>

BRUME_BEGIN_DECLS

/** The functions of a queue. */
typedef struct BrumeJobQueueDef {
    int slots;                    ///< jobs that are submitted and not complete, at most; at least 1
    bool in_caller;               ///< no thread: a job runs in the call that submits it
    void *context;                ///< passed to the functions below
    void (*begin)(void *context); ///< called once by the thread before its first job; NULL: nothing
    BrumeStatus (*run)(void *context, int slot, BrumeError *error); ///< a job with the data of slot 0 to slots - 1
} BrumeJobQueueDef;

/** A queue. All zero: none. Its address must not change after brume_job_queue_init. */
typedef struct BrumeJobQueue {
    BrumeJobQueueDef def;
    bool initialized;
    BrumeWorker worker;      ///< started by the first submission
    BrumeMonitor monitor;    ///< guards all members below
    int submitted, complete; ///< jobs so far
    BrumeError error;        ///< of the first job that failed
} BrumeJobQueue;

/** Prepares an empty queue. Its thread starts with the first job. */
void brume_job_queue_init(BrumeJobQueue *queue, const BrumeJobQueueDef *def);

/** Waits until a slot is free and returns its number; -1 after an error. The next submission submits this slot. */
int brume_job_queue_slot(BrumeJobQueue *queue);

/** Submits the next slot; waits until it is free, where brume_job_queue_slot has not done so. */
void brume_job_queue_submit(BrumeJobQueue *queue);

/** Stores an error of the caller as the error of a job, unless there is an earlier one. */
void brume_job_queue_fail(BrumeJobQueue *queue, const BrumeError *error);

/** Returns the status of the first job that has failed so far, and its error; does not wait. */
BrumeStatus brume_job_queue_status(BrumeJobQueue *queue, BrumeError *error);

/** Waits until all submitted jobs are complete. Returns the status of the first one that failed, and its error. */
BrumeStatus brume_job_queue_finish(BrumeJobQueue *queue, BrumeError *error);

/** As brume_job_queue_finish, and forgets the error: later jobs run again. */
BrumeStatus brume_job_queue_take_result(BrumeJobQueue *queue, BrumeError *error);

/** Waits until all submitted jobs are complete and ends the thread. A queue that is all zero is allowed. */
void brume_job_queue_destroy(BrumeJobQueue *queue);

BRUME_END_DECLS

#endif
