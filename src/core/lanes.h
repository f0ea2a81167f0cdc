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

/** The largest |a[i]|, at least 0; NaNs are passed over. */
static inline float brume_max_abs_row(const float *a, int count)
{
    BrumeFloat8 max = {0.0f};
    int i = 0;
    for (; i + BRUME_LANES <= count; i += BRUME_LANES) {
        BrumeFloat8 size;
        brume_load8(&size, a + i);
        brume_abs8(&size);
        brume_greater8(&size, &max);
        max = size;
    }
    float largest = 0.0f;
    for (int lane = 0; lane < BRUME_LANES; lane++) {
        largest = max[lane] > largest ? max[lane] : largest;
    }
    for (; i < count; i++) {
        const float size = a[i] < 0.0f ? -a[i] : a[i];
        largest = size > largest ? size : largest;
    }
    return largest;
}

/** Whether every a[i] is finite: the sum of a[i] * 0 is 0 then, NaN otherwise. */
static inline int brume_finite_row(const float *a, int count)
{
    float lanes[BRUME_LANES] = {0.0f};
    int i = 0;
    for (; i + BRUME_LANES <= count; i += BRUME_LANES) {
        for (int lane = 0; lane < BRUME_LANES; lane++) {
            lanes[lane] += a[i + lane] * 0.0f;
        }
    }
    for (int lane = 0; i < count; i++, lane++) {
        lanes[lane] += a[i] * 0.0f;
    }
    float sum = 0.0f;
    for (int lane = 0; lane < BRUME_LANES; lane++) {
        sum += lanes[lane];
    }
    return sum == 0.0f;
}

#endif
