/**
 * @file field.h
 * Creating, filling and swapping fields, and indices along their axes; brume/field.h describes the layout.
 */
#ifndef BRUME_CORE_FIELD_H
#define BRUME_CORE_FIELD_H

#include "brume/field.h"
#include "core/error.h"
#include "core/minmax.h"

#include <limits.h>
#include <stdbool.h>

/**
 * Allocates a field of zeros. Each z-plane is first written by the thread that processes it in the kernels, so that its
 * memory is local to that thread's NUMA node. BRUME_FAILED if memory runs out; `field->data` is NULL then.
 */
BrumeStatus brume_field_create(BrumeField *field, BrumeGrid grid, BrumeError *error);

/** Frees the data and zeroes the field; a zeroed field is valid. */
void brume_field_destroy(BrumeField *field);

/** Sets every entry, ghosts included, with the kernels' assignment of z-planes to threads. */
void brume_field_fill(BrumeField *field, float value);

/** Copies every entry, ghosts included, to a field of the same grid. */
void brume_field_copy(BrumeField *to, const BrumeField *from);

/** All cells of a grid. */
static inline BrumeCellBox brume_whole_box(BrumeGrid grid)
{
    const BrumeCellBox whole = {{0, 0, 0}, {grid.nx, grid.ny, grid.nz}};
    return whole;
}

/** A box with `by` more cells on each side, within a grid. */
static inline BrumeCellBox brume_widened_box(BrumeCellBox box, int by, BrumeGrid grid)
{
    for (int axis = 0; axis < 3; axis++) {
        box.lower[axis] = brume_max_int(box.lower[axis] - by, 0);
        box.upper[axis] = brume_min_int(box.upper[axis] + by, brume_cells_along(grid, axis));
    }
    return box;
}

/** A box of no cells, to which others are added. */
static const BrumeCellBox brume_no_cells = {{INT_MAX, INT_MAX, INT_MAX}, {INT_MIN, INT_MIN, INT_MIN}};

/** Extends a box to contain another one, which may be brume_no_cells. */
static inline void brume_box_add(BrumeCellBox *box, const BrumeCellBox *added)
{
    for (int axis = 0; axis < 3; axis++) {
        box->lower[axis] = brume_min_int(box->lower[axis], added->lower[axis]);
        box->upper[axis] = brume_max_int(box->upper[axis], added->upper[axis]);
    }
}

static inline bool brume_box_is_empty(BrumeCellBox box)
{
    return box.lower[0] >= box.upper[0] || box.lower[1] >= box.upper[1] || box.lower[2] >= box.upper[2];
}

static inline bool brume_same_grid(BrumeGrid a, BrumeGrid b) { return a.nx == b.nx && a.ny == b.ny && a.nz == b.nz; }

/** Swaps the data of two fields of the same grid. */
static inline void brume_field_swap(BrumeField *a, BrumeField *b)
{
    float *data = a->data;
    a->data = b->data;
    b->data = data;
}

/** Entries from one neighbor to the next along an axis (0 x, 1 y, 2 z). */
static inline ptrdiff_t brume_stride(const BrumeField *field, int axis)
{
    return axis == 0 ? 1 : axis == 1 ? field->sy : field->sz;
}

/** The entry of corner n, 0 to 7 (bits: upper in x, y, z), of cell c in a field at the lower corners of cells. */
static inline ptrdiff_t brume_cell_corner(const BrumeField *corners, ptrdiff_t c, int n)
{
    return c + (n & 1) + (n >> 1 & 1) * corners->sy + (n >> 2) * corners->sz;
}

/** The indices along x, y, z of entry c of a field with these strides. */
static inline void brume_entry_indices(ptrdiff_t c, ptrdiff_t sy, ptrdiff_t sz, int index[3])
{
    index[0] = (int)(c % sy);
    index[1] = (int)(c % sz / sy);
    index[2] = (int)(c / sz);
}

/** The two axes across `axis`; loops run fastest along `inner`, which has the smaller stride. */
static inline void brume_other_axes(int axis, int *inner, int *outer)
{
    *inner = axis == 0 ? 1 : 0;
    *outer = axis == 2 ? 1 : 2;
}

/** Index n along a periodic axis of `count` cells, moved into 1..count; n is at most `count` outside of that range. */
static inline int brume_wrap_index(int n, int count) { return n < 1 ? n + count : n > count ? n - count : n; }

/** Index n along a periodic axis of `count` cells, moved into 1..count, for any n. */
static inline int brume_wrap_any_index(int n, int count)
{
    const int rest = (n - 1) % (count > 1 ? count : 1); // `count` is at least 1
    return 1 + (rest < 0 ? rest + count : rest);
}

#endif
