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

/**
 * The corners and weights for interpolation at the positions of a row segment, in whole vectors: the values of the
 * vector that starts at entry brume_vector_start(n, count) of the segment are at n, for n = 0, 8, ...
 */
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
 * Wraps positions along an axis at a periodic side and clamps them to the domain. `inside` (may be NULL) is set to 0 in
 * the lanes that were clamped. `periodic` is the domain's, passed separately so that it is a constant where kernels are
 * compiled for either value.
 */
BRUME_INLINE void brume_clamp8(const BrumeSamplingDomain *domain, bool periodic, int axis, BrumeFloat8 *position,
                               BrumeInt8 *inside)
{
    BrumeFloat8 lowest;
    BrumeFloat8 highest;
    brume_broadcast8(&lowest, domain->lowest[axis]);
    brume_broadcast8(&highest, domain->highest[axis]);
    if (periodic && domain->period[axis] > 0.0f) {
        BrumeFloat8 periods = *position - lowest;
        brume_scale8(&periods, domain->inverse_period[axis]);
        brume_floor8(&periods);
        brume_scale8(&periods, domain->period[axis]);
        *position -= periods;
    }
    const BrumeFloat8 wrapped = *position;
    brume_max8(position, &lowest);
    brume_min8(position, &highest);
    if (inside) {
        *inside &= *position == wrapped;
    }
}

/** The entries below positions along an axis. */
BRUME_INLINE void brume_entries_below8(const BrumeSamplingDomain *domain, bool interior, int axis,
                                       const BrumeFloat8 *position, BrumeInt8 *entry)
{
    BrumeInt8 index = __builtin_convertvector(*position, BrumeInt8);
    if (!interior) { // a position on the upper end of the last interval belongs to that interval
        index += index > domain->last[axis];
    }
    *entry = index;
}

/**
 * Splits positions along an axis into the index of the entry below (`entry`) and the `weight` of the entry above.
 * Positions are clamped to the domain first unless they are known to be `interior`; `periodic` and `inside` are those
 * of brume_clamp8.
 */
BRUME_INLINE void brume_split8(const BrumeSamplingDomain *domain, bool periodic, bool interior, int axis,
                               const BrumeFloat8 *unclamped, BrumeInt8 *entry, BrumeFloat8 *weight, BrumeInt8 *inside)
{
    BrumeFloat8 position = *unclamped;
    if (!interior) {
        brume_clamp8(domain, periodic, axis, &position, inside);
    }
    brume_entries_below8(domain, interior, axis, &position, entry);
    *weight = position - __builtin_convertvector(*entry, BrumeFloat8);
}

/** Stores the offsets of entries (x, y, z) for the positions n to n + 7 of a segment. */
BRUME_INLINE void brume_store_offsets8(BrumeTrilinearWeights *weights, int n, const BrumeSamplingDomain *domain,
                                       const BrumeInt8 *x, const BrumeInt8 *y, const BrumeInt8 *z)
{
    const BrumeInt8 offset = *x + (int32_t)domain->sy * *y + (int32_t)domain->sz * *z;
    brume_store_ints8(&weights->offset[n], &offset);
    weights->consecutive[n / BRUME_LANES] = brume_consecutive8(&offset);
}

