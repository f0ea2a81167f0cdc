/**
 * @file exr_environment.h
 * Environment maps of OpenEXR files that are the six faces of a cube.
 */
#ifndef BRUME_IO_EXR_ENVIRONMENT_H
#define BRUME_IO_EXR_ENVIRONMENT_H

#include "io/hdr_read.h"

/**
 * Replaces the picture of six square faces, one below the other, by the latitude-longitude map of the same directions,
 * four faces wide and two high (Technical Introduction to OpenEXR, "Environment Maps"). BRUME_BAD_INPUT where it is not
 * six times as high as wide; BRUME_FAILED without memory. The picture is unchanged then.
 */
BrumeStatus brume_unfold_cube(BrumeFloatImage *image, const char *path, BrumeError *error);

#endif
