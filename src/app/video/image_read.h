/**
 * @file image_read.h
 * Reading of PNG images, of this program or another.
 */
#ifndef BRUME_APP_VIDEO_IMAGE_READ_H
#define BRUME_APP_VIDEO_IMAGE_READ_H

#include "core/error.h"

#include "io/pixel_format.h"

#include <stddef.h>
#include <stdint.h>

/** An image in memory; all zero for none. */
typedef struct BrumeImage {
    int width, height;
    uint8_t *rgb; ///< height x width x 3, top row first
} BrumeImage;

/**
 * Reads a PNG file of any kind as 8-bit RGB; transparency is ignored. BRUME_BAD_INPUT where there is no such file or it
 * is no whole PNG of at most 16384 x 16384 pixels, BRUME_FAILED where it cannot be read; `image` is all zero then.
 */
BrumeStatus brume_image_read(BrumeImage *image, const char *path, BrumeError *error);

/** An image with its own bits and channels. All zero: none. */
typedef struct BrumeRawImage {
    int width, height;
    BrumePixelFormat format;
    void *pixels;
} BrumeRawImage;

/** Decodes an RGB or RGBA PNG file of 8 or 16 bits; fails as brume_image_read does. `path` is for messages. */
BrumeStatus brume_raw_image_decode(BrumeRawImage *image, const uint8_t *bytes, size_t size, const char *path,
                                   BrumeError *error);

/** Frees an image. All zero is allowed. */
void brume_raw_image_destroy(BrumeRawImage *image);

/** Frees an image. All zero is allowed. */
void brume_image_destroy(BrumeImage *image);

#endif
