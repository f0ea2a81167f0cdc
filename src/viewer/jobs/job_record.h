/**
 * @file job_record.h
 * Incomplete jobs have files in a folder of the user, so that they can be run again after the viewer has ended in any
 * way: one file for each job, locked (flock) by the viewer that has it in its list.
 */
#ifndef BRUME_VIEWER_JOBS_JOB_RECORD_H
#define BRUME_VIEWER_JOBS_JOB_RECORD_H

#include "core/error.h"
#include "viewer/jobs/job_def.h"

#include <stdbool.h>

/** The file of a job. Zeroed: there is none. */
typedef struct BrumeJobRecord {
    char path[BRUME_JOB_PATH]; ///< "": none
    int file;                  ///< the open file, which has the lock
} BrumeJobRecord;

/**
 * Writes a job to a new file in `folder`, which is created where it does not exist. `opened` is the absolute path of
 * the opened scene or sequence. BRUME_FAILED with the system's reason; the record is zeroed then.
 */
BrumeStatus brume_job_record_write(BrumeJobRecord *record, const char *folder, const char *opened,
                                   const BrumeJobDef *def, BrumeError *error);

/**
 * Reads the file at `path` and locks it. `program` becomes the first argument of the job. False, with a zeroed record,
 * for a job of another scene than `opened`, where another viewer has locked it, and where the file is no record. A
 * record whose scene file does not exist is removed.
 */
bool brume_job_record_read(BrumeJobRecord *record, const char *path, const char *opened, const char *program,
                           BrumeJobDef *def);

/** Removes the file of a job that is complete or that the user has removed. A zeroed record is allowed. */
void brume_job_record_end(BrumeJobRecord *record);

/** Unlocks the file, so that the next viewer can load it. A zeroed record is allowed. */
void brume_job_record_release(BrumeJobRecord *record);

#endif
