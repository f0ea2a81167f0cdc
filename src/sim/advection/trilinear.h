/**
 * @file trilinear.h
 * Reading fields between their entries, eight positions at a time: the parts from which the kernels of the trace and of
 * the advection schemes are put together. A position is held in the box and split into the entry below it and shares
 * along the axes; then any number of fields that sit at the same place are read there. The offsets and shares of a
 * piece of a row are found first and wait in L1, as offsets must go through memory to become addresses anyway.
 * Neighbours whose air came from neighbours, as most does, are read together: two loads a row for eight of them. Where
 * they part, two neighbours along x come by one load each (simd.h).
 */
#ifndef BRUME_SIM_ADVECTION_TRILINEAR_H
#define BRUME_SIM_ADVECTION_TRILINEAR_H

#include "core/simd.h"
#include "sim/advection/sampling.h"

#include <math.h>

/** Trilinear weights of the positions of a piece of a row, of which each kernel keeps what it needs at a time. */
typedef struct BrumeStencil {
    _Alignas(32) int32_t base[BRUME_STRETCH];   ///< offset of the lower corner
    _Alignas(32) float share[3][BRUME_STRETCH]; ///< share of the upper neighbour along x, y, z
    bool together[BRUME_STRETCH / BRUME_LANES]; ///< whether eight neighbours read neighbours
} BrumeStencil;

/** The values at the eight corners around each position: lower and upper along x in rows (y, z) = 00, 10, 01, 11. */
typedef struct BrumeCorners {
    BrumeFloat8 lower[4], upper[4];
} BrumeCorners;

/** Index coordinates of an entry and the seven after it in its row, along an axis. */
BRUME_INLINE void brume_ramp8(BrumeFloat8 *to, int axis, int first)
{
    const BrumeInt8 along = {0, 1, 2, 3, 4, 5, 6, 7};
    const BrumeInt8 across = {0};
    const BrumeInt8 index = first + (axis == 0 ? along : across);
    *to = __builtin_convertvector(index, BrumeFloat8);
}

/**
 * Splits positions along an axis into the `entry` below and the `share` above it. Unless they are known to be `inside`
 * the box, they are held within it first. `wraps` is the place's, told apart so that kernels can be compiled for
 * either.
 */
BRUME_INLINE void brume_split8(const BrumePlace *place, bool wraps, bool inside, int axis, const BrumeFloat8 *wanted,
                               BrumeInt8 *entry, BrumeFloat8 *share)
{
    BrumeFloat8 position = *wanted;
    if (!inside) {
        BrumeFloat8 from;
        BrumeFloat8 to;
        brume_fill8(&from, place->from[axis]);
        brume_fill8(&to, place->to[axis]);
        if (wraps && place->period[axis] > 0.0f) {
            BrumeFloat8 turns = position - from;
            brume_scale8(&turns, place->per_period[axis]);
            brume_floor8(&turns);
            brume_scale8(&turns, place->period[axis]);
            position -= turns;
        }
        brume_greater8(&position, &from);
        brume_lesser8(&position, &to);
    }
    BrumeInt8 whole = __builtin_convertvector(position, BrumeInt8);
    if (!inside) { // the one position at the end of the last pair belongs to it
        whole += whole > place->last[axis];
    }
    *entry = whole;
    *share = position - __builtin_convertvector(whole, BrumeFloat8);
}

/** The offsets of entries (x, y, z), as the stencil's n to n + 7. */
BRUME_INLINE void brume_offsets8(BrumeStencil *stencil, int n, const BrumePlace *place, const BrumeInt8 *x,
                                 const BrumeInt8 *y, const BrumeInt8 *z)
{
    const BrumeInt8 offset = *x + (int32_t)place->sy * *y + (int32_t)place->sz * *z;
    brume_store_ints8(&stencil->base[n], &offset);
    stencil->together[n / BRUME_LANES] = brume_consecutive8(&offset);
}

