/**
 * @file fast_exp.h
 * exp for the inner loops: no branches and no table, so that loops over it become vectors. Same bits in scalar and in
 * vector code.
 */
#ifndef BRUME_RAYMARCH_CPU_FAST_EXP_H
#define BRUME_RAYMARCH_CPU_FAST_EXP_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/**
 * exp(x) for x <= 0, within 2e-7 of it relatively; exactly 1 at 0, and exp(-87) below -87. Range reduction to
 * |r| <= ln(2)/2 with ln(2) in two parts (Cody and Waite 1980), then the Taylor polynomial of degree 6.
 */
static inline float brume_fast_exp(float x)
{
    const float clamped = x > -87.0f ? x : -87.0f;
    const float shifted = clamped * 1.44269504f + 12582912.0f; // 1.5 * 2^23: the sum's last bits are the integer
    const float n = shifted - 12582912.0f;
    const float r = (clamped - n * 0.693359375f) - n * -2.12194440e-4f;
    const float p =
        1.0f + r * (1.0f + r * (0.5f + r * (1.66666667e-1f +
                                            r * (4.16666667e-2f + r * (8.33333333e-3f + r * 1.38888889e-3f)))));
    int32_t bits;
    memcpy(&bits, &p, sizeof bits);
    bits += (int32_t)n * (1 << 23);
    float result;
    memcpy(&result, &bits, sizeof result);
    return result;
}

/** Replaces each of `count` values by brume_fast_exp(scale * value). */
void brume_fast_exp_row(float *row, float scale, ptrdiff_t count);

#endif
