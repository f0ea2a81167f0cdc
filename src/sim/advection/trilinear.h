/**
 * @file trilinear.h
 * Trilinear interpolation at eight positions at a time: the building blocks of the fast trace and advection kernels.
 * The plain equivalent of this file is src/sim/reference/interpolation.c.
 *
 * A position is clamped to the sampling domain and split into the index of the entry below it and a weight along each
 * axis. Any number of fields at the same location are then interpolated with the same weights. The offsets and weights
 * of a row segment are computed first and stay in the L1 cache: offsets must pass through memory in any case to become
 * addresses. Where eight adjacent entries read eight adjacent entries, as is usual in a smooth flow, each row of
 * corners takes two vector loads; elsewhere, one 64-bit load per lane reads two corners that are adjacent along x
 * (simd.h). Either way the same values enter the same operations.
 */
#ifndef BRUME_SIM_ADVECTION_TRILINEAR_H
#define BRUME_SIM_ADVECTION_TRILINEAR_H

#include "core/parallel/simd.h"
#include "sim/advection/sampling.h"

#include <math.h>

/** The corners and weights for interpolation at the positions of a row segment. */
typedef struct BrumeTrilinearWeights {
    _Alignas(32) int32_t offset[BRUME_SEGMENT];    ///< of the corner with the lowest indices, in the field's data
    _Alignas(32) float weight[3][BRUME_SEGMENT];   ///< of the upper corners along x, y, z
    bool consecutive[BRUME_SEGMENT / BRUME_LANES]; ///< one per vector: whether its offsets are consecutive
} BrumeTrilinearWeights;

/** The values at the corners around eight positions: lower and upper along x, for the rows (y, z) = 00, 10, 01, 11. */
typedef struct BrumeCorners {
    BrumeFloat8 lower[4], upper[4];
} BrumeCorners;

/** The index coordinates along `axis` of eight adjacent entries of a row; the coordinate of the first is `first`. */
BRUME_INLINE void brume_coordinates8(BrumeFloat8 *to, int axis, int first)
{
    const BrumeInt8 along_row = {0, 1, 2, 3, 4, 5, 6, 7};
    const BrumeInt8 across_row = {0};
    const BrumeInt8 index = first + (axis == 0 ? along_row : across_row);
    *to = __builtin_convertvector(index, BrumeFloat8);
}

/**
 * Splits positions along an axis into the index of the entry below (`entry`) and the `weight` of the entry above.
 * Positions are clamped to the domain first unless they are known to be `interior`. `periodic` is the domain's, passed
 * separately so that it is a constant where kernels are compiled for either value.
 */
BRUME_INLINE void brume_split8(const BrumeSamplingDomain *domain, bool periodic, bool interior, int axis,
                               const BrumeFloat8 *unclamped, BrumeInt8 *entry, BrumeFloat8 *weight)
{
    BrumeFloat8 position = *unclamped;
    if (!interior) {
        BrumeFloat8 lowest;
        BrumeFloat8 highest;
        brume_broadcast8(&lowest, domain->lowest[axis]);
        brume_broadcast8(&highest, domain->highest[axis]);
        if (periodic && domain->period[axis] > 0.0f) {
            BrumeFloat8 periods = position - lowest;
            brume_scale8(&periods, domain->inverse_period[axis]);
            brume_floor8(&periods);
            brume_scale8(&periods, domain->period[axis]);
            position -= periods;
        }
        brume_max8(&position, &lowest);
        brume_min8(&position, &highest);
    }
    BrumeInt8 index = __builtin_convertvector(position, BrumeInt8);
    if (!interior) { // a position on the upper end of the last interval belongs to that interval
        index += index > domain->last[axis];
    }
    *entry = index;
    *weight = position - __builtin_convertvector(index, BrumeFloat8);
}

/** Stores the offsets of entries (x, y, z) for the positions n to n + 7 of a segment. */
BRUME_INLINE void brume_store_offsets8(BrumeTrilinearWeights *weights, int n, const BrumeSamplingDomain *domain,
                                       const BrumeInt8 *x, const BrumeInt8 *y, const BrumeInt8 *z)
{
    const BrumeInt8 offset = *x + (int32_t)domain->sy * *y + (int32_t)domain->sz * *z;
    brume_store_ints8(&weights->offset[n], &offset);
    weights->consecutive[n / BRUME_LANES] = brume_consecutive8(&offset);
}

