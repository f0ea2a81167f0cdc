/**
 * @file fast_math.h
 * Arithmetic of the renderer's inner loops: minimum and maximum, logarithm, sine and cosine, and trilinear
 * interpolation; the exponential is the one of core/elementary.h. Nothing here branches or reads a table, so loops over
 * these functions vectorize, and scalar and vector code give the same bits.
 */
#ifndef BRUME_RAYMARCH_FAST_MATH_H
#define BRUME_RAYMARCH_FAST_MATH_H

#include "core/elementary.h"
#include "core/parallel/simd.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define BRUME_PI 3.14159265358979f

/** The smaller of two, and `b` where `a` is NaN: one instruction, brume_fminf needs several. */
static inline float brume_min(float a, float b) { return a < b ? a : b; }

/** The larger of two, and `b` where `a` is NaN. */
static inline float brume_max(float a, float b) { return a > b ? a : b; }

/** `x` limited to [lower, upper]; `lower` where `x` is NaN. */
static inline float brume_clamp(float x, float lower, float upper) { return brume_min(brume_max(x, lower), upper); }

/** Cosine and sine of a full turn's fraction in [0, 1], with absolute errors below 2e-7: Taylor series in an eighth of
 * it. */
static inline void brume_fast_cos_sin(float turn, float *cosine, float *sine)
{
    const int32_t quarter = (int32_t)(4.0f * turn + 0.5f);
    const float x = (turn - 0.25f * (float)quarter) * (2.0f * BRUME_PI);
    const float xx = x * x;
    const float s = x * (1.0f + xx * (-1.0f / 6.0f + xx * (1.0f / 120.0f + xx * (-1.0f / 5040.0f + xx / 362880.0f))));
    const float c = 1.0f + xx * (-0.5f + xx * (1.0f / 24.0f + xx * (-1.0f / 720.0f + xx / 40320.0f)));
    const bool odd = (quarter & 1) != 0;
    const float along = odd ? s : c;
    const float across = odd ? c : s;
    *cosine = ((quarter + 1) & 2) != 0 ? -along : along;
    *sine = (quarter & 2) != 0 ? -across : across;
}

/** Replaces each of `count` values by brume_fast_exp(scale * value). */
void brume_fast_exp_row(float *row, float scale, ptrdiff_t count);

/**
 * Trilinear interpolation between the eight entries of a lattice cell whose lowest entry is `a`. `s1`, `s2`, `s3` are
 * the strides [entries] along three axes, `f1`, `f2`, `f3` in [0, 1] the offsets from the lowest entry along them. The
 * axes are interpolated in that order.
 */
static inline float brume_trilinear(const float *a, ptrdiff_t s1, ptrdiff_t s2, ptrdiff_t s3, float f1, float f2,
                                    float f3)
{
    const float *b = a + s3;
    const float a0 = a[0] + f1 * (a[s1] - a[0]);
    const float a1 = a[s2] + f1 * (a[s2 + s1] - a[s2]);
    const float b0 = b[0] + f1 * (b[s1] - b[0]);
    const float b1 = b[s2] + f1 * (b[s2 + s1] - b[s2]);
    const float near = a0 + f2 * (a1 - a0);
    const float far = b0 + f2 * (b1 - b0);
    return near + f3 * (far - near);
}

/** Loads four floats from any address. */
static inline BrumeFloat4 brume_load4(const float *a)
{
    BrumeFloat4 four;
    memcpy(&four, a, sizeof four);
    return four;
}

/** brume_trilinear for entries of four interleaved channels, with the same bits in each channel. */
static inline BrumeFloat4 brume_trilinear4(const float *a, ptrdiff_t s1, ptrdiff_t s2, ptrdiff_t s3, float f1, float f2,
                                           float f3)
{
    const float *b = a + s3;
    const BrumeFloat4 a0 = brume_load4(a) + f1 * (brume_load4(a + s1) - brume_load4(a));
    const BrumeFloat4 a1 = brume_load4(a + s2) + f1 * (brume_load4(a + s2 + s1) - brume_load4(a + s2));
    const BrumeFloat4 b0 = brume_load4(b) + f1 * (brume_load4(b + s1) - brume_load4(b));
    const BrumeFloat4 b1 = brume_load4(b + s2) + f1 * (brume_load4(b + s2 + s1) - brume_load4(b + s2));
    const BrumeFloat4 near = a0 + f2 * (a1 - a0);
    const BrumeFloat4 far = b0 + f2 * (b1 - b0);
    return near + f3 * (far - near);
}

#endif
