/**
 * @file sequence.h
 * The existing files of a sequence: its frames, from the names in the folder of a pattern.
 */
#ifndef BRUME_APP_CLI_SEQUENCE_H
#define BRUME_APP_CLI_SEQUENCE_H

#include "app/cli/paths.h"
#include "core/error.h"

/** Frames in ascending order. Zeroed, it is empty. */
typedef struct BrumeSequence {
    int count;
    int *frames;
} BrumeSequence;

/**
 * Lists the frames, of either sign, whose file exists. A pattern without a frame number has frame `single` if its file
 * exists. None where the folder does not exist. BRUME_FAILED where the folder cannot be read and without
 * memory; the sequence is empty then.
 */
BrumeStatus brume_sequence_find(BrumeSequence *sequence, const BrumeOutputPattern *pattern, int single,
                                BrumeError *error);

/** As brume_sequence_find; BRUME_BAD_INPUT where there is no file. */
BrumeStatus brume_sequence_find_some(BrumeSequence *sequence, const BrumeOutputPattern *pattern, BrumeError *error);

/** Whether a path has a frame number, as body.####.obj. */
bool brume_is_sequence(const char *path);

/**
 * Calls `visit` with the name of each file in the folder of a pattern, in any order, until it fails. No calls if the
 * folder does not exist; BRUME_FAILED where it cannot be read.
 */
BrumeStatus brume_pattern_visit(const BrumeOutputPattern *pattern,
                                BrumeStatus (*visit)(void *context, const char *name, BrumeError *error), void *context,
                                BrumeError *error);

/** Returns the greatest common divisor of the distances between frames; 1 for a single frame. */
int brume_sequence_stride(const BrumeSequence *sequence);

/** Whether the sequence has this frame. */
bool brume_sequence_has(const BrumeSequence *sequence, int frame);

/** Frees the list. */
void brume_sequence_destroy(BrumeSequence *sequence);

#endif
