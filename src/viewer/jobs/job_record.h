/**
 * @file job_record.h
 * Jobs that are not complete are kept as files in a folder of the user, so that they can go on after the viewer has
 * ended, however that was: one file for each job, locked (flock) by the viewer that has it in its list.
 */
#ifndef BRUME_VIEWER_JOBS_JOB_RECORD_H
#define BRUME_VIEWER_JOBS_JOB_RECORD_H

#include "core/error.h"
#include "viewer/jobs/job_def.h"

#include <stdbool.h>

/** The file of a job. All zero: there is none. */
typedef struct BrumeJobRecord {
    char path[BRUME_JOB_PATH]; ///< "": none
    int file;                  ///< the open file, which has the lock
} BrumeJobRecord;

/**
 * Writes a job to a new file in `folder`, which is created where it does not exist. `opened` is the absolute path of
 * what the user had opened, the scene or the sequence. BRUME_FAILED with the system's reason; the record is all zero
 * then.
 */
BrumeStatus brume_job_record_write(BrumeJobRecord *record, const char *folder, const char *opened,
                                   const BrumeJobDef *def, BrumeError *error);

/**
 * Reads the file at `path` and locks it. `program` becomes the first argument of the job. False, and the record is all
 * zero, for a job of another scene than `opened`, where another viewer has it, and where the file is no record. A
 * record whose scene file is gone is removed.
 */
bool brume_job_record_read(BrumeJobRecord *record, const char *path, const char *opened, const char *program,
                           BrumeJobDef *def);

/** Removes the file: the job is complete, or the user has given it up. All zero is allowed. */
void brume_job_record_end(BrumeJobRecord *record);

/** Unlocks the file and leaves it to the next viewer. All zero is allowed. */
void brume_job_record_release(BrumeJobRecord *record);

#endif
