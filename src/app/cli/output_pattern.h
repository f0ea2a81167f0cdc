/**
 * @file output_pattern.h
 * Where frames go: a path whose file name holds the frame number, as `out/plume.####.png` or `out/plume.%04d.png`.
 */
#ifndef BRUME_APP_CLI_OUTPUT_PATTERN_H
#define BRUME_APP_CLI_OUTPUT_PATTERN_H

#include "app/cli/frame_range.h"
#include "core/error.h"

enum { BRUME_MAX_PATH = 4096 };

/** A checked pattern; its texts are windows into the one it was read from. */
typedef struct BrumeOutputPattern {
    const char *text;
    int before; ///< letters before the number
    int after;  ///< offset of what follows it
    int width;  ///< least digits; -1 where the name holds no number
} BrumeOutputPattern;

/**
 * Reads a pattern: the last run of '#' in the file name, or one %d or %0Nd, is the number. Fails with BRUME_BAD_INPUT
 * where the name has no extension or one of a format that is not written, where it is too long, holds two numbers, or
 * holds none though `frames` are several.
 */
BrumeStatus brume_pattern_read(BrumeOutputPattern *pattern, const char *text, int frames, BrumeError *error);

/** The path of a frame. */
void brume_pattern_path(const BrumeOutputPattern *pattern, int frame, char path[BRUME_MAX_PATH]);

/** Fails with BRUME_BAD_INPUT where frames of the range exist already; the text names the first and the cure. */
BrumeStatus brume_pattern_check_free(const BrumeOutputPattern *pattern, const BrumeFrameRange *range,
                                     BrumeError *error);

#endif
