/**
 * @file trilinear_wide.h
 * Trilinear interpolation at sixteen positions at a time, for machines with vectors of sixteen floats. The operations
 * of an entry and their order are those of trilinear.h.
 *
 * The positions are the end points of sixteen adjacent entries of a row. In a smooth flow their displacements, rounded
 * down, differ by one cell at most, typically because a component changes sign. Then all corners lie in three rows of
 * three planes, and each row is loaded once: along x the corners of a lane are selected by a permutation, along y and z
 * by masks. This needs neither gathers nor branches that the processor cannot predict: the lowest entry of a vector
 * (`first`) is searched only where that of the last vector does not serve. Where displacements differ by more, or the
 * rows end outside the field, the kernels for eight lanes process the entries.
 */
#ifndef BRUME_SIM_ADVECTION_TRILINEAR_WIDE_H
#define BRUME_SIM_ADVECTION_TRILINEAR_WIDE_H

#include "core/parallel/simd_wide.h"
#include "sim/advection/sampling.h"
#include "sim/advection/trilinear.h"

enum { BRUME_WIDE_LANES = 16, BRUME_WIDE_VECTORS = BRUME_SEGMENT / BRUME_WIDE_LANES };

/** The positions of the vectors of a segment along an axis, split into entries and weights. */
typedef struct BrumeWideAxis {
    BrumeFloat16 weight[BRUME_WIDE_VECTORS]; ///< of the upper entries
    BrumeInt16 index[BRUME_WIDE_VECTORS];    ///< along x: of the lower entries, counted from `first`
    int32_t first[BRUME_WIDE_VECTORS];       ///< the lowest entry of any lane, or along x one or two less
    uint16_t next[BRUME_WIDE_VECTORS];       ///< along y and z: lanes whose lower entry is first + 1, not `first`
    uint16_t clamped[BRUME_WIDE_VECTORS];    ///< lanes that were clamped to the domain
    uint16_t far[BRUME_WIDE_VECTORS];        ///< lanes whose lower entry is too far from `first`
} BrumeWideAxis;

/** The values at the corners around sixteen positions, as in BrumeCorners. */
typedef struct BrumeWideCorners {
    BrumeFloat16 lower[4], upper[4];
} BrumeWideCorners;

/** The index coordinates along `axis` of sixteen adjacent entries of a row; the coordinate of the first is `first`. */
BRUME_WIDE_INLINE BrumeFloat16 brume_coordinates16(int axis, int first)
{
    const BrumeInt16 along_row = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const BrumeInt16 across_row = {0};
    return __builtin_convertvector(first + (axis == 0 ? along_row : across_row), BrumeFloat16);
}

/** Wraps and clamps positions as brume_clamp8; sets `clamped` to the lanes that are clamped. */
BRUME_WIDE_INLINE BrumeFloat16 brume_clamp16(const BrumeSamplingDomain *domain, bool periodic, int axis,
                                             BrumeFloat16 position, uint16_t *clamped)
{
    const BrumeFloat16 lowest = brume_broadcast16(domain->lowest[axis]);
    const BrumeFloat16 highest = brume_broadcast16(domain->highest[axis]);
    if (periodic && domain->period[axis] > 0.0f) {
        const BrumeFloat16 periods = brume_floor16((position - lowest) * domain->inverse_period[axis]);
        position -= periods * domain->period[axis];
    }
    const BrumeFloat16 inside = brume_min16(brume_max16(position, lowest), highest);
    *clamped = (uint16_t)~brume_equal16(inside, position);
    return inside;
}

/**
 * Splits the positions of vector `v`. Positions are clamped to the domain first unless they are known to be `interior`.
 * `origin` is the entry of the first lane along x, and 0 along other axes; `first` is passed on from vector to vector.
 */
