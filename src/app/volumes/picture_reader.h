/**
 * @file picture_reader.h
 * Pictures that scenes name, of the ground and as volumes: PNG and JPEG, whose numbers are sRGB, and the linear formats
 * of images of the sky.
 */
#ifndef BRUME_APP_VOLUMES_PICTURE_READER_H
#define BRUME_APP_VOLUMES_PICTURE_READER_H

#include "brume/scene.h"

#include <stdbool.h>

/** Whether the extension of a path is one of a picture. */
bool brume_is_picture_path(const char *path);

/** Decodes the contents of a picture: linear RGB (height x width x 3), to be freed with free. Fails as a
 * BrumeSkyReader, with the path before the text. */
BrumeStatus brume_decode_picture(const uint8_t *bytes, size_t size, const char *path, int *width, int *height,
                                 float **rgb, BrumeError *error);

/** A BrumeSkyReader: linear RGB. */
BrumeStatus brume_read_picture(void *context, const char *path, int *width, int *height, float **rgb,
                               BrumeError *error);

#endif
