/**
 * @file reductions.h
 * Sums and maxima in a fixed order, so that their bits depend neither on the width of the machine's vectors nor on the
 * number of threads: a row is reduced in eight lanes, a field in one partial result per z-plane. In the sum of a plane
 * the rows of each block are added in order, then the blocks, so that a plane can be divided between blocks.
 */
#ifndef BRUME_CORE_PARALLEL_REDUCTIONS_H
#define BRUME_CORE_PARALLEL_REDUCTIONS_H

#include "core/parallel/simd.h"

/** The sum of eight lanes, added pairwise. */
static inline double brume_sum_lanes(const double lanes[BRUME_LANES])
{
    return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

/** Dot product of two rows of `count` floats, in double precision. */
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

/** The rows along y of a block: 1 to 64, 65 to 128 and so on. */
enum { BRUME_SUM_ROWS = 64 };

/** The sum of the rows of a z-plane; 0 at first. */
typedef struct BrumePlaneSum {
    double blocks; ///< of the blocks before the present one
    double rows;   ///< of the present block so far
} BrumePlaneSum;

/** Adds `count` sums to others, and sets them to 0. */
static inline void brume_move_sums(double *from, double *to, int count)
{
    for (int n = 0; n < count; n++) {
        to[n] += from[n];
        from[n] = 0.0;
    }
}

/** Where row j adds to the sum of a plane. Called once for each row, in ascending order. */
static inline double *brume_sum_of_block(BrumePlaneSum *sum, int j)
{
    if (j % BRUME_SUM_ROWS == 1) {
        brume_move_sums(&sum->rows, &sum->blocks, 1);
    }
    return &sum->rows;
}

/** The sum of all rows. */
static inline double brume_sum_of_plane(BrumePlaneSum sum) { return sum.blocks + sum.rows; }

/** The float with these bits. */
static inline float brume_float_of_bits(int32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/**
 * The bits of the largest |a[i]| of a row, at least `max`. Bits of absolute values are ordered as the values are; the
 * bits of a NaN exceed the bits of infinity, which exceed all others.
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

/** The same outside of kernels, by a kernel of its own. */
int32_t brume_largest_bits(const float *row, int count, int32_t max);

/** All bits of `count` values together: 0 if each is +0. */
static inline uint32_t brume_any_bits_row(const float *row, int count)
{
    uint32_t bits = 0;
    for (int n = 0; n < count; n++) {
        uint32_t own;
        memcpy(&own, row + n, sizeof own);
        bits |= own;
    }
    return bits;
}

/** The same outside of kernels, by a kernel of its own. */
uint32_t brume_any_bits(const float *row, int count);

#endif
