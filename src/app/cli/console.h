/**
 * @file console.h
 * What a run says: its progress and results on standard output, errors and warnings on standard error, and all of it
 * in a log where one is wanted.
 */
#ifndef BRUME_APP_CLI_CONSOLE_H
#define BRUME_APP_CLI_CONSOLE_H

#include "core/error.h"

#include <stdbool.h>
#include <stdio.h>

/** How much a message has to be asked for. */
typedef enum BrumeLevel {
    BRUME_SAY,    ///< unless --quiet
    BRUME_DETAIL, ///< with -v
    BRUME_DEBUG,  ///< with -vv
} BrumeLevel;

/** Used by the main thread only. */
typedef struct BrumeConsole {
    bool quiet;
    int verbosity;      ///< times -v was given
    bool terminal;      ///< whether standard output is one, so that the progress line may be overwritten
    int progress_width; ///< letters of the progress line on the screen, 0 for none
    const char *log_path;
    FILE *log;     ///< takes everything up to BRUME_DETAIL, however quiet the run; NULL for none
    int log_error; ///< errno of the first line that the log did not take
    double started;
} BrumeConsole;

/**
 * Prints the line of an error on standard error: as it is where it names a place in a file, with "brume: " in front
 * otherwise. Any thread.
 */
void brume_print_error(const BrumeError *error);

/** Starts a console; with a `log_path`, makes that file (and its folder) anew. Fails with BRUME_FAILED. */
BrumeStatus brume_console_open(BrumeConsole *console, bool quiet, int verbosity, const char *log_path,
                               BrumeError *error);

/** Ends the progress line and closes the log. BRUME_FAILED where that has not taken all. A zeroed console is fine. */
BrumeStatus brume_console_close(BrumeConsole *console, BrumeError *error);

/** Prints one line. */
void brume_console_say(BrumeConsole *console, BrumeLevel level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Prints a line of progress: over the last one on a terminal, as a line of its own elsewhere. */
void brume_console_progress(BrumeConsole *console, const char *line);

/** Prints "brume: warning: ..." on standard error, quiet or not. */
void brume_console_warn(BrumeConsole *console, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Prints an error as brume_print_error does, and into the log. */
void brume_console_error(BrumeConsole *console, const BrumeError *error);

#endif
