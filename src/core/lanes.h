/**
 * @file lanes.h
 * Sums and maxima along a row in eight lanes of fixed order: vectors of any width give the same bits.
 */
#ifndef BRUME_CORE_LANES_H
#define BRUME_CORE_LANES_H

#include "core/simd.h"

enum { BRUME_LANES = 8 };

/** The sum of the lanes, pairwise. */
static inline double brume_sum_lanes(const double lanes[BRUME_LANES])
{
    return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

/** Dot product of two rows of floats, in double. */
static inline double brume_dot_row(const float *a, const float *b, int count)
{
    double lanes[BRUME_LANES] = {0.0};
    int i = 0;
    for (; i + BRUME_LANES <= count; i += BRUME_LANES) {
        for (int lane = 0; lane < BRUME_LANES; lane++) {
            lanes[lane] += (double)a[i + lane] * (double)b[i + lane];
        }
    }
    for (int lane = 0; i < count; i++, lane++) {
        lanes[lane] += (double)a[i] * (double)b[i];
    }
    return brume_sum_lanes(lanes);
}

/** The float of these bits. */
static inline float brume_float_of_bits(int32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/**
 * The bits of the largest |a[i]|, at least `max`, which are ordered as the sizes are; those of NaN exceed those of
 * infinity, which exceed all others.
 */
static inline int32_t brume_max_bits_row(const float *a, int count, int32_t max)
{
    for (int i = 0; i < count; i++) {
        int32_t bits;
        memcpy(&bits, a + i, sizeof bits);
        bits &= INT32_MAX;
        max = bits > max ? bits : max;
    }
    return max;
}

#endif
