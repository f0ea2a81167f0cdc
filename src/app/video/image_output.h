/**
 * @file image_output.h
 * The output of the pictures of a run: an image file for each frame, or one video.
 */
#ifndef BRUME_APP_VIDEO_IMAGE_OUTPUT_H
#define BRUME_APP_VIDEO_IMAGE_OUTPUT_H

#include "app/cli/paths.h"
#include "brume/scene.h"
#include "io/image_sink.h"
#include "video/video_encoder.h"

#include <stdbool.h>

/** An open output; all zero for none. */
typedef struct BrumeImageOutput {
    BrumeImageSink sink;              ///< to which a frame pipeline writes; refers to this struct
    const BrumeVideoFunctions *video; ///< NULL: image files
    BrumeVideoEncoder *encoder;       ///< of the video, until it is complete
    bool begun;                       ///< a picture has been added
    bool failed;                      ///< a picture could not be added
    bool complete;                    ///< the video has its final name
} BrumeImageOutput;

/** The size and rate of the pictures. */
typedef struct BrumeImageOutputDef {
    int width, height; ///< [pixels]
    double fps;        ///< of a video
    bool overwrite;    ///< existing files are replaced; otherwise they are an error
} BrumeImageOutputDef;

/** Returns the size and rate of a scene. */
BrumeImageOutputDef brume_scene_images(const BrumeScene *scene, bool overwrite);

/**
 * Checks before long work that an output with these pictures is possible. For a video, fails as brume_video_check and
 * brume_video_load do; BRUME_BAD_INPUT for EXR images where the program was built without OpenEXR.
 */
BrumeStatus brume_image_output_check(const BrumeOutputPattern *pattern, const BrumeImageOutputDef *def,
                                     BrumeError *error);

/**
 * Opens an output; `output` must not move until it is closed. For a video, creates the file under a temporary name,
 * which a second signal removes (brume_interrupt_set_partial_file). Fails as brume_image_output_check and
 * BrumeVideoFunctions.create do.
 */
BrumeStatus brume_image_output_open(BrumeImageOutput *output, const BrumeOutputPattern *pattern,
                                    const BrumeImageOutputDef *def, BrumeError *error);

/**
 * Completes a video of the pictures so far and gives it its final name. Without a picture, and after one that could not
 * be added, there is no video. Image files are complete already. BRUME_FAILED where the video cannot be written.
 */
BrumeStatus brume_image_output_finish(BrumeImageOutput *output, BrumeError *error);

/** Closes the output, and removes a video that is not complete. All zero is allowed. */
void brume_image_output_close(BrumeImageOutput *output);

#endif
