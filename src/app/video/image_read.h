/**
 * @file image_read.h
 * Reading of PNG images, of this program or another.
 */
#ifndef BRUME_APP_VIDEO_IMAGE_READ_H
#define BRUME_APP_VIDEO_IMAGE_READ_H

#include "core/error.h"

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

/** Frees an image. All zero is allowed. */
void brume_image_destroy(BrumeImage *image);

#endif
