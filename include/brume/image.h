/**
 * @file image.h
 * Pictures to files, whole or not at all.
 */
#ifndef BRUME_IMAGE_H
#define BRUME_IMAGE_H

#include "brume/error.h"
#include "brume/export.h"

#include <stdint.h>

BRUME_BEGIN_DECLS

/**
 * Writes 8-bit RGB (height x width x 3, top row first) as PNG: encoded in memory (stb_image_write), written beside
 * `path`, flushed, renamed. BRUME_FAILED, and no file, where the disk says no.
 */
BRUME_API BrumeStatus brume_image_write(const char *path, int width, int height, const uint8_t *rgb, BrumeError *error);

BRUME_END_DECLS

#endif
