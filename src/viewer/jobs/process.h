/**
 * @file process.h
 * A program that runs beside the viewer, whose lines are read without waiting for them. For one thread.
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
    char line[BRUME_PROCESS_LINE]; ///< its beginning, while its end was not read yet; the rest of a longer one is lost
} BrumeProcessOutput;

/** A running program. */
typedef struct BrumeProcess {
    pid_t pid;                     ///< 0: it has ended, or was never started
    BrumeProcessOutput outputs[2]; ///< standard output, standard error
    int ending;                    ///< after its end: as waitpid reports it
} BrumeProcess;

/** What is called for each line without its end; `is_error`: of standard error. */
typedef void BrumeProcessLine(void *context, bool is_error, const char *line);

/**
 * Starts the program `arguments[0]`, found as by a shell, with these arguments (NULL at the end), in `folder` ("": the
 * present one), with nothing on its standard input, and a process group of its own, so that Ctrl-C in a terminal does
 * not reach it. `niceness` above 0 lowers its priority. BRUME_FAILED with the name of the program where it cannot be
 * started; the process is all zero then.
 */
BrumeStatus brume_process_start(BrumeProcess *process, const char *const *arguments, const char *folder, int niceness,
                                BrumeError *error);

/** Passes on the lines that are there. Returns whether the program still runs; after its end all lines are passed. */
bool brume_process_poll(BrumeProcess *process, BrumeProcessLine *on_line, void *context);

/** Sends a signal, unless the program has ended. */
void brume_process_signal(const BrumeProcess *process, int number);

/** Closes the outputs; a program that still runs is left to itself. */
void brume_process_close(BrumeProcess *process);

#endif
