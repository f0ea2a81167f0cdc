/**
 * @file tridiagonal.h
 * Lines of the system (x_n - x_{n-1}) + (x_n - x_{n+1}) + shift x_n = b_n, which is what is left of Poisson's equation
 * along one axis when the two others have been transformed.
 */
#ifndef BRUME_SIM_SPECTRAL_TRIDIAGONAL_H
#define BRUME_SIM_SPECTRAL_TRIDIAGONAL_H

#include <stddef.h>

/** Most lines of a call. */
enum { BRUME_TRIDIAGONAL_LINES = 64 };

/** What all lines of a call share. */
typedef struct BrumeTridiagonal {
    int length;
    float lower, upper; ///< ends: 0 at a wall, 1 where the value beyond an open end is 0
    float shift;        ///< at least 0; added to the shift of every line
    float scale;        ///< b is multiplied by it first
} BrumeTridiagonal;

/**
 * Solves `count` lines, which lie side by side at x + stride n, in place: b in, x out. `shifts` (count) are at least 0.
 * A line without shift between walls has the solution whose last value is 0. `work` holds (length + 1) x
 * BRUME_TRIDIAGONAL_LINES floats.
 */
void brume_tridiagonal_solve(const BrumeTridiagonal *system, float *x, ptrdiff_t stride, const float *shifts, int count,
                             float *work);

#endif
