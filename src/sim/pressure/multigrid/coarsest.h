/**
 * @file coarsest.h
 * The direct solve that ends a multigrid cycle: for so few unknowns the inverse itself is kept, and applying it is one
 * product with a small matrix.
 */
#ifndef BRUME_SIM_PRESSURE_MULTIGRID_COARSEST_H
#define BRUME_SIM_PRESSURE_MULTIGRID_COARSEST_H

#include "core/error.h"
#include "core/field.h"
#include "sim/pressure/multigrid/level.h"

#include <stddef.h>

/** The most cells of a level that is solved directly. */
enum { BRUME_COARSEST_CELLS = 216 };

/** The inverse of a level's operator, the pseudo-inverse on singular components; zeroed where there is none. */
typedef struct BrumeCoarsest {
    BrumeGrid grid;
    int count;      ///< cells
    float *inverse; ///< (count x count), exactly symmetric; cells in the order of split rows, ghosts left out
} BrumeCoarsest;

/**
 * Inverts the operator of a level that is not settled yet and has at most BRUME_COARSEST_CELLS cells. Fails without
 * memory.
 */
BrumeStatus brume_coarsest_create(BrumeCoarsest *coarsest, const BrumeLevel *level, BrumeError *error);

void brume_coarsest_destroy(BrumeCoarsest *coarsest);

/**
 * x = A^-1 b, both in split rows (split.h) of the level's grid; ghosts of x are left as they are. On singular
 * components the mean of b does not count, and x has mean 0 to rounding; in dead cells x is 0, whatever b is. One
 * thread does it, always in the same order.
 */
void brume_coarsest_solve(const BrumeCoarsest *coarsest, BrumeField *x, const BrumeField *b);

size_t brume_coarsest_bytes(const BrumeCoarsest *coarsest);

#endif
