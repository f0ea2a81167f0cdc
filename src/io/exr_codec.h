/**
 * @file exr_codec.h
 * The contents of OpenEXR files, by OpenEXRCore. The library may crash on damaged files, and hang or crash where memory
 * runs out: the program brume-files alone calls these functions, one at a time.
 */
#ifndef BRUME_IO_EXR_CODEC_H
#define BRUME_IO_EXR_CODEC_H

#include "io/exr_read.h"
#include "io/exr_write.h"

/**
 * Decodes a file as brume_exr_read does; `image->rgb` is allocated with malloc.
 */
BrumeStatus brume_exr_decode(BrumeFloatImage *image, const uint8_t *bytes, size_t size, const char *path,
                             BrumeError *error);

/** Makes the bytes of the file that brume_exr_write writes, to be freed with brume_free. BRUME_FAILED without memory.
 */
BrumeStatus brume_exr_encode(uint8_t **bytes, size_t *size, const char *path, int width, int height,
                             const BrumeExrHeader *header, const void *planes, BrumeError *error);

#endif
