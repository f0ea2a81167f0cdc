/**
 * @file picture_output.h
 * The form in which a run writes its pictures, from the scene and the extension of the output.
 */
#ifndef BRUME_APP_RENDER_PICTURE_OUTPUT_H
#define BRUME_APP_RENDER_PICTURE_OUTPUT_H

#include "app/cli/paths.h"
#include "brume/scene.h"
#include "core/error.h"
#include "io/pixel_format.h"

/** The form of the pictures of a run. */
typedef struct BrumePictureOutput {
    int width, height; ///< [pixels]
    BrumePixelFormat format;
} BrumePictureOutput;

/**
 * Finds the form of the pictures of a scene for this output. BRUME_BAD_INPUT where the output cannot have what the
 * scene asks for.
 */
BrumeStatus brume_picture_output_resolve(BrumePictureOutput *output, const BrumeScene *scene,
                                         const BrumeOutputPattern *pattern, BrumeError *error);

/** Lower and upper bounds of the size of an image file [bytes]. */
double brume_least_image_bytes(const BrumePictureOutput *output);
double brume_most_image_bytes(const BrumePictureOutput *output);

/**
 * Bytes of the buffers of a picture: the radiance, the sums of the path tracer, the pictures in the queue of the
 * writer, and what its encoder needs.
 */
size_t brume_picture_buffer_bytes(const BrumePictureOutput *output, const BrumeScene *scene);

#endif
