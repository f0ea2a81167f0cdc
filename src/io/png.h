/**
 * @file png.h
 * PNG encoding in memory.
 */
#ifndef BRUME_IO_PNG_H
#define BRUME_IO_PNG_H

#include "io/pixel_format.h"

#include <stddef.h>
#include <stdint.h>

/**
 * Encodes 8-bit RGB (height x width x 3, top row first) as PNG. Returns the `*size` bytes of the file, which the caller
 * frees with brume_free; NULL without memory. 4 x width x height must fit an int.
 */
uint8_t *brume_png_encode(const uint8_t *rgb, int width, int height, size_t *size);

/**
 * As brume_png_encode, for pixels of this format. (brume_pixel_bytes(format) + 1) x width x height must fit an int.
 */
uint8_t *brume_png_encode_pixels(const void *pixels, int width, int height, BrumePixelFormat format, size_t *size);

#endif
