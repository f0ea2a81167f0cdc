/**
 * @file parity_rows.h
 * Fields in parity order: each row stores the entries of even i first, then the entries of odd i, ghosts included. The
 * cells of one color of a red-black ordering are then contiguous in every row, and so are their neighbors: the ones
 * along x are the other parity of the same row, the ones along y and z the same parity of the adjacent rows. A
 * red-black half-sweep becomes a loop over contiguous vectors.
 *
 * A field in parity order is a BrumeField with the same grid, strides and ghosts. Code that treats all entries of a row
 * alike works on either order.
 */
#ifndef BRUME_SIM_GRID_PARITY_ROWS_H
#define BRUME_SIM_GRID_PARITY_ROWS_H

#include "core/field.h"

#include <stdbool.h>
#include <stddef.h>

/** The longest row that the row buffers of kernels hold, ghosts not counted. */
enum { BRUME_PRESSURE_MAX_ROW = 4096 };

/** Offset of the first odd entry of a row of nx cells: the number of even entries, ghosts included. */
static inline ptrdiff_t brume_parity_odd_start(int nx) { return (nx + 3) / 2; }

/** Offset of entry i (0..nx+1) in a row of nx cells. */
static inline ptrdiff_t brume_parity_entry(int nx, int i) { return i / 2 + (i % 2 ? brume_parity_odd_start(nx) : 0); }

/** The cells of one parity of a row, and the offsets of their neighbors along x. */
typedef struct BrumeParitySpan {
    int count;           ///< number of cells
    ptrdiff_t cells;     ///< the n-th cell (0..count-1) is entry cells + n of the row
    ptrdiff_t neighbors; ///< its neighbors along x are entries neighbors + n and neighbors + n + 1
} BrumeParitySpan;

/** The cells of even (0) or odd (1) i. The n-th cell lies in the (n + 1)-th pair of cells of the row. */
static inline BrumeParitySpan brume_parity_span(int nx, int parity)
{
    return parity ? (BrumeParitySpan){(nx + 1) / 2, brume_parity_odd_start(nx), 0}
                  : (BrumeParitySpan){nx / 2, 1, brume_parity_odd_start(nx)};
}

/** Parity of i of the cells of row (j, k) with (i + j + k) % 2 == `color`. */
static inline int brume_parity_of_color(int color, int j, int k) { return (color + j + k) & 1; }

/** Copies a row of nx cells, ghosts included, from plain to parity order. */
void brume_row_to_parity_order(float *restrict to, const float *from, int nx);

/** Copies a row of nx cells, ghosts included, from parity to plain order. */
void brume_row_from_parity_order(float *restrict to, const float *from, int nx);

/** Reorders all rows of a field in place, ghost rows included. nx is at most BRUME_PRESSURE_MAX_ROW. */
void brume_field_to_parity_order(BrumeField *field, bool parallel);

/** The inverse of brume_field_to_parity_order. */
void brume_field_from_parity_order(BrumeField *field, bool parallel);

/** Sets all ghosts of a field in parity order to 0. */
void brume_parity_clear_ghosts(BrumeField *field, bool parallel);

/**
 * Copies opposite cells into the ghosts of plane k along periodic axes: along x for rows from..to-1, along y both ghost
 * rows. Ghosts along other axes are left unchanged.
 */
void brume_parity_fill_ghosts(BrumeField *field, const bool periodic[3], int k, int from, int to);

/**
 * Copies the opposite planes into the two ghost planes of a field that is periodic along z, if this rank has one of the
 * ghost planes.
 */
void brume_parity_fill_ghost_planes(BrumeField *field);

#endif
