/**
 * @file child_process.h
 * Runs a function in a child process, because libraries for volume files may crash, abort or allocate without limit:
 * on damaged files, or where memory runs out. The caller's process then goes on.
 */
#ifndef BRUME_EXCHANGE_CHILD_PROCESS_H
#define BRUME_EXCHANGE_CHILD_PROCESS_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>

BRUME_BEGIN_DECLS

/** Runs in the child and writes its result to `file`, from its present position on, with brume_child_write. */
typedef BrumeStatus BrumeChildFunction(const void *context, int file, BrumeError *error);

/** What runs in a child process, and the words of the messages where it does not end by itself. */
typedef struct BrumeChildDef {
    BrumeChildFunction *function;
    const void *context; ///< for the function
    const char *path;    ///< of the file that is read or written
    const char *action;  ///< "read" or "written"
    const char *library; ///< whose fault a crash is, for example "OpenVDB"
    BrumeStatus crash;   ///< the status of a crash: BRUME_BAD_INPUT where the file may be the reason, or BRUME_FAILED
    int seconds;         ///< limit of processor time [s]
} BrumeChildDef;

/**
 * Calls the function in a child process. BRUME_OK where it returns that: `*file` is an open file in memory at the start
 * of its result, which the caller reads with brume_child_read and closes. Otherwise `*file` is -1, and the status is
 * that of the function with its text; `crash` with one line that starts with the path where the child is ended by a
 * signal (a crash, an abort, no memory), exits, or exceeds its processor time; BRUME_INTERRUPTED where SIGINT, SIGTERM
 * or SIGHUP has ended it; BRUME_FAILED where it cannot be started.
 *
 * In the child only the calling thread exists: the function must not use OpenMP or wait for other threads. What it
 * prints is discarded. The child may allocate as much memory as the machine has, and dies with the caller.
 */
BrumeStatus brume_child_run(int *file, const BrumeChildDef *def, BrumeError *error);

/** Writes bytes to the result of a child. False where memory runs out. */
bool brume_child_write(int file, const void *bytes, size_t size);

/** Reads the next bytes of the result. False where there are fewer. */
bool brume_child_read(int file, void *bytes, size_t size);

BRUME_END_DECLS

#endif
