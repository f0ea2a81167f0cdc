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

/** A BrumeSkyReader: linear RGB. */
BrumeStatus brume_read_picture(void *context, const char *path, int *width, int *height, float **rgb,
                               BrumeError *error);

#endif