/** Finds which vectors of a segment of `count` entries have consecutive offsets. */
BRUME_INLINE void brume_find_consecutive(BrumeTrilinearWeights *weights, int count)
{
    for (int n = 0; n < count; n += BRUME_LANES) {
        BrumeInt8 offset;
        brume_load_ints8(&offset, &weights->offset[brume_vector_start(n, count)]);
        weights->consecutive[n / BRUME_LANES] = brume_consecutive8(&offset);
    }
}

/** Loads the corners around the positions n to n + 7 of a segment from a field's data. */
BRUME_INLINE void brume_load_corners8(const BrumeSamplingDomain *domain, const float *data,
                                      const BrumeTrilinearWeights *weights, int n, BrumeCorners *corners)
{
    const float *rows[4] = {data, data + domain->sy, data + domain->sz, data + domain->sz + domain->sy};
    if (weights->consecutive[(n + BRUME_LANES - 1) / BRUME_LANES]) {
        // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): weights are filled in whole vectors
        const ptrdiff_t first = weights->offset[n];
        for (int row = 0; row < 4; row++) {
            brume_load8(&corners->lower[row], rows[row] + first);
            brume_load8(&corners->upper[row], rows[row] + first + 1);
        }
    } else {
        for (int row = 0; row < 4; row++) {
            brume_load_pairs(rows[row], &weights->offset[n], &corners->lower[row], &corners->upper[row]);
        }
    }
}

/** Interpolates a field at the positions n to n + 7 of a segment: along x, then y, then z. */
BRUME_INLINE void brume_interpolate8(const BrumeSamplingDomain *domain, const float *data,
                                     const BrumeTrilinearWeights *weights, int n, BrumeFloat8 *value)
{
    BrumeCorners c;
    BrumeFloat8 weight[3];
    brume_load8(&weight[0], &weights->weight[0][n]);
    brume_load8(&weight[1], &weights->weight[1][n]);
    brume_load8(&weight[2], &weights->weight[2][n]);
    brume_load_corners8(domain, data, weights, n, &c);
    for (int row = 0; row < 4; row++) {
        c.lower[row] += weight[0] * (c.upper[row] - c.lower[row]);
    }
    const BrumeFloat8 low = c.lower[0] + weight[1] * (c.lower[1] - c.lower[0]);
    const BrumeFloat8 high = c.lower[2] + weight[1] * (c.lower[3] - c.lower[2]);
    *value = low + weight[2] * (high - low);
}

// the smallest and largest of the values at (n, n + 1) in four rows, for eight n
BRUME_INLINE void range_of_consecutive(const float *const rows[4], float low[BRUME_LANES], float high[BRUME_LANES])
{
    const float *a = rows[0];
    const float *b = rows[1];
    const float *c = rows[2];
    const float *d = rows[3];
    for (int n = 0; n < BRUME_LANES; n++) {
        low[n] = brume_min_float(brume_min_float(brume_min_float(a[n], a[n + 1]), brume_min_float(b[n], b[n + 1])),
                                 brume_min_float(brume_min_float(c[n], c[n + 1]), brume_min_float(d[n], d[n + 1])));
        high[n] = brume_max_float(brume_max_float(brume_max_float(a[n], a[n + 1]), brume_max_float(b[n], b[n + 1])),
                                  brume_max_float(brume_max_float(c[n], c[n + 1]), brume_max_float(d[n], d[n + 1])));
    }
}

/**
 * The smallest and the largest of the eight corner values around the positions n to n + 7 of a segment. Operands are in
 * the same order in both branches, so that the sign of a zero does not depend on the branch.
 */
