/**
 * @file coarsest.h
 * The direct solve on the coarsest level of a multigrid cycle. With so few unknowns the inverse of the operator is
 * stored, and a solve is a product with a small dense matrix.
 */
#ifndef BRUME_SIM_PRESSURE_MULTIGRID_COARSEST_H
#define BRUME_SIM_PRESSURE_MULTIGRID_COARSEST_H

#include "core/error.h"
#include "core/field.h"
#include "sim/grid/parity_rows.h"
#include "sim/pressure/multigrid/level.h"

#include <stddef.h>

/** A level with at most this many cells is solved directly. */
enum { BRUME_COARSEST_CELLS = 216 };

/** The inverse of a level's operator: the pseudo-inverse on singular components, 0 in inactive cells. */
typedef struct BrumeCoarsest {
    BrumeGrid grid;
    int count;      ///< cells
    float *inverse; ///< (count x count), exactly symmetric; unknowns numbered by brume_coarsest_unknown
} BrumeCoarsest;

/** Number (0..count-1) of cell (i, j, k) among the unknowns: parity order, without ghosts. */
static inline int brume_coarsest_unknown(BrumeGrid grid, int i, int j, int k)
{
    const int even = grid.nx / 2; // cells of even i come first
    return ((k - 1) * grid.ny + (j - 1)) * grid.nx + (i % 2 ? even + i / 2 : i / 2 - 1);
}

/**
 * Inverts the operator of a level that is not finalized and has at most BRUME_COARSEST_CELLS cells. BRUME_FAILED
 * without memory, with nothing to destroy.
 */
BrumeStatus brume_coarsest_create(BrumeCoarsest *coarsest, const BrumeMultigridLevel *level, BrumeError *error);

void brume_coarsest_destroy(BrumeCoarsest *coarsest);

/**
 * x = A^-1 b, both with rows in parity order and the level's grid; ghosts of x are not written. On singular components,
 * the mean of b is ignored and x has mean 0 up to rounding; x is 0 in inactive cells. Runs on the calling thread.
 */
void brume_coarsest_solve(const BrumeCoarsest *coarsest, BrumeField *x, const BrumeField *b);

/** Bytes allocated. */
size_t brume_coarsest_bytes(const BrumeCoarsest *coarsest);

#endif
