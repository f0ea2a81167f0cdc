/**
 * @file level.h
 * A coarse level of the multigrid hierarchy: the 7-point operator with a coefficient on every face,
 *     (A x)_c = sum over the faces of cell c of coefficient (x_c - x_neighbor),
 * where ghosts behind walls have coefficient 0, and those behind open sides the value 0. Coarse cells without any
 * coefficient are dead: their x is 0.
 */
#ifndef BRUME_SIM_PRESSURE_MULTIGRID_LEVEL_H
#define BRUME_SIM_PRESSURE_MULTIGRID_LEVEL_H

#include "core/error.h"
#include "core/field.h"
#include "sim/pressure/components.h"
#include "sim/pressure/multigrid/aggregation.h"
#include "sim/pressure/multigrid/stencil.h"
#include "sim/pressure/poisson.h"

#include <stdbool.h>

struct BrumeLevel {
    BrumeGrid grid;
    bool periodic[3];
    bool parallel; ///< whether it is worth a team
    BrumeField x;  ///< correction, in split rows
    BrumeField b;  ///< right-hand side, in split rows; 0 in dead cells
    BrumeStencil stencil;
    BrumeComponents components;
    BrumeStrays strays; ///< of the level above
    // while levels are built
    BrumeField face[3]; ///< coefficients of the lower x, y, z faces; entry n+1 is the upper side of the box
    BrumeField live;    ///< 1, 0 in dead cells
    float *uniform;     ///< a row (nz x ny): the coefficient of all its faces but closed ones; 0 where they differ
    float *width[3];    ///< along each axis (n + 2): extent of a cell in cells of the box
};

/** The level below the box itself, but for its stencil. Fails without memory. */
BrumeStatus brume_level_coarsen_box(BrumeLevel *coarse, const BrumePoisson *poisson, bool singular, BrumeError *error);

/** The level below `fine`, likewise. `singular`: whether any part of the box is, else components are not looked for. */
BrumeStatus brume_level_coarsen(BrumeLevel *coarse, const BrumeLevel *fine, bool singular, BrumeError *error);

/** Makes the stencil and gives up what only building needs: no level can be built below this one any more. */
BrumeStatus brume_level_settle(BrumeLevel *level, BrumeError *error);

void brume_level_destroy(BrumeLevel *level);

/** Bytes that a settled level holds. */
size_t brume_level_bytes(const BrumeLevel *level);

/** Number of cells below `n` of them: two become one, a last odd one stays alone. */
static inline int brume_level_coarse_size(int n) { return (n + 1) / 2; }

#endif
