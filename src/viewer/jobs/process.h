/**
 * @file process.h
 * A program in a separate process, whose output is read without waiting for it. For one thread.
 */
#ifndef BRUME_VIEWER_JOBS_PROCESS_H
#define BRUME_VIEWER_JOBS_PROCESS_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { BRUME_PROCESS_LINE = 2048 };

/** One of the two outputs of a program, read line by line. */
typedef struct BrumeProcessOutput {
    int file; ///< end of the pipe; -1: closed
    size_t used;
    char line[BRUME_PROCESS_LINE]; ///< the part of the line that was read; longer lines are truncated
} BrumeProcessOutput;

/** A running program. */
typedef struct BrumeProcess {
    pid_t pid;                     ///< 0: it has ended, or was never started
    BrumeProcessOutput outputs[2]; ///< standard output, standard error
    int ending;                    ///< after its end: the status of waitpid
} BrumeProcess;

/** Called for each line, without its line end; `is_error`: the line is from standard error. */
typedef void BrumeProcessLine(void *context, bool is_error, const char *line);

/**
 * Starts the program `arguments[0]`, found as by a shell, with these arguments (NULL at the end), in `folder` ("": the
 * present one), with an empty standard input, and in a new process group, so that it does not receive Ctrl-C in a
 * terminal. `niceness` above 0 lowers its priority. BRUME_FAILED with the name of the program where it cannot be
 * started; the process is zeroed then.
 */
BrumeStatus brume_process_start(BrumeProcess *process, const char *const *arguments, const char *folder, int niceness,
                                BrumeError *error);

/** Passes on the available lines. Returns whether the program still runs; after its end all lines are passed. */
bool brume_process_poll(BrumeProcess *process, BrumeProcessLine *on_line, void *context);

/** Sends a signal, unless the program has ended. */
void brume_process_signal(const BrumeProcess *process, int number);

/** Closes the outputs. A program that still runs is not ended. */
void brume_process_close(BrumeProcess *process);

#endif
