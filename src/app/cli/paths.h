/**
 * @file paths.h
 * Paths of files: the image or volume of each frame, from a pattern such as `out/plume.####.png` or
 * `out/plume.%04d.png`, the video of all frames, and the scenes that come with the program.
 */
#ifndef BRUME_APP_CLI_PATHS_H
#define BRUME_APP_CLI_PATHS_H

#include "app/cli/format.h"
#include "app/cli/values.h"
#include "core/error.h"
#include "video/video_format.h"

#include <stdbool.h>

enum { BRUME_MAX_PATH = 4096 };

/** A checked pattern. */
typedef struct BrumeOutputPattern {
    const char *text;              ///< the pattern as it was given; not a copy
    int before;                    ///< bytes before the frame number
    int after;                     ///< offset of the text after the frame number
    int width;                     ///< least number of digits; -1: the name has no frame number
    const BrumeVideoFormat *video; ///< all frames go to one video; NULL: each has an image
    bool turns;                    ///< the files are pictures of a turntable and count from 0: frame 1 has 0
    int offset;                    ///< added to a frame for its number; ignored for a turntable
    BrumeChunk tile;               ///< the files have this tile of each picture; zeroed: the whole pictures
} BrumeOutputPattern;

/** The extensions of images, without the dot; NULL at the end. */
extern const char *const brume_image_extensions[];

/** The use of a pattern. */
typedef struct BrumePatternDef {
    const char *option;            ///< for messages: "--output"
    const char *const *extensions; ///< allowed extensions, without the dot; at least one, and NULL at the end
    bool videos;                   ///< extensions of brume_video_formats are allowed too
} BrumePatternDef;

/**
 * Parses a path that may have a frame number: the last run of '#' in the file name, or one %d or %0Nd. Errors call it
 * `role`, such as "--output". Fails with BRUME_BAD_INPUT if it has two frame numbers or is too long. `video` is NULL.
 */
BrumeStatus brume_pattern_parse(BrumeOutputPattern *pattern, const char *text, const char *role, BrumeError *error);

/**
 * Fails with BRUME_BAD_INPUT if a pattern has no frame number and there are several frames, or if it is a video and has
 * one. Errors call it `role`.
 */
BrumeStatus brume_pattern_check_number(const BrumeOutputPattern *pattern, int frames, const char *role,
                                       BrumeError *error);

/**
 * Parses a pattern for files of `frames` frames. Fails as brume_pattern_parse and brume_pattern_check_number do, and if
 * the name has no extension or one that is not allowed.
 */
BrumeStatus brume_pattern_read(BrumeOutputPattern *pattern, const char *text, const BrumePatternDef *def, int frames,
                               BrumeError *error);

/** Whether the files are EXR images. */
bool brume_pattern_is_exr(const BrumeOutputPattern *pattern);

/** Returns the number of a frame in its path and in messages. */
int brume_pattern_number(const BrumeOutputPattern *pattern, int frame);

/** Returns the part of the name of a tile's file before the extension: ".tile-2-of-4"; "" without a tile. */
BrumeShortText brume_tile_name(const BrumeChunk *tile);

/** Writes the path of a frame, or of its tile, to `path`. */
void brume_pattern_path(const BrumeOutputPattern *pattern, int frame, char path[BRUME_MAX_PATH]);

/** Whether a file name without its folder belongs to a frame. `*number` becomes the frame's number, of either sign. */
bool brume_pattern_match(const BrumeOutputPattern *pattern, const char *name, int *number);

/** Fails with BRUME_BAD_INPUT if the file of a frame in the range is the scene, also through a link. */
BrumeStatus brume_pattern_check_scene(const BrumeOutputPattern *pattern, const BrumeFrameRange *range,
                                      const char *scene_path, BrumeError *error);

/** Fails with BRUME_BAD_INPUT if files of frames in the range exist; the text names the first and the remedy. */
BrumeStatus brume_pattern_check_free(const BrumeOutputPattern *pattern, const BrumeFrameRange *range,
                                     BrumeError *error);

/**
 * Removes the temporary files that killed runs have left for the files of a pattern, and checks before long work that
 * the file of `frame` can be written. Fails as brume_file_check_writable does.
 */
BrumeStatus brume_pattern_prepare(const BrumeOutputPattern *pattern, int frame, BrumeError *error);

/**
 * Fails with BRUME_BAD_INPUT if a regular file exists at `path`; the text names it, and `option` as the alternative to
 * --overwrite.
 */
BrumeStatus brume_check_free_path(const char *path, const char *option, BrumeError *error);

/**
 * Finds scenes/`name` below the working folder, next to the build tree of the program, or where it is installed, in
 * this order. Fails with BRUME_BAD_INPUT if it is in none of them.
 */
BrumeStatus brume_find_scene(const char *name, char path[BRUME_MAX_PATH], BrumeError *error);

#endif
