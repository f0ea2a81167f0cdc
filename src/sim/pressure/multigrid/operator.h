/**
 * @file operator.h
 * The 7-point operator of one multigrid level on rows in parity order (parity_rows.h), and the row kernels of a cycle:
 *     (A x)_c = sum over the faces f of cell c of a_f (x_c - x_neighbor) = d_c x_c - sum over the faces of a_f
 * x_neighbor. A cell without any coefficient is inactive. x is 0 in inactive cells and behind closed faces, so a row
 * whose other faces all have the same coefficient stores one number only; most rows of most boxes are of this kind.
 * Only next to walls and solids do diagonals differ from six times this number: few distinct rows of diagonals occur,
 * and each is stored once, so that they stay in the cache.
 *
 * An odd number of cells along a periodic axis makes the first and the last cell neighbors of the same color. Their
 * coupling is added to the diagonal that updates divide by (l1 Gauss-Seidel: Baker, Falgout, Kolev, Yang 2011,
 * "Multigrid smoothers for ultraparallel computing"). A sweep then converges, and the sweep in reverse order is its
 * transpose.
 *
 * Every function works on rows from..to-1 of plane k; results do not depend on how rows are grouped into calls. The
 * plain versions of these kernels are in sim/reference/vcycle.c. On an axis that is not both periodic and odd, the
 * residual of a color is 0 after its update; the kernels do not evaluate it.
 */
#ifndef BRUME_SIM_PRESSURE_MULTIGRID_OPERATOR_H
#define BRUME_SIM_PRESSURE_MULTIGRID_OPERATOR_H

#include "core/error.h"
#include "core/field.h"
#include "core/parallel/reductions.h"
#include "sim/pressure/poisson/poisson.h"

#include <stdbool.h>
#include <stddef.h>

/** The operator of a level. */
typedef struct BrumeOperator {
    BrumeGrid grid;
    ptrdiff_t sy, sz; ///< strides of the fields that it is applied to
    bool periodic[3];
    bool odd_periodic;      ///< whether any periodic axis has an odd number of cells
    bool parallel;          ///< whether the grid is large enough for a team of threads
    int *diagonal_index;    ///< of each row (nz x ny): which of `diagonals` it has
    int diagonal_count;     ///< diagonals that are stored: nearly all of them distinct
    float *diagonals;       ///< (diagonal_count x 3 x (nx+2)): parity rows of 1 / (d + l1), 0 if inactive; of d; of l1
    float *row_coefficient; ///< of each row (nz x ny): the coefficient of all its faces, 0 if they differ
    BrumeField face[3];     ///< coefficients of lower x, y, z faces in parity order; no data if no row needs them
} BrumeOperator;

/**
 * The operator of the finest level: all open faces have coefficient 1, except in cut rows, which have coefficients of
 * their own (poisson.h). BRUME_FAILED without memory, nothing to free.
 */
BrumeStatus brume_operator_create_finest(BrumeOperator *op, const BrumePoisson *poisson, BrumeError *error);

/**
 * The operator of a coarse level with coefficients `face` (rows in plain order) and `row_coefficient`. Both are moved
 * into the operator, `face` only if some row needs it, else it is freed. BRUME_FAILED without memory; the caller then
 * still owns both.
 */
BrumeStatus brume_operator_create(BrumeOperator *op, BrumeGrid grid, const bool periodic[3], bool parallel,
                                  BrumeField face[3], float **row_coefficient, BrumeError *error);

/** Frees all memory; a zeroed operator is allowed. */
void brume_operator_destroy(BrumeOperator *op);

/** Bytes allocated. */
size_t brume_operator_bytes(const BrumeOperator *op);

/** The three rows of diagonals of row (j, k), one behind the other: 1 / (d + l1), d, l1. */
static inline const float *brume_operator_diagonals(const BrumeOperator *op, int j, int k)
{
    const ptrdiff_t row = (ptrdiff_t)(k - 1) * op->grid.ny + (j - 1);
    return op->diagonals + (ptrdiff_t)op->diagonal_index[row] * 3 * (op->grid.nx + 2);
}

/**
 * One Gauss-Seidel update of the cells of one color, (i + j + k) % 2: each solves its own equation. Fills the periodic
 * ghosts of these rows along x and y.
 */
void brume_operator_relax(const BrumeOperator *op, BrumeField *x, const BrumeField *b, int color, int k, int from,
                          int to);

/**
 * The same update for x = 0; x is not read. The cells of the other color are left undefined, or 0 if op->odd_periodic.
 */
void brume_operator_relax_from_zero(const BrumeOperator *op, BrumeField *x, const BrumeField *b, int color, int k,
                                    int from, int to);

/**
 * Restriction: adds the residuals of one color to the coarse cells, blocks of 2 x 2 x 2. The odd rows of odd planes,
 * the first that contribute to a coarse row, overwrite it unless `add`.
 */
void brume_operator_restrict(const BrumeOperator *op, BrumeField *coarse_b, const BrumeField *x, const BrumeField *b,
                             int color, bool add, int k, int from, int to);

/** Prolongation: adds to the active cells of one color the x of their coarse cells. Fills periodic ghosts as above. */
void brume_operator_prolong(const BrumeOperator *op, BrumeField *x, const BrumeField *coarse_x, int color, int k,
                            int from, int to);

/** The residual b - A x of an active cell. */
float brume_operator_residual_at(const BrumeOperator *op, const BrumeField *x, const BrumeField *b, int i, int j,
                                 int k);

/**
 * Adds x . A x of these rows of the finest level to `sum`, row by row. The ghosts of x must be filled. A x is a sum of
 * differences (sim/grid/seven_point.h): where x is smooth and large it has a smaller rounding error than d_c x_c minus
 * the sum of neighbors.
 */
void brume_operator_energy(const BrumeOperator *op, const BrumeField *x, int k, int from, int to, BrumePlaneSum *sum);

/** r -= alpha A x in active cells, with A x as above; adds r . r of these rows to `sum`. Ghosts of r along x stay 0. */
void brume_operator_update_residual(const BrumeOperator *op, BrumeField *r, const BrumeField *x, float alpha, int k,
                                    int from, int to, BrumePlaneSum *sum);

#endif
