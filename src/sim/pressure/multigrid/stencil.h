/**
 * @file stencil.h
 * The 7-point operator of one multigrid level on split rows (split.h), and what a cycle does with it,
 *     (A x)_c = sum over the faces of cell c of coefficient (x_c - x_neighbor) = d_c x_c - (sum of coefficient
 * x_neighbor). Behind closed faces and in dead cells, those without a coefficient, x is 0, so most rows need no
 * coefficients but one: all their faces share it, or have a 0 behind them. Diagonals differ only beside walls and
 * solids, so that rows share them too: a handful of kinds of rows serve a box, and stay in the cache.
 *
 * Where an odd number of cells along a periodic axis puts two cells of one color side by side (a seam), their coupling
 * is added to the diagonal that updates divide by (l1 smoothing: Baker, Falgout, Kolev, Yang 2011, "Multigrid smoothers
 * for ultraparallel computing"), which keeps a sweep convergent and its mirror image symmetric to it.
 *
 * All functions work on rows from..to-1 of plane k and are bit for bit the same however rows are grouped. Without
 * seams, a color's residuals are 0 once it was updated, and nothing reads its x before it is updated again.
 */
#ifndef BRUME_SIM_PRESSURE_MULTIGRID_STENCIL_H
#define BRUME_SIM_PRESSURE_MULTIGRID_STENCIL_H

#include "core/error.h"
#include "core/field.h"
#include "sim/pressure/poisson.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct BrumeStencil {
    BrumeGrid grid;
    ptrdiff_t sy, sz; ///< of the fields it works on
    bool periodic[3];
    bool seams;
    bool parallel;      ///< whether it is worth a team
    int *kind;          ///< a row (nz x ny): which kind it is of
    int kind_count;     ///< kinds found
    int kind_room;      ///< kinds that there is room for
    float *kinds;       ///< a kind (kind_room x 3): split rows of 1 / d, 0 in dead cells; of d; of what seams add to d
    float *uniform;     ///< a row (nz x ny): the coefficient of its faces, 0 where they differ
    BrumeField face[3]; ///< split rows of the coefficients of lower x, y, z faces; empty where all rows are uniform
} BrumeStencil;

/** Whether an odd number of cells along a periodic axis makes a seam. */
bool brume_stencil_has_seams(BrumeGrid grid, const bool periodic[3]);

/** The operator of the box, all coefficients 1. Fails without memory. */
BrumeStatus brume_stencil_create_box(BrumeStencil *stencil, const BrumePoisson *poisson, BrumeError *error);

/**
 * An operator with coefficients `face` (rows not split; taken over, and emptied) and `uniform` (taken over). Fails
 * without memory, with nothing taken over.
 */
BrumeStatus brume_stencil_create(BrumeStencil *stencil, BrumeGrid grid, const bool periodic[3], bool parallel,
                                 BrumeField face[3], float **uniform, BrumeError *error);

void brume_stencil_destroy(BrumeStencil *stencil);

size_t brume_stencil_bytes(const BrumeStencil *stencil);

/** Updates the cells of one color, (i + j + k) % 2, to solve their equations. Ghosts of these rows are in order after.
 */
void brume_stencil_relax(const BrumeStencil *stencil, BrumeField *x, const BrumeField *b, int color, int k, int from,
                         int to);

/** The update for an x that is 0, whatever it holds. The other color is undefined afterwards, 0 where there are seams.
 */
void brume_stencil_relax_from_zero(const BrumeStencil *stencil, BrumeField *x, const BrumeField *b, int color, int k,
                                   int from, int to);

/**
 * Adds the residuals of one color to the coarse cells of 2 x 2 x 2 that they belong to; the odd rows of odd planes
 * set instead of adding, unless `add`.
 */
void brume_stencil_restrict(const BrumeStencil *stencil, BrumeField *coarse_b, const BrumeField *x, const BrumeField *b,
                            int color, bool add, int k, int from, int to);

/** b - A x in a live cell. */
float brume_stencil_residual_at(const BrumeStencil *stencil, const BrumeField *x, const BrumeField *b, int i, int j,
                                int k);

/** Adds to the live cells of one color the x of their coarse cells. Ghosts of these rows are in order after. */
void brume_stencil_prolong(const BrumeStencil *stencil, BrumeField *x, const BrumeField *coarse_x, int color, int k,
                           int from, int to);

/**
 * Adds x . A x of these rows to `sum`, row by row. A x is formed as a sum of differences, which unlike diagonal times x
 * less neighbors loses nothing where x is smooth and large. All coefficients must be 1, x's ghosts in order.
 */
void brume_stencil_product(const BrumeStencil *stencil, const BrumeField *x, int k, int from, int to, double *sum);

/** r -= alpha A x in live cells, formed likewise, 0 in the rows' ghosts if it was; adds r . r of these rows to `sum`.
 */
void brume_stencil_step(const BrumeStencil *stencil, BrumeField *r, const BrumeField *x, float alpha, int k, int from,
                        int to, double *sum);

#endif
