/**
 * @file axes.h
 * Arithmetic with axes (0 x, 1 y, 2 z) and indices along them.
 */
#ifndef BRUME_CORE_AXES_H
#define BRUME_CORE_AXES_H

#include <stddef.h>

/** The lesser of two integers. */
static inline int brume_min_int(int a, int b) { return a < b ? a : b; }

/** The greater of two integers. */
static inline int brume_max_int(int a, int b) { return a > b ? a : b; }

/** Entries from one cell to the next along an axis, for rows `sy` and planes `sz` entries apart. */
static inline ptrdiff_t brume_axis_stride(ptrdiff_t sy, ptrdiff_t sz, int axis)
{
    return axis == 0 ? 1 : axis == 1 ? sy : sz;
}

/** The two axes perpendicular to `axis`; `inner` is the one with the shorter stride. */
static inline void brume_other_axes(int axis, int *inner, int *outer)
{
    *inner = axis == 0 ? 1 : 0;
    *outer = axis == 2 ? 1 : 2;
}

/** Index n of a periodic axis of `count` cells, brought into 1..count; n is at most `count` outside of that range. */
static inline int brume_wrap_index(int n, int count) { return n < 1 ? n + count : n > count ? n - count : n; }

#endif
