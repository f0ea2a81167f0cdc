/**
 * @file hdr_read.h
 * Reading pictures of the Radiance format (.hdr): a header of lines, then pixels of a byte for each color and a common
 * exponent (Ward, "Real Pixels", Graphics Gems II, 1991; https://radsite.lbl.gov/radiance/refer/filefmts.pdf).
 */
#ifndef BRUME_IO_HDR_READ_H
#define BRUME_IO_HDR_READ_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BRUME_MAX_IMAGE_SIDE = 32768 };

/** A picture of linear RGB. */
typedef struct BrumeFloatImage {
    int width, height;
    float *rgb; ///< (height x width x 3), top row first; allocated with malloc
} BrumeFloatImage;

/**
 * Allocates the pixels of a picture of this size. BRUME_BAD_INPUT where a side is out of range, BRUME_FAILED where it
 * does not fit into the memory that is available; `path` is for the message.
 */
BrumeStatus brume_float_image_create(BrumeFloatImage *image, long width, long height, const char *path,
                                     BrumeError *error);

/** Whether a file begins as one of this format. */
bool brume_is_hdr(const uint8_t *bytes, size_t size);

/**
 * Decodes the bytes of a file. BRUME_BAD_INPUT, with one line that begins with `path`, where it is damaged or
 * incomplete or has no top row first; BRUME_FAILED without memory. `image->rgb` is NULL then.
 */
BrumeStatus brume_hdr_read(BrumeFloatImage *image, const uint8_t *bytes, size_t size, const char *path,
                           BrumeError *error);

#endif
