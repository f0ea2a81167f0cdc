/**
 * @file job_list.h
 * Runs of the program in separate processes, one after the other, which render or simulate while the viewer runs. For
 * the window thread.
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
    BRUME_JOB_STOPS,   ///< it has the signal to stop, and completes its frame
    BRUME_JOB_DONE,    ///< its output is complete
    BRUME_JOB_STOPPED, ///< it was stopped before its end
    BRUME_JOB_FAILED,
} BrumeJobState;

/** A job and its progress. */
typedef struct BrumeJob {
    BrumeJobDef def;
    int serial; ///< ascending, from 1
    BrumeJobState state;
    int done, total;       ///< frames; total 0: not known yet
    char left[16];         ///< remaining time as the program estimates it, "0:34"; "" where it is not known
    double started;        ///< clock [s]
    char text[600];        ///< the last line of the program: the result, or the error of a job that failed
    bool has_error;        ///< `text` is a line of its standard error
    BrumeJobRecord record; ///< file of the job until it is complete, or removed by the user
} BrumeJob;

/** The list of jobs. Zeroed, it is empty. */
typedef struct BrumeJobList {
    int count, last_serial;
    BrumeJob jobs[BRUME_MAX_JOBS]; ///< in the order in which they run
    BrumeProcess process;          ///< process of the job that runs or stops
    bool stopped_twice;            ///< the process has a second signal, to stop at once
} BrumeJobList;

/** Writes the progress of a stopped job: "render 1 to 9: stopped after 3 of 9 frames of out/a.####.png". */
void brume_describe_stopped_job(const BrumeJob *job, char *text, size_t size);

/**
 * Appends a job. Where there are too many, the oldest ended job is removed. BRUME_FAILED where none has ended, and
 * where the arguments are too long; `*serial` is unchanged then.
 */
BrumeStatus brume_job_list_add(BrumeJobList *list, const BrumeJobDef *def, int *serial, BrumeError *error);

/**
 * Writes a job that can be run again to a file in `folder`, which exists until the job is complete or the user cancels
 * it before its start or after its end. brume_job_list_load finds it there for `opened`, the absolute path of the scene
 * or sequence that the user has opened. BRUME_FAILED as brume_job_record_write does.
 */
BrumeStatus brume_job_list_keep(BrumeJobList *list, int serial, const char *folder, const char *opened,
                                BrumeError *error);

/**
 * Appends the jobs of `opened` whose files are in `folder` and that no other viewer has loaded, as stopped ones, while
 * there is room. `program` runs them. Returns the number of appended jobs.
 */
int brume_job_list_load(BrumeJobList *list, const char *folder, const char *opened, const char *program);

/**
 * Starts the next waiting job, and reads the lines of the running one. Returns whether the list has changed. A job that
 * has ended since the last call is copied to `*ended`; its serial is 0 where none has.
 */
bool brume_job_list_update(BrumeJobList *list, BrumeJob *ended);

/**
 * Cancels a job: a waiting or ended job is removed; a running job completes its frame and stops (SIGINT), and stops at
 * once at a second call.
 */
void brume_job_list_cancel(BrumeJobList *list, int serial);

/** Whether a job was stopped, or has failed, and can be run again. */
bool brume_job_can_run_again(const BrumeJob *job);

/**
 * Appends such a job to the waiting ones, with the option to resume or to start again. Returns false and changes
 * nothing for other jobs and where the option has no room.
 */
bool brume_job_list_run_again(BrumeJobList *list, int serial);

/** The job with this serial; NULL where there is none. */
const BrumeJob *brume_job_list_find(const BrumeJobList *list, int serial);

/** Removes the waiting jobs and stops the running one as brume_job_list_cancel does. Does not remove their files. */
void brume_job_list_stop(BrumeJobList *list);

/** Returns the number of jobs that wait or run. */
int brume_job_list_left(const BrumeJobList *list);

/** Ends the running process at once, and waits for it. */
void brume_job_list_destroy(BrumeJobList *list);

/**
 * Reads a line of progress, "frame 12/120  10%  elapsed 0:34  left 5:06". Returns false and
 * writes nothing for other lines.
 */
bool brume_read_progress_line(const char *line, int *done, int *total, char left[16]);

#endif
