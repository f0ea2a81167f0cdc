/**
 * @file wavelet_noise.h
 * Noise of one octave without divergence: the curl of a vector potential of wavelet noise (Cook and DeRose 2005,
 * "Wavelet noise"; Bridson, Hourihan, Nordenstam 2007, "Curl-noise for procedural fluid flow").
 *
 * The noise has a lattice of spacing 1, a period of BRUME_NOISE_SIDE along each axis, and wavelengths from 2 to 4.
 */
#ifndef BRUME_RAYMARCH_WAVELET_NOISE_H
#define BRUME_RAYMARCH_WAVELET_NOISE_H

#include "brume/error.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"

#include <stddef.h>

enum { BRUME_NOISE_SIDE = 64, BRUME_NOISE_SAMPLES = 2 * BRUME_NOISE_SIDE };

/** The coefficients of the potential. */
typedef struct BrumeWaveletNoise {
    float *potential; ///< (side x side x side x 4), the fourth 0; NULL: none
    float scale;      ///< by which the curl has a root mean square length of 1
    float *samples; ///< (samples x samples x samples x 4): the noise, twice in each spacing of the lattice; NULL: none
} BrumeWaveletNoise;

/** Bytes that brume_wavelet_noise_create allocates. */
size_t brume_wavelet_noise_bytes(void);

/** Computes the noise, always with the same values. BRUME_FAILED without memory; `noise` has none then. */
BrumeStatus brume_wavelet_noise_create(BrumeWaveletNoise *noise, BrumeError *error);

void brume_wavelet_noise_destroy(BrumeWaveletNoise *noise);

/**
 * Adds samples of the noise: 32 MiB, for many points. brume_wavelet_noise_near interpolates them. BRUME_FAILED without
 * memory.
 */
BrumeStatus brume_wavelet_noise_sample(BrumeWaveletNoise *noise, BrumeError *error);

/** The noise at a point of the lattice, whose components are below 1e8 in size. */
BrumeVec3 brume_wavelet_noise_at(const BrumeWaveletNoise *noise, BrumeVec3 point);

/**
 * The noise at such a point, interpolated linearly between the samples and with a root mean square length of 1, in a
 * fraction of the time; without samples brume_wavelet_noise_at.
 */
BRUME_INLINE BrumeVec3 brume_wavelet_noise_near(const BrumeWaveletNoise *noise, BrumeVec3 point)
{
    if (noise->samples == NULL) {
        return brume_wavelet_noise_at(noise, point);
    }
    const float at[3] = {2.0f * point.x, 2.0f * point.y, 2.0f * point.z};
    ptrdiff_t lower[3];
    ptrdiff_t upper[3];
    float rest[3];
    ptrdiff_t stride = 4;
    for (int axis = 0; axis < 3; axis++, stride *= BRUME_NOISE_SAMPLES) {
        const int truncated = (int)at[axis];
        const int index = truncated - (at[axis] < (float)truncated);
        rest[axis] = at[axis] - (float)index;
        lower[axis] = stride * (index & (BRUME_NOISE_SAMPLES - 1));
        upper[axis] = stride * ((index + 1) & (BRUME_NOISE_SAMPLES - 1));
    }
    BrumeFloat4 planes[2];
    for (int plane = 0; plane < 2; plane++) {
        const float *a = noise->samples + (plane == 0 ? lower[2] : upper[2]);
        const BrumeFloat4 near_left = brume_load4(a + lower[1] + lower[0]);
        const BrumeFloat4 far_left = brume_load4(a + upper[1] + lower[0]);
        const BrumeFloat4 near = near_left + rest[0] * (brume_load4(a + lower[1] + upper[0]) - near_left);
        const BrumeFloat4 far = far_left + rest[0] * (brume_load4(a + upper[1] + upper[0]) - far_left);
        planes[plane] = near + rest[1] * (far - near);
    }
    const BrumeFloat4 value = planes[0] + rest[2] * (planes[1] - planes[0]);
    return brume_vec3(value[0], value[1], value[2]);
}

#endif
