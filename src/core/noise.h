/**
 * @file noise.h
 * Value noise: random values on a lattice of four dimensions, interpolated smoothly.
 */
#ifndef BRUME_CORE_NOISE_H
#define BRUME_CORE_NOISE_H

#include <stdint.h>

/**
 * The noise at a point whose coordinates are in spacings of the lattice: hashed values at the lattice points,
 * interpolated by smoothsteps, in [0, 1). `period` is the number of spacings after which the noise repeats along each
 * axis, 0 for none; NULL for none at all.
 */
float brume_lattice_noise(const float at[4], const int period[4], uint32_t seed);

#endif
