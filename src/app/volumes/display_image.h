/**
 * @file display_image.h
 * Decoding of PNG and JPEG pictures by stb_image.
 */
#ifndef BRUME_APP_VOLUMES_DISPLAY_IMAGE_H
#define BRUME_APP_VOLUMES_DISPLAY_IMAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The size that the header of a file claims; false where it has none. */
bool brume_display_image_size(const uint8_t *bytes, size_t size, int *width, int *height);

/**
 * The pixels (height x width x 3) of the bytes of a file, allocated with malloc. NULL, with the `*reason` as a text
 * that is not freed, where the file is damaged or a side is longer than 32768 pixels, and without memory.
 */
uint8_t *brume_decode_display_image(const uint8_t *bytes, size_t size, int *width, int *height, const char **reason);

#endif
