/**
 * @file retimed_frames.h
 * The frames of a sequence of volume files in another number of frames, of which those between two files are
 * transported (refine/in_between.h).
 */
#ifndef BRUME_APP_CONVERT_RETIMED_FRAMES_H
#define BRUME_APP_CONVERT_RETIMED_FRAMES_H

#include "app/convert/convert_target.h"
#include "app/convert/frame_files.h"

/** A sequence. To be zeroed before brume_retimed_frames_create. */
typedef struct BrumeRetimedFrames {
    const BrumeConvertDef *def;
    const BrumeFrameFiles *files;
    BrumeSequence numbers;        ///< of the frames of the output, from the number of the first file on
    int lower_index;              ///< index of `lower` among the files; -1: not read
    BrumeFrameGrids lower, upper; ///< the files around the latest frame; `upper` without grids and particles: not read
} BrumeRetimedFrames;

/**
 * Finds the frames of the output: `def->retime` frames for each step of the files. BRUME_BAD_INPUT where there is only
 * one file, BRUME_FAILED without memory; to be destroyed in any case.
 */
BrumeStatus brume_retimed_frames_create(BrumeRetimedFrames *frames, const BrumeConvertDef *def,
                                        const BrumeFrameFiles *files, BrumeError *error);

void brume_retimed_frames_destroy(BrumeRetimedFrames *frames);

/**
 * Fills `frame`, which is all zero, with the frame at an index of the output; indices ascend. `path` is that of the
 * file at or before it. Fails as the reader of the files and brume_in_between do; `frame` is all zero then.
 */
BrumeStatus brume_retimed_frames_take(BrumeRetimedFrames *frames, int index, BrumeFrameGrids *frame,
                                      char path[BRUME_MAX_PATH], BrumeError *error);

#endif
