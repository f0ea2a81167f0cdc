/**
 * @file frame_space.h
 * The disk space of the files of the frames of a run, an image or a volume each or one video: what all of them need,
 * and what the next ones need while the run goes on.
 */
#ifndef BRUME_APP_RENDER_FRAME_SPACE_H
#define BRUME_APP_RENDER_FRAME_SPACE_H

#include "app/cli/paths.h"
#include "app/render/disk_space.h"
#include "app/render/picture_output.h"
#include "app/render/run_stats.h"

/** The sizes of the files. For the thread that submits frames alone. */
typedef struct BrumeFrameSpace {
    const BrumeOutputPattern *pattern; ///< NULL: no files
    double least, most;                ///< bounds of the size of a file, or of the share of a frame in a video [bytes]
    int submitted;                     ///< frames so far, which the caller counts
    double largest;                    ///< file so far [bytes]
} BrumeFrameSpace;

/**
 * The sizes of pictures of this form: images, or a video, of which the upper bound is an estimate (brume_video_size).
 * `pattern` is not copied.
 */
BrumeFrameSpace brume_picture_space(const BrumeOutputPattern *pattern, const BrumePictureOutput *pictures);

/** Adds to the bounds of `need` what the file of a frame needs. An image or volume that it replaces counts as free. */
void brume_frame_space_add(const BrumeFrameSpace *space, int frame, BrumeDiskNeed *need);

/**
 * A lower bound of what the frames in progress and the next one need [bytes], judged by the largest file so far; of a
 * video also those frames that the encoder holds back. `first` is the first frame that this run may have written.
 */
double brume_frame_space_next(BrumeFrameSpace *space, BrumeRunStats *stats, int first);

#endif
