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

/**
 * The noise at `count` points of a row, whose first coordinates are `x` and whose others are `across`: the same bits as
 * brume_lattice_noise, in a tenth of the time where many points lie in one spacing of the lattice.
 */
void brume_lattice_noise_row(const float *x, int count, const float across[3], const int period[4], uint32_t seed,
                             float *values);

#endif
