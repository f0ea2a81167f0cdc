/**
 * @file spectral.h
 * Direct solves in a box of nothing but air, whose sides are walls, open or periodic: along each axis the 7-point
 * operator of pressure.h has known eigenvectors (axis.h), so transforms along two axes leave tridiagonal systems along
 * the third (Hockney, A fast direct solution of Poisson's equation using Fourier analysis, J. ACM 12, 1965); between
 * periodic sides a third transform leaves divisions. The work grows as N log N, or as N n where a length or a pair of
 * sides has no fast transform.
 *
 * Every line is transformed by the same operations whatever the team, so that bits do not depend on threads.
 */
#ifndef BRUME_SIM_SPECTRAL_SPECTRAL_H
#define BRUME_SIM_SPECTRAL_SPECTRAL_H

#include "core/error.h"
#include "core/field.h"
#include "sim/spectral/axis.h"

#include <math.h>
#include <stddef.h>

typedef struct BrumeSpectral BrumeSpectral;

/** Prepares a box with these ends along x, y and z. BRUME_FAILED without memory; `*spectral` is NULL then. */
BrumeStatus brume_spectral_create(BrumeSpectral **spectral, BrumeGrid grid, const BrumeEnds ends[3], BrumeError *error);

/** Frees it; NULL is fine. */
void brume_spectral_destroy(BrumeSpectral *spectral);

size_t brume_spectral_bytes(const BrumeSpectral *spectral);

/**
 * Solves A x = b; the two may be the same field. Ghosts are neither read nor written. Where A is singular, b must have
 * mean 0 up to rounding, and x is a solution of any mean.
 */
void brume_spectral_solve(const BrumeSpectral *spectral, BrumeField *x, const BrumeField *b);

/**
 * x becomes exp(-alpha A) x: what diffusion makes of it over a time t with alpha = D t / dx^2, exact in time (Stam, A
 * simple fluid solver based on the FFT, 2001). All sides must be periodic. Ghosts are neither read nor written.
 */
void brume_spectral_diffuse(const BrumeSpectral *spectral, BrumeField *x, float alpha);

#endif
