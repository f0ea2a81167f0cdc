/**
 * @file values.h
 * Values of options: whole numbers, image sizes and ranges of frames.
 */
#ifndef BRUME_APP_CLI_VALUES_H
#define BRUME_APP_CLI_VALUES_H

#include "core/error.h"

#include <stdbool.h>

enum { BRUME_MAX_THREADS = 1024 }; ///< that a user may request

/** Width and height of an image or a window [pixels]; 0 x 0: not given. */
typedef struct BrumeImageSize {
    int width, height;
} BrumeImageSize;

/** The frames first, first + stride, ... up to last, counted from 1. All zero: not given. */
typedef struct BrumeFrameRange {
    int first, last, stride;
} BrumeFrameRange;

/** Reads a whole number from `least` to `most`; returns false if `text` is anything else. */
bool brume_parse_int(const char *text, int least, int most, int *value);

/*
 * Parsers for the option tables (BrumeOption::parse): each sets `member` from `value`, or fails with BRUME_BAD_INPUT
 * and a text that starts with the name `option`.
 */

/** "WIDTHxHEIGHT"; `member` is a BrumeImageSize. */
BrumeStatus brume_parse_size(void *member, const char *option, const char *value, BrumeError *error);

/** "A:B" or "A:B:S"; `member` is a BrumeFrameRange. */
BrumeStatus brume_parse_frames(void *member, const char *option, const char *value, BrumeError *error);

/** A number above 0; `member` is a double. */
BrumeStatus brume_parse_positive(void *member, const char *option, const char *value, BrumeError *error);

/**
 * A size of memory: a number above 0 with K, M, G or T for powers of 1000, or Ki, Mi, Gi or Ti for powers of 1024, and
 * an optional B, as "8G" or "512MiB"; `member` is a size_t [bytes].
 */
BrumeStatus brume_parse_bytes(void *member, const char *option, const char *value, BrumeError *error);

/** A single frame "N"; `member` is a BrumeFrameRange. */
BrumeStatus brume_parse_frame(void *member, const char *option, const char *value, BrumeError *error);

/**
 * Replaces a range that was not given by all frames of the scene, 1 to `scene_frames`, and sets `last` to the last
 * frame of the range. Fails with BRUME_BAD_INPUT if the range ends after the scene.
 */
BrumeStatus brume_frames_resolve(BrumeFrameRange *range, int scene_frames, BrumeError *error);

/** The number of frames in a range. */
int brume_frames_count(const BrumeFrameRange *range);

/** The frame at `index`, from 0. */
int brume_frames_at(const BrumeFrameRange *range, int index);

/** Whether a frame is in the range. */
bool brume_frames_contain(const BrumeFrameRange *range, int frame);

/**
 * Sets the number of threads: `wanted`, or if that is 0 the default, OMP_NUM_THREADS or the number of physical cores.
 * Fails with BRUME_BAD_INPUT if OMP_NUM_THREADS is above BRUME_MAX_THREADS, before OpenMP tries to start so many.
 * OpenMP itself reports and ignores a value that is not a number above 0.
 */
BrumeStatus brume_threads_resolve(int wanted, int *threads, BrumeError *error);

#endif
