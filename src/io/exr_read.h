/**
 * @file exr_read.h
 * Reading pictures of the OpenEXR format with OpenEXRCore. Not part of the library; left out of a build without
 * OpenEXR.
 */
#ifndef BRUME_IO_EXR_READ_H
#define BRUME_IO_EXR_READ_H

#include "io/hdr_read.h"

/** Whether a file begins as one of this format. */
bool brume_is_exr(const uint8_t *bytes, size_t size);

/**
 * Decodes the first part of a file: the channels R, G and B, or Y for all three, of half, float or whole numbers, as
 * large as its data window. BRUME_BAD_INPUT, with one line that begins with `path`, where it is damaged or incomplete,
 * has other channels, or consists of tiles or deep pixels; BRUME_FAILED without memory. `image->rgb` is NULL then.
 */
BrumeStatus brume_exr_read(BrumeFloatImage *image, const uint8_t *bytes, size_t size, const char *path,
                           BrumeError *error);

#endif
