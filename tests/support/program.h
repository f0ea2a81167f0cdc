/**
 * @file program.h
 * For tests of the program as its users meet it: run it in a fresh folder, read what it says and what it leaves.
 */
#ifndef BRUME_TESTS_SUPPORT_PROGRAM_H
#define BRUME_TESTS_SUPPORT_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/** What a run came to. */
typedef struct ProgramRun {
    int status; ///< exit status; 128 + signal where one ended it
    char out[32768];
    char err[8192];
} ProgramRun;

/** A program under way. */
typedef struct Program {
    pid_t pid;
    int out, err; ///< files that take what it says
} Program;

/** Makes a fresh folder and works in it, with a small scene `little.yaml` of 12 frames there. A cmocka setup. */
int enter_folder(void **state);

/** Leaves the folder and removes it with all that is in it. A cmocka teardown. */
int leave_folder(void **state);

/** Starts the program with arguments that are split at blanks. `largest_file` [bytes] limits its files; 0: no limit. */
Program start_program(const char *arguments, size_t largest_file);

/** Waits for its end. */
void finish_program(Program *program, ProgramRun *run);

/** Starts and waits. */
void run_program(ProgramRun *run, const char *arguments);

/** Makes a file of this text. */
void make_file(const char *path, const char *text);

/** The contents of a file, with a 0 behind them; freed by the caller. Fails the test where there is none. */
char *read_whole_file(const char *path, size_t *size);

bool exists(const char *path);

/** Waits until the program has made a file. Fails the test where it ends without, or takes longer than a minute. */
void wait_for_file(const Program *program, const char *path);

/** How many files and folders lie in a folder; -1 where there is no such folder. */
int count_entries(const char *path);

/** Fails the test where the file is not a PNG that decodes to width x height pixels. */
void assert_whole_png(const char *path, int width, int height);

/** Whether a text is valid JSON (RFC 8259), and nothing else. */
bool is_json(const char *text);

#endif
