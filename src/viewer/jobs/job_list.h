/**
 * @file job_list.h
 * Runs of the program in processes of their own, one after the other: what is rendered or simulated beside the viewer.
 * For the window thread.
 */
#ifndef BRUME_VIEWER_JOBS_JOB_LIST_H
#define BRUME_VIEWER_JOBS_JOB_LIST_H

#include "core/error.h"
#include "viewer/jobs/job_def.h"
#include "viewer/jobs/job_record.h"
#include "viewer/jobs/process.h"

#include <stdbool.h>

enum { BRUME_MAX_JOBS = 16 };

typedef enum BrumeJobState {
    BRUME_JOB_WAITS,
    BRUME_JOB_RUNS,
    BRUME_JOB_STOPS,   ///< it was asked to stop and completes its frame
    BRUME_JOB_DONE,    ///< all that it writes is complete
    BRUME_JOB_STOPPED, ///< before its end
    BRUME_JOB_FAILED,
} BrumeJobState;

/** A job and how far it is. */
typedef struct BrumeJob {
    BrumeJobDef def;
    int serial; ///< ascending, from 1
    BrumeJobState state;
    int done, total;       ///< frames; total 0: not known yet
    char left[16];         ///< remaining time as the program estimates it, "0:34"; "" where it is not known
    double started;        ///< clock [s]
    char text[600];        ///< the last line of the program: the result, or the error of a job that failed
    bool has_error;        ///< `text` is a line of its standard error
    BrumeJobRecord record; ///< keeps it until it is complete, or removed by the user
} BrumeJob;

/** All zero: no job. */
typedef struct BrumeJobList {
    int count, last_serial;
    BrumeJob jobs[BRUME_MAX_JOBS]; ///< in the order in which they run
    BrumeProcess process;          ///< of the job that runs or stops
    bool stopped_twice;            ///< that process was asked to stop at once
} BrumeJobList;

/** Writes how far a job that was stopped came: "render 1 to 9: stopped after 3 of 9 frames of out/a.####.png". */
void brume_describe_stopped_job(const BrumeJob *job, char *text, size_t size);

/**
 * Appends a job. Where there are too many, the oldest one that has ended is removed. BRUME_FAILED where none has ended,
 * and where the arguments are too long; `*serial` is unchanged then.
 */
BrumeStatus brume_job_list_add(BrumeJobList *list, const BrumeJobDef *def, int *serial, BrumeError *error);

/**
 * Keeps a job that can be run again as a file in `folder` until it is complete or canceled by the user before its
 * start or after its end: brume_job_list_load finds it there for `opened`, the absolute path of the scene or sequence
 * that the user had opened. BRUME_FAILED as brume_job_record_write does.
 */
BrumeStatus brume_job_list_keep(BrumeJobList *list, int serial, const char *folder, const char *opened,
                                BrumeError *error);

/**
 * Appends the jobs of `opened` that are kept in `folder` and that no viewer has, as stopped ones, while there is room.
 * `program` runs them. Returns how many these are; the last one is the last of the list.
 */
int brume_job_list_load(BrumeJobList *list, const char *folder, const char *opened, const char *program);

/**
 * Starts the next job that waits, and reads the lines of the one that runs. Returns whether anything has changed. A job
 * that has ended since the last call is written to `*ended`; its serial is 0 where none has.
 */
bool brume_job_list_update(BrumeJobList *list, BrumeJob *ended);

/**
 * Cancels a job: one that waits is removed, one that runs completes its frame and stops (SIGINT), and stops at once
 * where that was asked before. One that has ended is removed.
 */
void brume_job_list_cancel(BrumeJobList *list, int serial);

/** Whether a job was stopped, or has failed, and can be run again. */
bool brume_job_can_run_again(const BrumeJob *job);

/**
 * Appends such a job to those that wait, with the option by which the program goes on where it stopped, or starts
 * again. False, and nothing is changed, for other jobs and where the option has no room.
 */
bool brume_job_list_run_again(BrumeJobList *list, int serial);

/** The job with this serial; NULL where there is none. */
const BrumeJob *brume_job_list_find(const BrumeJobList *list, int serial);

/** Removes the jobs that wait and stops the one that runs as brume_job_list_cancel does. Files that keep them
 * stay. */
void brume_job_list_stop(BrumeJobList *list);

/** Jobs that wait or run. */
int brume_job_list_left(const BrumeJobList *list);

/** Ends the process that runs, at once, and waits for it. */
void brume_job_list_destroy(BrumeJobList *list);

/**
 * Reads a line of progress, "frame 12/120  10%  elapsed 0:34  left 5:06". False for other lines, and then nothing is
 * written.
 */
bool brume_read_progress_line(const char *line, int *done, int *total, char left[16]);

#endif