/** Loads the corners around the positions n to n + 7 of a segment from a field's data. */
BRUME_INLINE void brume_load_corners8(const BrumeSamplingDomain *domain, const float *data,
                                      const BrumeTrilinearWeights *weights, int n, BrumeCorners *corners)
{
    const float *rows[4] = {data, data + domain->sy, data + domain->sz, data + domain->sz + domain->sy};
    if (weights->consecutive[n / BRUME_LANES]) {
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
    if (weights->consecutive[n / BRUME_LANES]) {
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

/** The displacements by which the entries of a quantity move to their departure points. */
typedef struct BrumeDepartureOffsets {
    const float *displacement[3]; ///< of the cell centers, along x, y, z [cells]
    ptrdiff_t lower;              ///< entries from the center above a face to the one below; 0 for cell centers
} BrumeDepartureOffsets;

/**
 * The displacements from cell centers to the arrival points, in windows of two planes: for entries of plane k, plane 0
 * of a window has the centers of plane k - 1 and plane 1 the centers of plane k. Each thread has its own window.
 */
typedef struct BrumeArrivalOffsets {
    const float *window[3]; ///< of the first thread, along x, y, z [cells]
    ptrdiff_t per_thread;   ///< entries from the window of a thread to the window of the next one
} BrumeArrivalOffsets;

// the mean displacement along an axis of the two centers adjacent to each of eight faces, or of the centers themselves
BRUME_INLINE void backward8(const BrumeDepartureOffsets *departure, int axis, ptrdiff_t c, BrumeFloat8 *backward)
{
    const float *above = departure->displacement[axis] + c;
    BrumeFloat8 below;
    brume_load8(backward, above);
    brume_load8(&below, above - departure->lower);
    *backward = 0.5f * (*backward + below);
}

// adds the entries along an axis to the offsets of a vector of positions
BRUME_INLINE void add_offsets8(int32_t *offset, int axis, const BrumeSamplingDomain *domain, const BrumeInt8 *entry)
{
    const int32_t stride = axis == 1 ? (int32_t)domain->sy : (int32_t)domain->sz;
    BrumeInt8 sum = *entry;
    if (axis > 0) {
        brume_load_ints8(&sum, offset);
        sum += stride * *entry;
    }
    brume_store_ints8(offset, &sum);
}

/** Finds which vectors of a segment of `count` entries have consecutive offsets. */
BRUME_INLINE void brume_find_consecutive(BrumeTrilinearWeights *weights, int count)
{
    for (int n = 0; n < count; n += BRUME_LANES) {
        BrumeInt8 offset;
        brume_load_ints8(&offset, &weights->offset[n]);
        weights->consecutive[n / BRUME_LANES] = brume_consecutive8(&offset);
    }
}

// one axis of brume_find_departures, for entries of which the first one has the index `first` along the axis
BRUME_INLINE void departures_along(BrumeTrilinearWeights *weights, const BrumeSamplingDomain *domain, bool periodic,
                                   bool interior, const BrumeDepartureOffsets *departure, int axis, ptrdiff_t c,
                                   int first, int count)
{
    for (int n = 0; n < count; n += BRUME_LANES) {
        const int at = brume_vector_start(n, count);
        BrumeFloat8 position;
        BrumeFloat8 backward;
        BrumeFloat8 weight;
        BrumeInt8 entry;
        brume_coordinates8(&position, axis, axis == 0 ? first + at : first);
        backward8(departure, axis, c + at, &backward);
        position += backward;
        brume_split8(domain, periodic, interior, axis, &position, &entry, &weight, NULL);
        brume_store8(&weights->weight[axis][n], &weight);
        add_offsets8(&weights->offset[n], axis, domain, &entry);
    }
}

/**
 * Computes the weights at the departure points of the entries (i..i+count-1, j, k); c is the index of the first. A face
 * is displaced by the mean of the two adjacent centers. `interior` is brume_is_interior_row of the row.
 */
BRUME_INLINE void brume_find_departures(BrumeTrilinearWeights *weights, const BrumeSamplingDomain *domain,
                                        bool periodic, bool interior, const BrumeDepartureOffsets *departure,
                                        ptrdiff_t c, int i, int j, int k, int count)
{
    departures_along(weights, domain, periodic, false, departure, 0, c, i, count);
    departures_along(weights, domain, periodic, interior, departure, 1, c, j, count);
    departures_along(weights, domain, periodic, interior, departure, 2, c, k, count);
    brume_find_consecutive(weights, count);
}

// one axis of brume_find_arrivals; w is the index of the first entry in the window at `window`
BRUME_INLINE void arrivals_along(BrumeTrilinearWeights *departures, BrumeTrilinearWeights *arrivals,
                                 const BrumeSamplingDomain *domain, bool periodic, bool interior,
                                 const BrumeDepartureOffsets *departure, const float *window, ptrdiff_t w, int axis,
                                 ptrdiff_t c, int first, int count, float *half)
{
    for (int n = 0; n < count; n += BRUME_LANES) {
        const int at = brume_vector_start(n, count);
        BrumeFloat8 start;
        BrumeFloat8 backward;
        BrumeFloat8 forward;
        BrumeFloat8 below;
        BrumeFloat8 weight;
        BrumeInt8 entry;
        brume_coordinates8(&start, axis, axis == 0 ? first + at : first);
        backward8(departure, axis, c + at, &backward);
        brume_load8(&forward, window + w + at);
        brume_load8(&below, window + w + at - departure->lower);
        forward = 0.5f * (forward + below);
        BrumeFloat8 position = start + backward;
        if (!interior) {
            brume_clamp8(domain, periodic, axis, &position, NULL);
        }
        brume_entries_below8(domain, interior, axis, &position, &entry);
        add_offsets8(&departures->offset[n], axis, domain, &entry);
        position = start + forward;
        if (interior) {
            brume_split8(domain, periodic, true, axis, &position, &entry, &weight, NULL);
        } else {
            BrumeFloat8 masked;
            brume_load8(&masked, &half[n]);
            BrumeInt8 inside = (BrumeInt8)masked;
            brume_split8(domain, periodic, false, axis, &position, &entry, &weight, &inside);
            masked = (BrumeFloat8)inside;
            brume_store8(&half[n], &masked);
        }
        brume_store8(&arrivals->weight[axis][n], &weight);
        add_offsets8(&arrivals->offset[n], axis, domain, &entry);
    }
}

/**
 * Computes the offsets at the departure points of the same entries, which suffice for brume_range8, and the weights at
 * their arrival points, with w the index of the first entry in the windows. `half` is set to 0 where an arrival point
 * was clamped to the domain, and elsewhere to 1/2.
 */
BRUME_INLINE void brume_find_arrivals(BrumeTrilinearWeights *departures, BrumeTrilinearWeights *arrivals,
                                      const BrumeSamplingDomain *domain, bool periodic, bool interior,
                                      const BrumeDepartureOffsets *departure, const BrumeArrivalOffsets *arrival,
                                      ptrdiff_t w, ptrdiff_t c, int i, int j, int k, int count, float *half)
{
    for (int n = 0; n < BRUME_SEGMENT; n++) {
        half[n] = 0.5f;
    }
    const float *const *window = arrival->window;
    arrivals_along(departures, arrivals, domain, periodic, false, departure, window[0], w, 0, c, i, count, half);
    arrivals_along(departures, arrivals, domain, periodic, interior, departure, window[1], w, 1, c, j, count, half);
    arrivals_along(departures, arrivals, domain, periodic, interior, departure, window[2], w, 2, c, k, count, half);
    brume_find_consecutive(departures, count);
    brume_find_consecutive(arrivals, count);
}

/** Whether no path of the step from row (j, k), or from an adjacent row, needs clamping along y or z. */
BRUME_INLINE bool brume_is_interior_row(const BrumeSamplingDomain *domain, int j, int k)
{
    return j >= domain->first_interior && j <= domain->last_interior[1] && k >= domain->first_interior &&
           k <= domain->last_interior[2];
}

#endif