BRUME_INLINE void brume_range8(const BrumeSamplingDomain *domain, const float *data,
                               const BrumeTrilinearWeights *weights, int n, BrumeFloat8 *low, BrumeFloat8 *high)
{
    if (weights->consecutive[(n + BRUME_LANES - 1) / BRUME_LANES]) {
        // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): weights are filled in whole vectors
        const float *first = data + weights->offset[n];
        const float *const rows[4] = {first, first + domain->sy, first + domain->sz, first + domain->sz + domain->sy};
        float lows[BRUME_LANES];
        float highs[BRUME_LANES];
        range_of_consecutive(rows, lows, highs);
        brume_load8(low, lows);
        brume_load8(high, highs);
        return;
    }
    BrumeCorners c;
    brume_load_corners8(domain, data, weights, n, &c);
    for (int row = 0; row < 4; row++) {
        BrumeFloat8 larger = c.lower[row];
        brume_max8(&larger, &c.upper[row]);
        brume_min8(&c.lower[row], &c.upper[row]);
        c.upper[row] = larger;
    }
    brume_min8(&c.lower[0], &c.lower[1]);
    brume_min8(&c.lower[2], &c.lower[3]);
    brume_min8(&c.lower[0], &c.lower[2]);
    brume_max8(&c.upper[0], &c.upper[1]);
    brume_max8(&c.upper[2], &c.upper[3]);
    brume_max8(&c.upper[0], &c.upper[2]);
    *low = c.lower[0];
    *high = c.upper[0];
}

/** The displacements by which the entries of a quantity move to their departure (or arrival) points. */
typedef struct BrumeDepartureOffsets {
    const float *displacement[3]; ///< of the cell centres, along x, y, z [cells]
    ptrdiff_t lower;              ///< entries from the centre above a face to the one below; 0 for cell centres
} BrumeDepartureOffsets;

// Adds one axis to the offsets and weights of a segment; `at` is the index of its entries along the axis, of the first
// one for x. A plain loop, which compilers vectorise.
BRUME_INLINE void add_axis(int axis, const BrumeSamplingDomain *domain, bool periodic, bool interior,
                           const BrumeDepartureOffsets *departure, ptrdiff_t c, int at, int count,
                           int32_t *restrict offset, float *restrict weight, float *restrict half)
{
    const float *above = departure->displacement[axis] + c;
    const float *below = above - departure->lower;
    const float lowest = domain->lowest[axis];
    const float highest = domain->highest[axis];
    const float period = domain->period[axis];
    const float inverse_period = domain->inverse_period[axis];
    const int last = domain->last[axis];
    const int stride = axis == 0 ? 1 : axis == 1 ? (int)domain->sy : (int)domain->sz;
    for (int n = 0; n < count; n++) {
        const float unclamped = (float)(axis == 0 ? at + n : at) + 0.5f * (above[n] + below[n]);
        const float wrapped =
            periodic && !interior ? unclamped - period * floorf((unclamped - lowest) * inverse_period) : unclamped;
        const float position = interior ? unclamped : brume_min_float(brume_max_float(wrapped, lowest), highest);
        const int index = (int)position;
        const int entry = interior || index < last ? index : last;
        offset[n] = axis == 0 ? entry : offset[n] + stride * entry;
        if (weight) {
            weight[n] = position - (float)entry;
        }
        if (half && !interior) {
            half[n] = position == wrapped ? half[n] : 0.0f;
        }
    }
}

/**
 * Computes the weights at the departure points of the entries (i..i+count-1, j, k); c is the index of the first. A face
 * is displaced by the mean of the two adjacent centres. `interior` is brume_is_interior_row of the row. Without
 * `with_weights`, only the offsets are computed, which suffices for brume_range8. `half` (may be NULL) is set to 0
 * where a position was clamped to the domain.
 */
BRUME_INLINE void brume_find_weights(BrumeTrilinearWeights *weights, const BrumeSamplingDomain *domain, bool periodic,
                                     bool interior, bool with_weights, const BrumeDepartureOffsets *departure,
                                     ptrdiff_t c, int i, int j, int k, int count, float *half)
{
    int32_t *offset = weights->offset;
    add_axis(0, domain, periodic, false, departure, c, i, count, offset, with_weights ? weights->weight[0] : NULL,
             half);
    add_axis(1, domain, periodic, interior, departure, c, j, count, offset, with_weights ? weights->weight[1] : NULL,
             half);
    add_axis(2, domain, periodic, interior, departure, c, k, count, offset, with_weights ? weights->weight[2] : NULL,
             half);
    brume_find_consecutive(weights, count);
}

/** Whether no path of the step from row (j, k), or from an adjacent row, needs clamping along y or z. */
BRUME_INLINE bool brume_is_interior_row(const BrumeSamplingDomain *domain, int j, int k)
{
    return j >= domain->first_interior && j <= domain->last_interior[1] && k >= domain->first_interior &&
           k <= domain->last_interior[2];
}

#endif
