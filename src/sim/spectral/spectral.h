/**
 * @file spectral.h
 * Direct solves in a box without bodies, whose sides are walls, open or periodic. Along each axis the 7-point
 * operator of pressure.h has known eigenvectors (axis.h), so that transforms along two axes leave tridiagonal systems
 * along the third (Hockney, A fast direct solution of Poisson's equation using Fourier analysis, J. ACM 12, 1965);
 * between periodic sides a third transform leaves divisions. The work for N cells grows as N log N, or as N n where an
 * axis of n cells has no fast transform.
 *
 * sim/reference has no plain twin of these transforms with the same bits: a sum in the order of the definition rounds
 * differently from a fast transform. The plain solve, transforms by definition in double precision, is in
 * tests/pressure/test_pressure_spectral.c, and this one is equal to it up to rounding.
 *
 * Every line is transformed by the same operations on any thread and any rank, so that bits do not depend on their
 * numbers.
 */
#ifndef BRUME_SIM_SPECTRAL_SPECTRAL_H
#define BRUME_SIM_SPECTRAL_SPECTRAL_H

#include "core/error.h"
#include "core/field.h"
#include "sim/spectral/axis.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct BrumeSpectral BrumeSpectral;

/** Prepares solves in a box with these ends along x, y and z. BRUME_FAILED without memory; `*spectral` is NULL then. */
BrumeStatus brume_spectral_create(BrumeSpectral **spectral, BrumeGrid grid, const BrumeEnds ends[3], BrumeError *error);

/** Frees all memory; NULL is allowed. */
void brume_spectral_destroy(BrumeSpectral *spectral);

/** Bytes allocated. */
size_t brume_spectral_bytes(const BrumeSpectral *spectral);

/**
 * Solves A x = b; x and b may be the same field. Ghosts are neither read nor written. If A is singular, the mean of b
 * is ignored and x has mean 0 up to rounding. Planes of other ranks are undefined in both fields afterwards.
 */
void brume_spectral_solve(const BrumeSpectral *spectral, BrumeField *x, const BrumeField *b);

/**
 * x = exp(-alpha A) x: diffusion over a time t with alpha = D t / dx^2, exact in time (Stam, A simple fluid solver
 * based on the FFT, 2001). All sides must be periodic. Ghosts are neither read nor written. Planes of other ranks are
 * undefined afterwards.
 */
void brume_spectral_diffuse(const BrumeSpectral *spectral, BrumeField *x, float alpha);

#endif
