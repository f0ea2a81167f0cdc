/**
 * @file tridiagonal.h
 * Tridiagonal systems (x_n - x_{n-1}) + (x_n - x_{n+1}) + shift x_n = b_n: Poisson's equation along one axis, after
 * transforms along the two others.
 */
#ifndef BRUME_SIM_SPECTRAL_TRIDIAGONAL_H
#define BRUME_SIM_SPECTRAL_TRIDIAGONAL_H

#include <stddef.h>

/** Largest number of lines per call. */
enum { BRUME_TRIDIAGONAL_LINES = 64 };

/** Shared by all lines of a call. */
typedef struct BrumeTridiagonal {
    int length;
    float lower, upper; ///< ends: 0 at a wall, 1 at an open end, beyond which the value is 0
    float shift;        ///< added to the shift of every line; at least 0
    float scale;        ///< factor of b
} BrumeTridiagonal;

/**
 * Solves `count` adjacent lines, whose point n is at x + stride n, in place: x holds b before and the solution after.
 * `shifts` (count) are at least 0. For a line without a shift between walls, which is singular, the solution is the one
 * whose last value is 0. `work` holds (length + 1) x
 * BRUME_TRIDIAGONAL_LINES floats.
 */
void brume_tridiagonal_solve(const BrumeTridiagonal *system, float *x, ptrdiff_t stride, const float *shifts, int count,
                             float *work);

#endif
