/**
 * @file values.h
 * Values of options: whole numbers, times, image sizes, and ranges of frames and their parts.
 */
#ifndef BRUME_APP_CLI_VALUES_H
#define BRUME_APP_CLI_VALUES_H

#include "core/error.h"

#include <stdbool.h>

enum { BRUME_MAX_THREADS = 1024 }; ///< maximum that a user may request

/** Width and height of an image or a window [pixels]; 0 x 0: not given. */
typedef struct BrumeImageSize {
    int width, height;
} BrumeImageSize;

/** The frames first, first + stride, ... up to last, of either sign. All zero: not given. */
typedef struct BrumeFrameRange {
    int first, last, stride;
} BrumeFrameRange;

/** The I-th, from 1, of N parts of a range of frames. All zero: not given. */
typedef struct BrumeChunk {
    int index, count;
} BrumeChunk;

/** Reads a time such as "90s", "10m" or "2h"; returns false if `text` is anything else. */
bool brume_read_duration(const char *text, double *seconds);

/** Reads a whole number from `least` to `most`; returns false if `text` is anything else. */
bool brume_parse_int(const char *text, int least, int most, int *value);

/*
 * Parsers for the option tables (BrumeOption::parse): each sets `member` from `value`, or fails with BRUME_BAD_INPUT
 * and a text that starts with the name `option`.
 */

/** "WIDTHxHEIGHT"; `member` is a BrumeImageSize. */
BrumeStatus brume_parse_size(void *member, const char *option, const char *value, BrumeError *error);

/** "A", "A:B" or "A:B:S"; `member` is a BrumeFrameRange. */
BrumeStatus brume_parse_frames(void *member, const char *option, const char *value, BrumeError *error);

/** A number above 0; `member` is a double. */
BrumeStatus brume_parse_positive(void *member, const char *option, const char *value, BrumeError *error);

/**
 * A size of memory: a number above 0 with K, M, G or T for powers of 1000, or Ki, Mi, Gi or Ti for powers of 1024, and
 * an optional B, as "8G" or "512MiB"; `member` is a size_t [bytes].
 */
BrumeStatus brume_parse_bytes(void *member, const char *option, const char *value, BrumeError *error);

/** A part "I/N" with 1 <= I <= N; `member` is a BrumeChunk. */
BrumeStatus brume_parse_chunk(void *member, const char *option, const char *value, BrumeError *error);

/** A time above 0 such as "90s", "10m" or "2h"; `member` is a double [s]. */
BrumeStatus brume_parse_duration(void *member, const char *option, const char *value, BrumeError *error);

/** A single frame "N"; `member` is a BrumeFrameRange. */
BrumeStatus brume_parse_frame(void *member, const char *option, const char *value, BrumeError *error);

/**
 * Converts a range of file numbers, where the first frame of the scene has `first_number`, to simulated frames: 1 to
 * `scene_frames`, and 0 for the initial state. A range that was not given becomes 1 to `scene_frames`; `last` becomes
 * the last frame of the range. Fails with BRUME_BAD_INPUT if the range is not within the scene.
 */
BrumeStatus brume_frames_resolve(BrumeFrameRange *range, int scene_frames, int first_number, BrumeError *error);

/** The number of frames in a range. */
int brume_frames_count(const BrumeFrameRange *range);

/** The frame at `index`, from 0. */
int brume_frames_at(const BrumeFrameRange *range, int index);

/**
 * Sets `part` to the frames of a chunk of `range`. Chunks are contiguous, their numbers of frames differ by at most
 * one, and together they have each frame once. Returns false where the chunk has no frame, because there are more
 * chunks than frames.
 */
bool brume_frames_chunk(const BrumeFrameRange *range, const BrumeChunk *chunk, BrumeFrameRange *part);

/** Whether a frame is in the range. */
bool brume_frames_contain(const BrumeFrameRange *range, int frame);

/**
 * Sets the number of threads: `wanted`, or if that is 0 the default, OMP_NUM_THREADS or the number of physical cores.
 * Fails with BRUME_BAD_INPUT if OMP_NUM_THREADS is above BRUME_MAX_THREADS, before OpenMP tries to start so many.
 * OpenMP itself reports and ignores a value that is not a number above 0.
 */
BrumeStatus brume_threads_resolve(int wanted, int *threads, BrumeError *error);

#endif
