/**
 * @file job_def.h
 * The definition of a job: a program with its arguments, and how it is run again after it was stopped.
 */
#ifndef BRUME_VIEWER_JOBS_JOB_DEF_H
#define BRUME_VIEWER_JOBS_JOB_DEF_H

#include <stdbool.h>
#include <stddef.h>

enum { BRUME_JOB_PATH = 1152, BRUME_JOB_ARGUMENTS = 6144 };

/** How a job is run again after it was stopped or has failed. */
typedef enum BrumeJobAgain {
    BRUME_JOB_NOT_AGAIN,
    BRUME_JOB_RESUMES,      ///< it continues with the missing frames (--resume)
    BRUME_JOB_STARTS_AGAIN, ///< it replaces the output of the first run (--overwrite)
} BrumeJobAgain;

typedef struct BrumeJobDef {
    char name[96];                       ///< for the user: "render frames 1 to 48"
    char output[BRUME_JOB_PATH];         ///< files that it writes, for messages
    char scene[BRUME_JOB_PATH];          ///< the scene file that it computes; "" for none
    char folder[BRUME_JOB_PATH];         ///< folder in which it runs; "": the working folder of this program
    char arguments[BRUME_JOB_ARGUMENTS]; ///< the program and its arguments, each with a terminating 0
    size_t used;                         ///< bytes of `arguments`
    bool full;                           ///< an argument had no room
    BrumeJobAgain again;
} BrumeJobDef;

/** Appends an argument. Sets `full` where there is no room. */
void brume_job_add_argument(BrumeJobDef *def, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Appends the option for running the program again, unless it is there already. */
void brume_job_add_again(BrumeJobDef *def);

/** The argument after `argument`, or the first one after NULL; NULL after the last one. */
const char *brume_job_next_argument(const BrumeJobDef *def, const char *argument);

/** Writes the path of `file`, which may be relative to the job's folder, to `path`. False where it is too long. */
bool brume_job_path(const BrumeJobDef *def, const char *file, char path[BRUME_JOB_PATH]);

#endif
