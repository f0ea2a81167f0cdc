/**
 * @file poisson.h
 * The 7-point operator of pressure.h on the cells of the box, read from their one-byte flags:
 *     (A x)_c = d_c x_c - sum over the six neighbors of x,    d_c = number of open faces of c.
 * The sum needs no mask, because a closed face always has a cell beside it whose value is 0: a ghost behind a wall or
 * a solid cell. Cells without any open face (solid ones and isolated ones) are called dead: their x is 0 throughout.
 *
 * Almost every row of a scene is uniform: all its cells are live and have the same open faces, but for the two at
 * its ends. Such rows need no flags.
 *
 * Fields must have the grid of the cells. Sums are accumulated in double precision in a fixed order, one partial a
 * z-plane, so results do not depend on the number of threads.
 */
#ifndef BRUME_SIM_PRESSURE_POISSON_H
#define BRUME_SIM_PRESSURE_POISSON_H

#include "core/error.h"
#include "core/field.h"
#include "sim/boundary/cells.h"

#include <stdbool.h>
#include <stdint.h>

/** Longest row that the row buffers hold, ghosts not counted. */
enum { BRUME_PRESSURE_MAX_ROW = 4096 };

/** Whether a grid is worth a team of threads: waking one up costs more than it gains on small ones. */
static inline bool brume_worth_a_team(BrumeGrid grid) { return brume_grid_cells(grid) >= 16384; }

typedef struct BrumePoisson {
    const BrumeCells *cells;
    bool parallel;    ///< whether the box is worth a team
    bool *uniform;    ///< a row (nz x ny): whether it is uniform
    double *partials; ///< a plane k (nz+1): its share of a sum
} BrumePoisson;

/** Prepares the operator for cells that outlive it. BRUME_FAILED without memory, BRUME_BAD_INPUT for too long rows. */
BrumeStatus brume_poisson_create(BrumePoisson *poisson, const BrumeCells *cells, BrumeError *error);

void brume_poisson_destroy(BrumePoisson *poisson);

size_t brume_poisson_bytes(const BrumePoisson *poisson);

/** Sets the ghosts of x: copies of the opposite cells along periodic axes, 0 elsewhere. */
void brume_poisson_exchange(const BrumePoisson *poisson, BrumeField *x);

/** The part of that which lies in plane k: the ghosts along x and y. */
void brume_poisson_exchange_plane(const BrumePoisson *poisson, BrumeField *x, int k);

/** The rest: the ghost planes, once the planes beside them have their own ghosts. */
void brume_poisson_exchange_ends(const BrumePoisson *poisson, BrumeField *x);

/** Sets the dead cells of x to 0. */
void brume_poisson_clear_dead(const BrumePoisson *poisson, BrumeField *x);

/** q = A s, with s's ghosts in order; returns s.q. */
double brume_poisson_apply(const BrumePoisson *poisson, BrumeField *q, const BrumeField *s);

/** r = b - A x, with x's ghosts in order and b 0 in dead cells; returns r.r. */
double brume_poisson_residual(const BrumePoisson *poisson, BrumeField *r, const BrumeField *b, const BrumeField *x);

/** Whether all cells of row (j, k) are live and all but the two at its ends have the same open faces. */
static inline bool brume_poisson_uniform(const BrumePoisson *poisson, int j, int k)
{
    return poisson->uniform[(ptrdiff_t)(k - 1) * poisson->cells->grid.ny + (j - 1)];
}

/** The flags of row (j, k), ghosts included. */
static inline const uint8_t *brume_poisson_flags(const BrumePoisson *poisson, int j, int k)
{
    return poisson->cells->flags + poisson->cells->sy * j + poisson->cells->sz * k;
}

/** Row (j, k) of A x: entries 1..nx of `out`. */
void brume_poisson_apply_row(const BrumePoisson *poisson, float *out, const BrumeField *x, int j, int k);

/** Adds entries 1..nx of `row` to the live cells of row (j, k) of x. */
void brume_poisson_add_row(const BrumePoisson *poisson, BrumeField *x, const float *row, int j, int k);

/** a.b over the box. */
double brume_poisson_dot(const BrumePoisson *poisson, const BrumeField *a, const BrumeField *b);

#endif
