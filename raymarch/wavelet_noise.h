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
BrumeVec3 brume_wavelet_noise_near(const BrumeWaveletNoise *noise, BrumeVec3 point);

#endif
