/**
 * @file image_sink.h
 * Where the pictures of a sequence are written: an image file for each, or all of them in one video.
 */
#ifndef BRUME_IO_IMAGE_SINK_H
#define BRUME_IO_IMAGE_SINK_H

#include "core/error.h"
#include "io/pixel_format.h"

#include <stdbool.h>

struct BrumeExrHeader;

/** A picture of a sequence. */
typedef struct BrumeSequencePicture {
    const void *pixels; ///< height x width, top row first; of a video brume_rgb8
    BrumePixelFormat format;
    int width, height;
    const struct BrumeExrHeader *exr; ///< of an EXR file; otherwise NULL
    const char *path;                 ///< of its file; a video, which has one file, does not use it
    const char *tile;                 ///< text of a PNG file that is a tile of a picture; otherwise NULL
} BrumeSequencePicture;

/** One kind of output. */
typedef struct BrumeImageSink {
    /** Writes the next picture, and returns when `pixels` is not needed any more. Called by one thread at a time. */
    BrumeStatus (*add)(void *context, const BrumeSequencePicture *picture, BrumeError *error);
    void *context; ///< passed to `add`
} BrumeImageSink;

/**
 * The sink that writes each picture to the image file at its path, as brume_image_write does. Without `overwrite`, a
 * file that exists is not replaced, but fails with BRUME_FAILED.
 */
BrumeImageSink brume_image_file_sink(bool overwrite);

#endif
