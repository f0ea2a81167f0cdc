/**
 * @file image.h
 * Pictures as PNG files.
 */
#ifndef BRUME_IMAGE_H
#define BRUME_IMAGE_H

#include "brume/error.h"
#include "brume/export.h"

#include <stdint.h>

BRUME_BEGIN_DECLS

/**
 * Writes 8-bit sRGB (height x width x 3 bytes, top row first; see brume_tone_map) as a PNG file. The file is written
 * under a temporary name in the same folder, flushed and renamed, so that `path` is complete or unchanged. BRUME_FAILED
 * with the system's reason where memory or the file system fails, BRUME_BAD_INPUT where width or height is below 1 or
 * their product above 2^29; no file is left behind then. Any number of threads may write at the same time. Encoded by
 * stb_image_write.
 */
BRUME_API BrumeStatus brume_image_write(const char *path, int width, int height, const uint8_t *rgb, BrumeError *error);

BRUME_END_DECLS

#endif