/** Finds which eights of a piece of `count` entries read neighbors. */
BRUME_INLINE void brume_find_together(BrumeStencil *stencil, int count)
{
    for (int n = 0; n < count; n += BRUME_LANES) {
        BrumeInt8 base;
        brume_load_ints8(&base, &stencil->base[brume_eight_at(n, count)]);
        stencil->together[n / BRUME_LANES] = brume_consecutive8(&base);
    }
}

/** Reads the corners of the stencil's positions n to n + 7 from a field's data. */
BRUME_INLINE void brume_corners8(const BrumePlace *place, const float *data, const BrumeStencil *stencil, int n,
                                 BrumeCorners *corners)
{
    const float *rows[4] = {data, data + place->sy, data + place->sz, data + place->sz + place->sy};
    if (stencil->together[(n + BRUME_LANES - 1) / BRUME_LANES]) {
        // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Assign): stencils are made in whole eights
        const ptrdiff_t first = stencil->base[n];
        for (int row = 0; row < 4; row++) {
            brume_load8(&corners->lower[row], rows[row] + first);
            brume_load8(&corners->upper[row], rows[row] + first + 1);
        }
    } else {
        for (int row = 0; row < 4; row++) {
            brume_load_pairs(rows[row], &stencil->base[n], &corners->lower[row], &corners->upper[row]);
        }
    }
}

/** The trilinear values at the stencil's positions n to n + 7. */
BRUME_INLINE void brume_sample8(const BrumePlace *place, const float *data, const BrumeStencil *stencil, int n,
                                BrumeFloat8 *value)
{
    BrumeCorners c;
    BrumeFloat8 share[3];
    brume_load8(&share[0], &stencil->share[0][n]);
    brume_load8(&share[1], &stencil->share[1][n]);
    brume_load8(&share[2], &stencil->share[2][n]);
    brume_corners8(place, data, stencil, n, &c);
    for (int row = 0; row < 4; row++) {
        c.lower[row] += share[0] * (c.upper[row] - c.lower[row]);
    }
    const BrumeFloat8 low = c.lower[0] + share[1] * (c.lower[1] - c.lower[0]);
    const BrumeFloat8 high = c.lower[2] + share[1] * (c.lower[3] - c.lower[2]);
    *value = low + share[2] * (high - low);
}

// the smallest and largest of the values at (n, n + 1) in four rows, for eight n
BRUME_INLINE void range_together(const float *const rows[4], float low[BRUME_LANES], float high[BRUME_LANES])
{
    const float *a = rows[0];
    const float *b = rows[1];
    const float *c = rows[2];
    const float *d = rows[3];
    for (int n = 0; n < BRUME_LANES; n++) {
        low[n] = brume_lesser(brume_lesser(brume_lesser(a[n], a[n + 1]), brume_lesser(b[n], b[n + 1])),
                              brume_lesser(brume_lesser(c[n], c[n + 1]), brume_lesser(d[n], d[n + 1])));
        high[n] = brume_greater(brume_greater(brume_greater(a[n], a[n + 1]), brume_greater(b[n], b[n + 1])),
                                brume_greater(brume_greater(c[n], c[n + 1]), brume_greater(d[n], d[n + 1])));
    }
}

