/**
 * @file resource_limits.h
 * Files of other programs can claim any size, and libraries that read them may allocate without limit or never end. The
 * sizes that a file claims are compared with the memory that is available before anything is allocated; a process that
 * reads one file at a time (src/files) also limits its own memory and processor time.
 */
#ifndef BRUME_IO_RESOURCE_LIMITS_H
#define BRUME_IO_RESOURCE_LIMITS_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>

BRUME_BEGIN_DECLS

/**
 * Limits the resources of this process from now on to the most that reading a file of this size can need: memory for
 * its tree of 128 times the size, and a second of processor time for each 500 kB, each with a constant for small files.
 * Where a limit is reached, allocations fail, and the system ends the process with SIGXCPU. To be called for each file.
 */
void brume_limit_reading(size_t file_size);

/** The same for a process that writes a file of these values: processor time alone. */
void brume_limit_writing(size_t values_size);

/**
 * Whether allocations of this size in all [bytes] are within the limit of this process, which the system enforces, but
 * not in a process with a sanitizer.
 */
bool brume_allows_allocation(size_t size);

/** Notes the size of all allocations with one that has failed [bytes], for brume_fail_reading_memory. */
void brume_note_failed_allocation(size_t size);

/**
 * Fails where memory for reading a file ran out: BRUME_BAD_INPUT and that it is damaged where the limit of this process
 * was reached, otherwise BRUME_FAILED as brume_out_of_memory.
 */
BrumeStatus brume_fail_reading_memory(const char *path, BrumeError *error);

/**
 * Checks that `bytes` for the values of a file fit into the memory that is available; the limits of this process grow
 * by the memory to fill them. BRUME_FAILED with one line that starts with the path; `what` names the values, for
 * example "4 x 4 x 4 cells".
 */
BrumeStatus brume_admit_values(double bytes, const char *path, const char *what, BrumeError *error);

BRUME_END_DECLS

#endif
