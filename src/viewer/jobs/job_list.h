/**
 * @file job_list.h
 * Runs of the program in processes of their own, one after the other: what is rendered or simulated beside the viewer.
 * For the window thread.
 */
#ifndef BRUME_VIEWER_JOBS_JOB_LIST_H
#define BRUME_VIEWER_JOBS_JOB_LIST_H

#include "core/error.h"
#include "viewer/jobs/process.h"

#include <stdbool.h>

enum { BRUME_MAX_JOBS = 16, BRUME_JOB_PATH = 1152, BRUME_JOB_ARGUMENTS = 6144 };

typedef enum BrumeJobState {
    BRUME_JOB_WAITS,
    BRUME_JOB_RUNS,
    BRUME_JOB_STOPS,   ///< it was asked to stop and completes its frame
    BRUME_JOB_DONE,    ///< all that it writes is complete
    BRUME_JOB_STOPPED, ///< before its end
    BRUME_JOB_FAILED,
} BrumeJobState;

/** What a job runs. */
typedef struct BrumeJobDef {
    char name[96];                       ///< for the user: "render frames 1 to 48"
    char output[BRUME_JOB_PATH];         ///< what it writes, for messages
    char arguments[BRUME_JOB_ARGUMENTS]; ///< the program and its arguments, each with its 0 at the end
    size_t used;                         ///< bytes of `arguments`
    bool full;                           ///< an argument had no room
} BrumeJobDef;

/** A job and how far it is. */
typedef struct BrumeJob {
    BrumeJobDef def;
    int serial; ///< ascending, from 1
    BrumeJobState state;
    int done, total; ///< frames; total 0: not known yet
    char left[16];   ///< remaining time as the program estimates it, "0:34"; "" where it is not known
    double started;  ///< clock [s]
    char text[600];  ///< the last line of the program: the result, or the error of a job that failed
    bool has_error;  ///< `text` is a line of its standard error
} BrumeJob;

/** All zero: no job. */
typedef struct BrumeJobList {
    int count, last_serial;
    BrumeJob jobs[BRUME_MAX_JOBS]; ///< in the order in which they run
    BrumeProcess process;          ///< of the job that runs or stops
    bool stopped_twice;            ///< that process was asked to stop at once
} BrumeJobList;

/** Appends an argument. Text that has no room sets `full`. */
void brume_job_add_argument(BrumeJobDef *def, const char *format, ...) __attribute__((format(printf, 2, 3)));

/**
 * Appends a job. Where there are too many, the oldest one that has ended is removed. BRUME_FAILED where none has ended,
 * and where the arguments are too long; `*serial` is unchanged then.
 */
BrumeStatus brume_job_list_add(BrumeJobList *list, const BrumeJobDef *def, int *serial, BrumeError *error);

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

/** Removes the jobs that wait and stops the one that runs as brume_job_list_cancel does. */
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
