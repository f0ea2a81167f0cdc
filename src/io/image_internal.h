/**
 * @file image_internal.h
 * Writing pictures of any pixel format, with or without replacing a file.
 */
#ifndef BRUME_IO_IMAGE_INTERNAL_H
#define BRUME_IO_IMAGE_INTERNAL_H

#include "brume/image.h"
#include "io/pixel_format.h"

#include <stdbool.h>

/**
 * As brume_image_write, for pixels of this format. Without `replace`, BRUME_FAILED where `path` exists (see
 * brume_file_create). BRUME_BAD_INPUT where (brume_pixel_bytes(format) + 1) x width x height does not fit an int.
 */
BrumeStatus brume_image_write_pixels(const char *path, int width, int height, const void *pixels,
                                     BrumePixelFormat format, bool replace, BrumeError *error);

/** As brume_image_write_pixels, with the text `tile` of the key BRUME_TILE_KEY in the file unless it is NULL. */
BrumeStatus brume_image_write_tile(const char *path, int width, int height, const void *pixels, BrumePixelFormat format,
                                   const char *tile, bool replace, BrumeError *error);

#endif
