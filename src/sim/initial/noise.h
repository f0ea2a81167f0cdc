/**
 * @file noise.h
 * Smooth random initial fields.
 */
#ifndef BRUME_SIM_INITIAL_NOISE_H
#define BRUME_SIM_INITIAL_NOISE_H

#include "brume/initial.h"
#include "sim/initial/point.h"

/**
 * The noise of the emitters at time 0, mapped to [-1, 1): two octaves, the first with wavelength `scale`, which is
 * rounded along periodic axes so that a whole number of wavelengths fits. Uses the seeds `seed` and `seed` + 1.
 */
double brume_initial_noise(const BrumeInitialDef *def, const BrumeInitialBox *box, const BrumeInitialPoint *point,
                           uint32_t seed);

/** The same at `count` points of a row along x, at `fractions` of the box along x and `across` along y and z. */
void brume_initial_noise_row(const BrumeInitialDef *def, const BrumeInitialBox *box, const double *fractions, int count,
                             const double across[2], uint32_t seed, double *values);

/** The factor exp(-(distance / spread)^2) of noise around its center; 1 everywhere where `spread` is 0. */
double brume_initial_decay(const BrumeInitialDef *def, const BrumeInitialBox *box, const BrumeInitialPoint *point);

#endif
