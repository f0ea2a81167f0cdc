/**
 * @file paths.h
 * Paths of files: the image or volume of each frame, from a pattern such as `out/plume.####.png` or
 * `out/plume.%04d.png`, and the scenes that come with the program.
 */
#ifndef BRUME_APP_CLI_PATHS_H
#define BRUME_APP_CLI_PATHS_H

#include "app/cli/values.h"
#include "core/error.h"

enum { BRUME_MAX_PATH = 4096 };

/** A checked pattern. */
typedef struct BrumeOutputPattern {
    const char *text; ///< the pattern as it was given; not a copy
    int before;       ///< bytes before the frame number
    int after;        ///< offset of the text behind it
    int width;        ///< least number of digits; -1: the name has no frame number
} BrumeOutputPattern;

/** The extensions of images, without the dot; NULL at the end. */
extern const char *const brume_image_extensions[];

/** What a pattern is for. */
typedef struct BrumePatternDef {
    const char *option;            ///< for messages: "--output"
    const char *const *extensions; ///< those allowed, without the dot; at least one, and NULL at the end
} BrumePatternDef;

/**
 * Parses a pattern for `frames` frames: the last run of '#' in the file name, or one %d or %0Nd, is the frame number.
 * Fails with BRUME_BAD_INPUT if the
 * name has no extension, an unknown one or two frame numbers, if it has no frame number and there are several frames,
 * and if the path is too long.
 */
BrumeStatus brume_pattern_read(BrumeOutputPattern *pattern, const char *text, const BrumePatternDef *def, int frames,
                               BrumeError *error);

/** Writes the path of a frame to `path`. */
void brume_pattern_path(const BrumeOutputPattern *pattern, int frame, char path[BRUME_MAX_PATH]);

/** Fails with BRUME_BAD_INPUT if the file of a frame in the range is the scene, also through a link. */
BrumeStatus brume_pattern_check_scene(const BrumeOutputPattern *pattern, const BrumeFrameRange *range,
                                      const char *scene_path, BrumeError *error);

/** Fails with BRUME_BAD_INPUT if files of frames in the range exist; the text names the first and the remedy. */
BrumeStatus brume_pattern_check_free(const BrumeOutputPattern *pattern, const BrumeFrameRange *range,
                                     BrumeError *error);

/**
 * Fails with BRUME_BAD_INPUT if a regular file exists at `path`; the text names it, and `option` as the other remedy
 * beside --overwrite.
 */
BrumeStatus brume_check_free_path(const char *path, const char *option, BrumeError *error);

/**
 * Finds scenes/`name` below the working folder, beside the build tree of the program, or where it is installed, in this
 * order. Fails with BRUME_BAD_INPUT if it is in none of them.
 */
BrumeStatus brume_find_scene(const char *name, char path[BRUME_MAX_PATH], BrumeError *error);

#endif