BRUME_WIDE_INLINE void brume_split16(BrumeWideAxis *split, int v, const BrumeSamplingDomain *domain, bool periodic,
                                     bool interior, int axis, int origin, BrumeFloat16 position, int32_t *first)
{
    const BrumeInt16 zeros = {0};
    const BrumeInt16 lanes = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
    const BrumeInt16 most = zeros + (axis == 0 ? 2 : 1);
    split->clamped[v] = 0;
    if (!interior) {
        position = brume_clamp16(domain, periodic, axis, position, &split->clamped[v]);
    }
    BrumeInt16 entry = __builtin_convertvector(position, BrumeInt16);
    if (!interior) { // a position on the upper end of the last interval belongs to that interval
        entry = brume_min_ints16(entry, domain->last[axis] + zeros);
    }
    split->weight[v] = position - __builtin_convertvector(entry, BrumeFloat16);
    // a position that is not finite has the least integer as its entry: differences wrap
    const BrumeInt16 shift = axis == 0 ? brume_difference16(entry, lanes + origin) : entry;
    if (v == 0) { // such that positions up to half a cell away, along x a cell, are not too far
        *first = (int32_t)((uint32_t)shift[0] - (uint32_t)(axis == 0 || split->weight[0][0] < 0.5f));
    }
    BrumeInt16 difference = brume_difference16(shift, *first + zeros);
    split->far[v] = 0;
    if (brume_above16(difference, most)) {
        *first = brume_least_of16(shift);
        difference = brume_difference16(shift, *first + zeros);
        split->far[v] = (uint16_t)brume_above16(difference, most);
    }
    split->first[v] = (int32_t)((uint32_t)origin + (uint32_t)*first);
    if (axis == 0) {
        split->index[v] = brume_difference16(difference, -lanes);
    } else {
        split->next[v] = (uint16_t)~brume_zero16(difference);
    }
}

/** The offset in the field's data of the first entries of vector `v`; -1 if its corners cannot be loaded from there. */
BRUME_WIDE_INLINE ptrdiff_t brume_first_entry16(const BrumeSamplingDomain *domain, const BrumeWideAxis *x,
                                                const BrumeWideAxis *y, const BrumeWideAxis *z, int v)
{
    const ptrdiff_t first = x->first[v] + domain->sy * y->first[v] + domain->sz * z->first[v];
    const bool far = (x->far[v] | y->far[v] | z->far[v]) != 0;
    return far || first < 0 || first + 2 * (domain->sy + domain->sz) + 20 > domain->entries ? -1 : first;
}

/** Loads the corners around the positions of vector `v` from the first entry of a field that they read. */
BRUME_WIDE_INLINE void brume_load_corners16(const BrumeSamplingDomain *domain, const float *first,
                                            const BrumeWideAxis *x, const BrumeWideAxis *y, const BrumeWideAxis *z,
                                            int v, BrumeWideCorners *corners)
{
    const BrumeInt16 index = x->index[v];
    BrumeFloat16 lower[3][2];
    BrumeFloat16 upper[3][2];
    for (int plane = 0; plane < 3; plane++) {
        BrumeFloat16 low[3];
        BrumeFloat16 high[3];
        for (int row = 0; row < 3; row++) {
            brume_load_pairs16(first + domain->sy * row + domain->sz * plane, index, &low[row], &high[row]);
        }
        for (int row = 0; row < 2; row++) {
            lower[plane][row] = brume_select16(y->next[v], low[row], low[row + 1]);
            upper[plane][row] = brume_select16(y->next[v], high[row], high[row + 1]);
        }
    }
    for (int n = 0; n < 4; n++) {
        corners->lower[n] = brume_select16(z->next[v], lower[n / 2][n % 2], lower[n / 2 + 1][n % 2]);
        corners->upper[n] = brume_select16(z->next[v], upper[n / 2][n % 2], upper[n / 2 + 1][n % 2]);
    }
}

/** Requests sixteen entries at any address of a float, which lie in two cache lines, from the memory. */
BRUME_WIDE_INLINE void brume_prefetch16(const float *entries)
{
    __builtin_prefetch(entries);
    __builtin_prefetch(entries + BRUME_WIDE_LANES);
}

