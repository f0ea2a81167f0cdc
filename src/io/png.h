/**
 * @file png.h
 * PNG encoding in memory.
 */
#ifndef BRUME_IO_PNG_H
#define BRUME_IO_PNG_H

#include "io/pixel_format.h"

#include <stdbool.h>
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

/**
 * Adds a text (a chunk tEXt before the pixels) to a file that these functions have encoded. Takes `png`, and returns
 * the new file of `*size` bytes, which the caller frees with brume_free; NULL without memory.
 */
uint8_t *brume_png_add_text(uint8_t *png, size_t *size, const char *key, const char *text);

/** Whether a file is a PNG whose chunks are complete, up to the last, with their checksums. */
bool brume_png_is_intact(const uint8_t *png, size_t size);

/** Copies the text of this key before the pixels of a PNG file to `text`. False where there is none or no room. */
bool brume_png_find_text(const uint8_t *png, size_t size, const char *key, char *text, size_t room);

#endif
