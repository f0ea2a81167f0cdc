/**
 * @file program.h
 * Runs the program in a temporary folder, for tests of its output and its files.
 */
#ifndef BRUME_TESTS_SUPPORT_PROGRAM_H
#define BRUME_TESTS_SUPPORT_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** The result of a run. */
typedef struct ProgramRun {
    int status; ///< exit status; 128 + the signal's number if a signal ended it
    char out[32768];
    char err[8192];
} ProgramRun;

/** A running program. */
typedef struct Program {
    pid_t pid;
    int out, err; ///< files that receive its standard output and standard error; `out` of -1: closed
} Program;

/**
 * Creates a temporary folder (in TMPDIR or /tmp) with a small scene of 12 frames, `little.yaml`, and makes it the
 * working folder. A cmocka setup.
 */
int enter_folder(void **state);

/** Removes the temporary folder with its contents. A cmocka teardown. */
int leave_folder(void **state);

/** Removes a folder with its contents, if there is one. */
void remove_folder(const char *path);

/** Starts the program with arguments separated by blanks. `largest_file` limits the size of its files [bytes]; 0: none.
 */
Program start_program(const char *arguments, size_t largest_file);

/** Starts the program with the file `path`, for example a full device, as its standard output; NULL: closed. */
Program start_program_with_output(const char *arguments, const char *path);

/** Waits until the program ends. */
void finish_program(Program *program, ProgramRun *run);

/** The time of a clock that never goes back [s]. */
double seconds_now(void);

/** Whether the program ends within this time. */
bool ends_within(const Program *program, double seconds);

/** Starts the program and waits until it ends. */
void run_program(ProgramRun *run, const char *arguments);

/** As run_program. Fails the test unless the exit status is 0 and nothing is on standard error. */
void run_successfully(ProgramRun *run, const char *arguments);

/** As run_program. Fails the test unless the exit status is `status` and "brume: " and `line` are on standard error. */
void run_with_error(ProgramRun *run, int status, const char *arguments, const char *line);

/** As run_program. Fails the test if the program does not end within this time. */
void run_program_within(ProgramRun *run, const char *arguments, double seconds);

/** Creates a file with this text. */
void make_file(const char *path, const char *text);

/** Creates a file with these bytes. */
void make_binary_file(const char *path, const void *bytes, size_t size);

/** The contents of a file with a terminating 0, to be freed by the caller. Fails the test if there is no such file. */
char *read_whole_file(const char *path, size_t *size);

/** Fails the test unless both files have the same bytes. */
void assert_same_files(const char *a, const char *b);

bool exists(const char *path);

/** Waits until the file exists. Fails the test if the program ends before, or after a minute. */
void wait_for_file(const Program *program, const char *path);

/** Waits until the file has this text. Fails the test if the program ends before, or after a minute. */
void wait_for_text(const Program *program, const char *path, const char *text);

/** Waits until the program has written to standard output. Fails the test if it ends before, or after a minute. */
void wait_for_output(const Program *program);

/** Waits until the program has written to standard error. Fails the test if it ends before, or after a minute. */
void wait_for_error_output(const Program *program);

/** The number of files and folders in a folder; -1 if there is no such folder. */
int count_entries(const char *path);

/** Fails the test unless the file is a PNG that decodes to width x height pixels. */
void assert_whole_png(const char *path, int width, int height);

/** Whether a text is one valid JSON value (RFC 8259). */
bool is_json(const char *text);

#endif
