/**
 * @file exr_read.h
 * Reading pictures of the OpenEXR format, by the program brume-files. Not part of the library; left out of a build
 * without OpenEXR.
 */
#ifndef BRUME_IO_EXR_READ_H
#define BRUME_IO_EXR_READ_H

#include "io/hdr_read.h"

#include <string.h>

/** Whether a file begins as one of this format. */
static inline bool brume_is_exr(const uint8_t *bytes, size_t size)
{
    static const uint8_t magic[4] = {0x76, 0x2f, 0x31, 0x01};
    return size >= sizeof magic && memcmp(bytes, magic, sizeof magic) == 0;
}

/**
 * Decodes a file: flat pixels of half, float or whole numbers, in scan lines or tiles, of the first part that has the
 * channels R, G and B, or Y with RY and BY, or Y alone, which may have fewer samples than pixels. The picture is as
 * large as the data window, in the primaries of ITU-R BT.709; an environment map that is a cube becomes one of
 * latitudes and longitudes. BRUME_BAD_INPUT, with one line that begins with `path`, where it is damaged or incomplete,
 * has other channels, or has deep pixels; BRUME_FAILED without memory, and where the program brume-files is missing or
 * fails. `image->rgb` is NULL then.
 */
BrumeStatus brume_exr_read(BrumeFloatImage *image, const uint8_t *bytes, size_t size, const char *path,
                           BrumeError *error);

#endif
