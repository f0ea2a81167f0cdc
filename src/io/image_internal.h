/**
 * @file image_internal.h
 * Writing a picture without replacing a file.
 */
#ifndef BRUME_IO_IMAGE_INTERNAL_H
#define BRUME_IO_IMAGE_INTERNAL_H

#include "brume/image.h"

/** As brume_image_write, but BRUME_FAILED where `path` exists (see brume_file_create). */
BrumeStatus brume_image_create(const char *path, int width, int height, const uint8_t *rgb, BrumeError *error);

#endif
