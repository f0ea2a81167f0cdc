/**
 * @file messages.h
 * The output of a run: progress and results on standard output (on standard error where a table goes to standard
 * output), errors and warnings on standard error, and all of it in a log file if there is one. Control characters in
 * file names and other texts of the user are printed escaped.
 */
#ifndef BRUME_APP_CLI_MESSAGES_H
#define BRUME_APP_CLI_MESSAGES_H

#include "brume/scene.h"
#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/** The verbosity from which on a message is printed. */
typedef enum BrumeVerbosity {
    BRUME_PRINT_RESULTS, ///< always, unless --quiet is given
    BRUME_PRINT_DETAILS, ///< with -v
    BRUME_PRINT_MACHINE, ///< with -vv
} BrumeVerbosity;

/** The output of a run. For the main thread alone. */
typedef struct BrumeMessages {
    bool silent; ///< nothing is printed: another process has all messages of the run (app/run/run_ranks.h)
    bool quiet;
    int verbosity;      ///< number of -v
    FILE *stream;       ///< stream of progress and results; NULL: standard output
    bool terminal;      ///< `stream` is a terminal, on which the progress line is overwritten
    int progress_width; ///< characters of the progress line on the screen; 0: none
    const char *log_path;
    FILE *log;      ///< receives all messages up to BRUME_PRINT_DETAILS, also with --quiet; NULL: none
    int log_error;  ///< errno of the first write to the log that failed; 0: none
    double started; ///< [s] on the clock
} BrumeMessages;

enum { BRUME_PROGRESS_WINDOW = 12 };

/**
 * The progress of a run and its estimated end. Later frames take longer than early ones, so the estimate follows the
 * rate of the last BRUME_PROGRESS_WINDOW frames instead of the average since the start.
 */
typedef struct BrumeProgress {
    int frames;                             ///< frames of the run
    int first;                              ///< frames that an earlier run completed
    int done;                               ///< completed frames, including `first`
    double started;                         ///< [s] on the clock
    double ends[BRUME_PROGRESS_WINDOW + 1]; ///< when the last frames ended [s], a ring indexed by the frame's number
    double cell_rate;                       ///< cells times steps per second of the last frame [1/s]; 0: none
    const char *unit;                       ///< name of the counted items; NULL: "frame"
    char note[96];                          ///< text in the line instead of the rate; "" for none
} BrumeProgress;

/**
 * Prints an error as one line on standard error, preceded by "brume: " unless the text starts with a position in a
 * file. Any thread.
 */
void brume_print_error(const BrumeError *error);

/**
 * As brume_print_error, but only in the first of the processes that a launcher has started with the same arguments. The
 * others wait for a second: mpirun ends the first one when another one ends with a failure, before it has printed.
 */
void brume_print_first_error(const BrumeError *error);

/**
 * Flushes standard output at the end of the program, whose exit status is `status` so far; returns the exit status. If
 * anything that was printed could not be written and there was no other error, prints an error and returns
 * BRUME_FAILED.
 */
int brume_finish_output(int status);

/**
 * Starts the output of a run. With a `log_path` (not NULL) this file and its folder are created; the messages replace
 * its content, or are appended to it. BRUME_FAILED if this fails.
 */
BrumeStatus brume_messages_open(BrumeMessages *messages, bool quiet, int verbosity, const char *log_path, bool append,
                                BrumeError *error);

/** Prints progress and results on standard error from here on, because standard output has another use. */
void brume_messages_use_error_stream(BrumeMessages *messages);

/** Ends the progress line and closes the log. BRUME_FAILED if a write to the log failed. All zero is allowed. */
BrumeStatus brume_messages_close(BrumeMessages *messages, BrumeError *error);

/**
 * Closes as brume_messages_close does at the end of a command with this status, and prints the error of the log.
 * Returns `status`, or the error's status if `status` is BRUME_OK.
 */
BrumeStatus brume_messages_end(BrumeMessages *messages, BrumeStatus status);

/** Prints one line if the verbosity is at least `level`. */
void brume_messages_print(BrumeMessages *messages, BrumeVerbosity level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Prints the progress: over the previous progress line on a terminal, otherwise as a separate line. */
void brume_messages_progress(BrumeMessages *messages, const BrumeProgress *progress);

/**
 * Prints the progress on a terminal, otherwise nothing: for changes within a frame. Any thread, while no other thread
 * prints.
 */
void brume_messages_progress_within(BrumeMessages *messages, const BrumeProgress *progress);

/** Prints "brume: warning: ..." on standard error, also with --quiet. */
void brume_messages_warning(BrumeMessages *messages, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Prints the warnings of a scene. */
void brume_messages_scene_warnings(BrumeMessages *messages, const BrumeScene *scene);

/** Prints an error as brume_print_error does, and writes it to the log. */
void brume_messages_error(BrumeMessages *messages, const BrumeError *error);

/** Starts a run of `frames` frames, of which an earlier run has completed `done`, at the time `now` [s]. */
void brume_progress_start(BrumeProgress *progress, int done, int frames, double now);

/** Counts a frame that ended at `now` [s]; its steps updated `cell_steps` cells (cells times steps) in `seconds`. */
void brume_progress_count(BrumeProgress *progress, double now, double cell_steps, double seconds);

/** Estimated remaining time [s]; 0 before the first frame. */
double brume_progress_left(const BrumeProgress *progress);

/** Writes a line such as "frame 12/120  10%  elapsed 0:34  left 5:06  8.3 Mcells/s" to `line` of `size` bytes. */
void brume_progress_line(const BrumeProgress *progress, char *line, size_t size);

#endif
