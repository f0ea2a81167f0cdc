/**
 * @file ground_reader.h
 * Images of the ground: PNG and JPEG, whose numbers are sRGB, and the linear formats of images of the sky.
 */
#ifndef BRUME_APP_VOLUMES_GROUND_READER_H
#define BRUME_APP_VOLUMES_GROUND_READER_H

#include "brume/scene.h"

/** A BrumeSkyReader for BrumeSceneReaders.ground_image. */
BrumeStatus brume_read_ground_image(void *context, const char *path, int *width, int *height, float **albedo,
                                    BrumeError *error);

#endif