/** The smallest and largest of the eight values that each of those positions reads. */
BRUME_INLINE void brume_range8(const BrumePlace *place, const float *data, const BrumeStencil *stencil, int n,
                               BrumeFloat8 *low, BrumeFloat8 *high)
{
    if (stencil->together[(n + BRUME_LANES - 1) / BRUME_LANES]) {
        // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): stencils are made in whole eights
        const float *first = data + stencil->base[n];
        const float *const rows[4] = {first, first + place->sy, first + place->sz, first + place->sz + place->sy};
        float lows[BRUME_LANES];
        float highs[BRUME_LANES];
        range_together(rows, lows, highs);
        brume_load8(low, lows);
        brume_load8(high, highs);
        return;
    }
    BrumeCorners c;
    brume_corners8(place, data, stencil, n, &c);
    for (int row = 0; row < 4; row++) {
        const BrumeFloat8 lower = c.lower[row];
        brume_lesser8(&c.lower[row], &c.upper[row]);
        brume_greater8(&c.upper[row], &lower);
    }
    brume_lesser8(&c.lower[0], &c.lower[1]);
    brume_lesser8(&c.lower[2], &c.lower[3]);
    brume_lesser8(&c.lower[0], &c.lower[2]);
    brume_greater8(&c.upper[0], &c.upper[1]);
    brume_greater8(&c.upper[2], &c.upper[3]);
    brume_greater8(&c.upper[0], &c.upper[2]);
    *low = c.lower[0];
    *high = c.upper[0];
}

/** How the entries of a row leave it. */
typedef struct BrumeLeave {
    const float *travel[3]; ///< of the centers
    ptrdiff_t below;        ///< entries from a face's upper center to its lower one, 0 for what sits at the centers
} BrumeLeave;

// adds one axis, along which the entries are at `at` (the first of them, for x): a plain loop, for the compiler
BRUME_INLINE void leave_along(int axis, const BrumePlace *place, bool wraps, bool inside, const BrumeLeave *leave,
                              ptrdiff_t c, int at, int count, int32_t *restrict base, float *restrict share,
                              float *restrict half)
{
    const float *upper = leave->travel[axis] + c;
    const float *lower = upper - leave->below;
    const float from = place->from[axis];
    const float to = place->to[axis];
    const float period = place->period[axis];
    const float per_period = place->per_period[axis];
    const int last = place->last[axis];
    const int stride = axis == 0 ? 1 : axis == 1 ? (int)place->sy : (int)place->sz;
    for (int n = 0; n < count; n++) {
        const float wanted = (float)(axis == 0 ? at + n : at) + 0.5f * (upper[n] + lower[n]);
        const float wrapped = wraps && !inside ? wanted - period * floorf((wanted - from) * per_period) : wanted;
        const float position = inside ? wanted : brume_lesser(brume_greater(wrapped, from), to);
        const int whole = (int)position;
        const int entry = inside || whole < last ? whole : last;
        base[n] = axis == 0 ? entry : base[n] + stride * entry;
        if (share) {
            share[n] = position - (float)entry;
        }
        if (half && !inside) {
            half[n] = position == wrapped ? half[n] : 0.0f;
        }
    }
}

/**
 * The stencil of the entries (i..i+count-1, j, k), from offset c, that leave by `leave`: faces by the mean of the two
 * centers beside them. `inside` is brume_inside of the row. Without `shares` it serves brume_range8 only. `half`, which
 * may be NULL, becomes 0 where a position had to be moved back into the box.
 */
BRUME_INLINE void brume_stencil(BrumeStencil *stencil, const BrumePlace *place, bool wraps, bool inside, bool shares,
                                const BrumeLeave *leave, ptrdiff_t c, int i, int j, int k, int count, float *half)
{
    leave_along(0, place, wraps, false, leave, c, i, count, stencil->base, shares ? stencil->share[0] : NULL, half);
    leave_along(1, place, wraps, inside, leave, c, j, count, stencil->base, shares ? stencil->share[1] : NULL, half);
    leave_along(2, place, wraps, inside, leave, c, k, count, stencil->base, shares ? stencil->share[2] : NULL, half);
    brume_find_together(stencil, count);
}

/** Whether no trace of the step from row (j, k), or from a row beside it, comes near the border along y or z. */
BRUME_INLINE bool brume_inside(const BrumePlace *place, int j, int k)
{
    return j >= place->first_inside && j <= place->last_inside[1] && k >= place->first_inside &&
           k <= place->last_inside[2];
}

#endif
