/**
 * @file denoise.h
 * Removes the noise of a picture of the path tracer, guided by a picture of the same scene without noise.
 */
#ifndef BRUME_RAYMARCH_PATH_DENOISE_H
#define BRUME_RAYMARCH_PATH_DENOISE_H

#include "brume/error.h"

#include <stddef.h>

enum {
    BRUME_DENOISE_CHANNELS = 4, ///< red, green, blue, alpha
    BRUME_DENOISE_FEATURES = 3,
    BRUME_DENOISE_REACH = 32, ///< a pixel depends on no other that is further away along x or y [pixels]
};

/** A picture with its guides: planes of height x width numbers. */
typedef struct BrumeDenoiseImage {
    int width, height;
    int left, top; ///< of the planes in the whole picture, on which the result does not depend otherwise
    int channels;  ///< 3 or 4
    float *picture[BRUME_DENOISE_CHANNELS]; ///< with noise; replaced by the result
    float *base[BRUME_DENOISE_CHANNELS];    ///< the same channels without noise, approximately
    float *variance[2]; ///< estimated variance of the noise: of the mean of the three colors, and of alpha
    /** Guides without noise: luminance of the base, transmittance, luminance of the surface behind the smoke. */
    float *feature[BRUME_DENOISE_FEATURES];
    float *surface; ///< number of the surface behind the smoke
    float *memory;
} BrumeDenoiseImage;

/** Allocates the planes of a picture. BRUME_FAILED without memory; nothing is allocated then. */
BrumeStatus brume_denoise_image_create(BrumeDenoiseImage *image, int width, int height, int channels,
                                       BrumeError *error);

/** Frees the planes. All zero is allowed. */
void brume_denoise_image_destroy(BrumeDenoiseImage *image);

/**
 * Removes the noise of `image->picture`. Parallel over rows; the same bits at any number of threads, and for every
 * rectangle of a picture that contains the pixels within BRUME_DENOISE_REACH. BRUME_FAILED without memory.
 */
BrumeStatus brume_denoise(BrumeDenoiseImage *image, BrumeError *error);

/** The bytes that the planes of a picture and brume_denoise allocate. */
size_t brume_denoise_bytes(int width, int height, int channels);

#endif
