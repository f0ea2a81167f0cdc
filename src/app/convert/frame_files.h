/**
 * @file frame_files.h
 * The existing files of a sequence with a pattern, and the output file of each.
 */
#ifndef BRUME_APP_CONVERT_FRAME_FILES_H
#define BRUME_APP_CONVERT_FRAME_FILES_H

#include "app/cli/paths.h"
#include "app/cli/sequence.h"
#include "app/cli/values.h"
#include "core/error.h"
#include "core/text.h"

#include <stdbool.h>

/** A sequence, or one file, whose frame number is 0 then. */
typedef struct BrumeFrameFiles {
    BrumeOutputPattern pattern;
    BrumeSequence found;
    BrumeText missing; ///< frames within the sequence without a file, as "4, 7-9" or "4, 8:12:2"; empty: none
    int missing_count;
} BrumeFrameFiles;

/**
 * Finds the files of a pattern, or the one file that a path without a frame number names. `range` (all zero: not given)
 * selects frames. Missing are frames of the range or, without one, frames between the found ones, at the greatest
 * common divisor of their distances. BRUME_BAD_INPUT where there is no file, and where a range is given for one file
 * without a number; BRUME_FAILED without memory or where the folder cannot be read. To be freed with
 * brume_frame_files_destroy in any case.
 */
BrumeStatus brume_frame_files_find(BrumeFrameFiles *files, const char *text, const BrumeFrameRange *range,
                                   BrumeError *error);

void brume_frame_files_destroy(BrumeFrameFiles *files);

/**
 * Parses the path of the outputs, a pattern, a single file or a video of all frames, and checks that no output is one
 * of the files, also by another name or link, and unless `overwrite` that none exists. `written` are the frames of the
 * outputs. BRUME_BAD_INPUT otherwise.
 */
BrumeStatus brume_frame_files_check_outputs(const BrumeFrameFiles *files, const BrumeSequence *written,
                                            BrumeOutputPattern *outputs, const char *text, bool overwrite,
                                            BrumeError *error);

#endif