/**
 * Requests the entries that the next row is the first to read, where `first` is as for brume_load_corners16. The
 * kernels read more streams than the processor follows by itself, and of an active block only short parts of rows; the
 * instructions of a vector fill its reorder buffer, so that misses of different vectors do not overlap.
 */
BRUME_WIDE_INLINE void brume_prefetch_next_row16(const BrumeSamplingDomain *domain, const float *first)
{
    for (int plane = 0; plane < 3; plane++) { // the lower ones have been read in other rows of the planes below
        brume_prefetch16(first + domain->sz * plane + 3 * domain->sy);
    }
}

/** Interpolates a field at the positions of vector `v`: along x, then y, then z. `first`: as brume_load_corners16. */
BRUME_WIDE_INLINE BrumeFloat16 brume_interpolate16(const BrumeSamplingDomain *domain, const float *first,
                                                   const BrumeWideAxis *x, const BrumeWideAxis *y,
                                                   const BrumeWideAxis *z, int v)
{
    BrumeWideCorners c;
    brume_load_corners16(domain, first, x, y, z, v, &c);
    for (int row = 0; row < 4; row++) {
        c.lower[row] += x->weight[v] * (c.upper[row] - c.lower[row]);
    }
    const BrumeFloat16 low = c.lower[0] + y->weight[v] * (c.lower[1] - c.lower[0]);
    const BrumeFloat16 high = c.lower[2] + y->weight[v] * (c.lower[3] - c.lower[2]);
    return low + z->weight[v] * (high - low);
}

/** The smallest and the largest of the corner values around the positions of vector `v`, as brume_range8. */
BRUME_WIDE_INLINE void brume_range16(const BrumeSamplingDomain *domain, const float *first, const BrumeWideAxis *x,
                                     const BrumeWideAxis *y, const BrumeWideAxis *z, int v, BrumeFloat16 *low,
                                     BrumeFloat16 *high)
{
    BrumeWideCorners c;
    brume_load_corners16(domain, first, x, y, z, v, &c);
    for (int row = 0; row < 4; row++) {
        const BrumeFloat16 lower = c.lower[row];
        c.lower[row] = brume_min16(lower, c.upper[row]);
        c.upper[row] = brume_max16(lower, c.upper[row]);
    }
    *low = brume_min16(brume_min16(c.lower[0], c.lower[1]), brume_min16(c.lower[2], c.lower[3]));
    *high = brume_max16(brume_max16(c.upper[0], c.upper[1]), brume_max16(c.upper[2], c.upper[3]));
}

/** The first entry of the vector at entry `n` of `count`, which is at least 16 (as brume_vector_start). */
static inline int brume_wide_start(int n, int count)
{
    return n + BRUME_WIDE_LANES <= count ? n : count - BRUME_WIDE_LANES;
}

/**
 * Splits the end points of the entries of a segment along an axis. `start` is the first entry's index along the axis.
 * An entry is displaced by the mean of displacement[n] and displacement[n - lower] (BrumeDepartureOffsets).
 */
BRUME_WIDE_INLINE void brume_find_ends16(BrumeWideAxis *split, const BrumeSamplingDomain *domain, bool periodic,
                                         bool interior, int axis, int start, const float *displacement, ptrdiff_t lower,
                                         int count)
{
    int32_t first = 0;
    for (int n = 0; n < count; n += BRUME_WIDE_LANES) {
        const int at = brume_wide_start(n, count);
        const int origin = axis == 0 ? start + at : 0;
        brume_prefetch16(displacement + domain->sy + at);
        brume_prefetch16(displacement + domain->sy + at - lower);
        const BrumeFloat16 sum = brume_load16(displacement + at) + brume_load16(displacement + at - lower);
        const BrumeFloat16 position = brume_coordinates16(axis, axis == 0 ? origin : start) + 0.5f * sum;
        brume_split16(split, n / BRUME_WIDE_LANES, domain, periodic, interior, axis, origin, position, &first);
    }
}

#endif
