/**
 * @file sky_reader.h
 * Reading the images of skies that scenes name.
 */
#ifndef BRUME_APP_VOLUMES_SKY_READER_H
#define BRUME_APP_VOLUMES_SKY_READER_H

#include "brume/scene.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Whether a file starts like a format of sky images, also one that this build does not read. */
bool brume_is_sky_image(const uint8_t *bytes, size_t size);

/**
 * Decodes a picture (height x width x 3) of the Radiance format (.hdr) or, where it is built in, of OpenEXR (.exr),
 * allocated with malloc. Fails as a BrumeSkyReader does; all three results are 0 then.
 */
BrumeStatus brume_decode_linear_image(const uint8_t *bytes, size_t size, const char *path, int *width, int *height,
                                      float **values, BrumeError *error);

/** A BrumeSkyReader for files of the Radiance format (.hdr) and, where it is built in, of OpenEXR (.exr). */
BrumeStatus brume_read_sky(void *context, const char *path, int *width, int *height, float **radiance,
                           BrumeError *error);

#endif
