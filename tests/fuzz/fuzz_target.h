/**
 * @file fuzz_target.h
 * What the fuzz targets share. A target is one file that defines LLVMFuzzerTestOneInput: it passes an input to a
 * function that reads bytes or texts from outside the program, and requires conditions that hold for every input. With
 * libFuzzer it is linked to the fuzzer, otherwise to replay.c, which runs it on files.
 */
#ifndef BRUME_TESTS_FUZZ_FUZZ_TARGET_H
#define BRUME_TESTS_FUZZ_FUZZ_TARGET_H

#include "brume/brume.h"

#include <stddef.h>
#include <stdint.h>

/** Runs the target on one input. Returns 0; a fault ends the process. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Called once at the start, with the arguments of the process. */
int LLVMFuzzerInitialize(int *argc, char ***argv);

/** Ends the process with a message where a condition does not hold; `text` describes the effect of the input. */
#define FUZZ_REQUIRE(condition, text)                                                                                  \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fuzz_fail(__FILE__, __LINE__, #condition, (text));                                                         \
        }                                                                                                              \
    } while (0)

_Noreturn void fuzz_fail(const char *file, int line, const char *condition, const char *text);

/** The text after `prefix` of the first argument of the process that starts with it; NULL where there is none. */
const char *fuzz_argument(const char *prefix);

/** A copy of the input as a text, which ends at its first 0; freed with free. */
char *fuzz_text(const uint8_t *data, size_t size);

/** A copy of the input, exactly as large, so that reading behind its end is found; freed with brume_free. */
uint8_t *fuzz_bytes(const uint8_t *data, size_t size);

/** Requires that a failure has one line of text, and that success has none of the bad statuses. */
void fuzz_require_status(BrumeStatus status, const BrumeError *error);

/**
 * Requires of an accepted scene that the solver accepts its settings, and that it is the same after it is written and
 * read again.
 */
void fuzz_require_valid_scene(const BrumeScene *scene);

/** Whether a step of these settings takes less than about 10 ms. */
bool fuzz_is_small(const BrumeSimDef *def);

/**
 * Replaces the size and the hash in the header of a checkpoint or of a saved state of `size` bytes by the size and hash
 * of its content, so that the functions behind the check of the hash are reached.
 */
void fuzz_repair_header(uint8_t *bytes, size_t size);

#endif
