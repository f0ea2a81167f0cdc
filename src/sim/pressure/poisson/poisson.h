/**
 * @file poisson.h
 * The 7-point operator of pressure.h on the cells of the box, read from their one-byte flags:
 *     (A x)_c = sum over the open faces of c of (x_c - x_neighbor) = d_c x_c - sum over all six neighbors of x,
 * where d_c is the number of open faces of c. The second form needs no mask, because x is 0 behind a closed face: in a
 * ghost behind a wall or in a solid cell. A cell without any open face, a solid or an isolated one, is inactive: its x
 * is always 0.
 *
 * Where solids cut the cells (grid/cut_cells.h), the term of a face has its open fraction as coefficient. Rows with
 * such a face, or with a closed one between two fluid cells, are cut: their kernels read the fractions. All other rows
 * have the coefficients 0 and 1 of the flags, and their kernels.
 *
 * Nearly all rows of a scene are uniform: all their cells are active, and all but the two at the ends have the same
 * open faces. Kernels need no flags for such rows.
 *
 * Fields must have the grid of the cells. Sums are accumulated in double precision in a fixed order, one partial sum
 * per z-plane, so that results do not depend on the number of threads.
 */
#ifndef BRUME_SIM_PRESSURE_POISSON_POISSON_H
#define BRUME_SIM_PRESSURE_POISSON_POISSON_H

#include "core/error.h"
#include "core/field.h"
#include "sim/grid/cells.h"

#include <stdbool.h>
#include <stdint.h>

/** Whether a grid is large enough for a team of threads; on smaller ones, waking a team costs more than it saves. */
static inline bool brume_needs_team(BrumeGrid grid) { return brume_grid_cells(grid) >= 16384; }

/** Whether any periodic axis has an odd number of cells: a red-black ordering then has neighbors of one color. */
static inline bool brume_has_odd_periodic_axis(BrumeGrid grid, const bool periodic[3])
{
    return (periodic[0] && grid.nx % 2 != 0) || (periodic[1] && grid.ny % 2 != 0) || (periodic[2] && grid.nz % 2 != 0);
}

typedef struct BrumePoisson {
    const BrumeCells *cells;
    bool parallel;    ///< whether the box is large enough for a team of threads
    bool *uniform;    ///< of each row (nz x ny): whether it is uniform
    bool *cut;        ///< of each row (nz x ny): whether it is cut; NULL with whole cells
    double *partials; ///< of each plane k (nz+2): its partial sum
} BrumePoisson;

/**
 * Prepares the operator for cells that outlive it. BRUME_FAILED without memory, BRUME_BAD_INPUT for rows longer than
 * BRUME_PRESSURE_MAX_ROW; nothing is to be destroyed then.
 */
BrumeStatus brume_poisson_create(BrumePoisson *poisson, const BrumeCells *cells, BrumeError *error);

void brume_poisson_destroy(BrumePoisson *poisson);

/** Bytes allocated. */
size_t brume_poisson_bytes(const BrumePoisson *poisson);

/**
 * Makes x readable by the operator: sets its ghosts, to copies of the opposite cells along periodic axes of several
 * cells, to 0 along others; and copies the plane of other ranks on each side.
 */
void brume_poisson_fill_ghosts(const BrumePoisson *poisson, BrumeField *x);

/**
 * Sets the ghosts across a periodic axis of one cell to copies of the cell, which the gradient of a solution needs. The
 * solvers need 0 there, because the faces are closed.
 */
void brume_poisson_fill_thin_ghosts(const BrumePoisson *poisson, BrumeField *x);

/** Sets the ghosts of plane k only: along x of rows from..to-1, and the ghost rows along y. */
void brume_poisson_fill_ghost_rows(const BrumePoisson *poisson, BrumeField *x, int k, int from, int to);

/** Sets the two ghost planes only; along a periodic z, planes 1 and nz must be up to date with their ghosts. */
void brume_poisson_fill_ghost_planes(const BrumePoisson *poisson, BrumeField *x);

/** Sets x to 0 in inactive cells. */
void brume_poisson_clear_inactive(const BrumePoisson *poisson, BrumeField *x);

/** q = A s; the ghosts of s must be filled. Returns s.q. */
double brume_poisson_apply(const BrumePoisson *poisson, BrumeField *q, const BrumeField *s);

/** r = b - A x; the ghosts of x must be filled, b must be 0 in inactive cells. Returns r.r. */
double brume_poisson_residual(const BrumePoisson *poisson, BrumeField *r, const BrumeField *b, const BrumeField *x);

/** Whether all cells of row (j, k) are active and all but the two at its ends have the same open faces. */
static inline bool brume_poisson_uniform(const BrumePoisson *poisson, int j, int k)
{
    return poisson->uniform[(ptrdiff_t)(k - 1) * poisson->cells->grid.ny + (j - 1)];
}

/** Whether row (j, k) has fractions. It is not uniform then. */
static inline bool brume_poisson_cut(const BrumePoisson *poisson, int j, int k)
{
    return poisson->cut && poisson->cut[(ptrdiff_t)(k - 1) * poisson->cells->grid.ny + (j - 1)];
}

/** The flags of row (j, k), ghosts included. */
static inline const uint8_t *brume_poisson_flags(const BrumePoisson *poisson, int j, int k)
{
    return poisson->cells->flags + poisson->cells->sy * j + poisson->cells->sz * k;
}

/** The coefficient of a face of cell (i, j, k); `side` 0 and 1 are the lower and the upper one along x, then y, z. */
static inline float brume_poisson_coefficient(const BrumePoisson *poisson, int side, int i, int j, int k)
{
    const BrumeFractions *fractions = poisson->cells->fractions;
    if (!(brume_poisson_flags(poisson, j, k)[i] >> side & 1)) {
        return 0.0f;
    }
    if (!fractions) {
        return 1.0f;
    }
    const BrumeField *face = &fractions->face[side / 2];
    return face->data[brume_field_index(face, i, j, k) + (side % 2 ? brume_stride(face, side / 2) : 0)];
}

/** Row (j, k) of A x, written to entries 1..nx of `out`. */
void brume_poisson_apply_row(const BrumePoisson *poisson, float *out, const BrumeField *x, int j, int k);

/** Adds entries 1..nx of `row` to the active cells of row (j, k) of x. */
void brume_poisson_add_row(const BrumePoisson *poisson, BrumeField *x, const float *row, int j, int k);

/** a.b over the cells of the box. */
double brume_poisson_dot(const BrumePoisson *poisson, const BrumeField *a, const BrumeField *b);

#endif
