/**
 * @file frame_range.h
 * Which frames a run is about: A:B or A:B:S, counted from 1.
 */
#ifndef BRUME_APP_CLI_FRAME_RANGE_H
#define BRUME_APP_CLI_FRAME_RANGE_H

#include "core/error.h"

#include <stdbool.h>

/** Frames first, first + stride, ... up to last. All zero: the frames of the scene. */
typedef struct BrumeFrameRange {
    int first, last, stride;
} BrumeFrameRange;

/** Reads "A:B" or "A:B:S" (a parser for the option table: `member` is a BrumeFrameRange). */
BrumeStatus brume_parse_frames(void *member, const char *option, const char *value, BrumeError *error);

/** Reads a single frame "N". */
BrumeStatus brume_parse_frame(void *member, const char *option, const char *value, BrumeError *error);

/**
 * Fills a range of all zero with the scene's frames; otherwise fails with BRUME_BAD_INPUT where it ends after the
 * scene does.
 */
BrumeStatus brume_frames_resolve(BrumeFrameRange *range, int scene_frames, BrumeError *error);

/** How many frames there are. */
int brume_frames_count(const BrumeFrameRange *range);

/** The `index`-th frame, from 0. */
int brume_frames_at(const BrumeFrameRange *range, int index);

/** Whether a frame is among them. */
bool brume_frames_contain(const BrumeFrameRange *range, int frame);

#endif
