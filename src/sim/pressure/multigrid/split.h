/**
 * @file split.h
 * Fields with split rows: of each row, the entries of even i come first, then those of odd i, ghosts included. One
 * color of a red-black order then lies contiguous in every row, and so does all that a half-sweep of it reads: the
 * color's neighbors along x are the other half of its row, and those along y and z the same half of the rows beside it,
 * which is the other color. Half-sweeps so become plain vector loops that load nothing in vain.
 *
 * A split field is a BrumeField of the same grid, strides and ghosts; what works on whole rows entry by entry need not
 * know the difference.
 */
#ifndef BRUME_SIM_PRESSURE_MULTIGRID_SPLIT_H
#define BRUME_SIM_PRESSURE_MULTIGRID_SPLIT_H

#include "core/field.h"

#include <stdbool.h>
#include <stddef.h>

/** Where the odd entries of a split row begin, for rows of nx cells. */
static inline ptrdiff_t brume_split_odd(int nx) { return (nx + 3) / 2; }

/** Where entry i (0..nx+1) of a row of nx cells lies. */
static inline ptrdiff_t brume_split_at(int nx, int i) { return i / 2 + (i % 2 ? brume_split_odd(nx) : 0); }

/** The cells of one parity of a split row, and the others beside them. */
typedef struct BrumeHalf {
    int count;       ///< cells
    ptrdiff_t own;   ///< offset of the n-th (0..count-1) in the row: own + n
    ptrdiff_t other; ///< its neighbors along x lie at other + n and other + n + 1
} BrumeHalf;

/** The cells of even (0) or odd (1) i. The n-th of them belongs to the (n + 1)-th pair of cells of the row. */
static inline BrumeHalf brume_split_half(int nx, int parity)
{
    return parity ? (BrumeHalf){(nx + 1) / 2, brume_split_odd(nx), 0} : (BrumeHalf){nx / 2, 1, brume_split_odd(nx)};
}

/** Parity of i in row (j, k) of the cells with (i + j + k) % 2 == `color`. */
static inline int brume_split_parity(int color, int j, int k) { return (color + j + k) & 1; }

/** Splits the row of nx cells, ghosts included. */
void brume_split_row(float *restrict split, const float *row, int nx);

/** Undoes brume_split_row. */
void brume_join_row(float *restrict row, const float *split, int nx);

/** Splits all rows in place, ghost rows included; nx at most BRUME_PRESSURE_MAX_ROW. */
void brume_split_field(BrumeField *field, bool parallel);

/** Undoes brume_split_field. */
void brume_join_field(BrumeField *field, bool parallel);

/** Sets all ghosts of a split field to 0. */
void brume_split_clear_ghosts(BrumeField *field, bool parallel);

/** Copies, where they are periodic, ghosts along x for rows from..to-1 of plane k, and all its ghost rows along y. */
void brume_split_exchange_rows(BrumeField *field, const bool periodic[3], int k, int from, int to);

/** Copies the ghost planes of a field that is periodic along z. */
void brume_split_exchange_ends(BrumeField *field);

#endif
