/**
 * @file level.h
 * A coarse level of the multigrid hierarchy: the 7-point operator with a coefficient on every face,
 *     (A x)_c = sum over the faces of cell c of coefficient (x_c - x_neighbor),
 * where ghosts behind walls have coefficient 0, and those behind open sides the value 0. Coarse cells without any
 * coefficient are dead: their x is 0.
 */
#ifndef BRUME_SIM_PRESSURE_LEVEL_H
#define BRUME_SIM_PRESSURE_LEVEL_H

#include "core/error.h"
#include "core/field.h"
#include "sim/pressure/components.h"
#include "sim/pressure/poisson.h"

#include <stdbool.h>

typedef struct BrumeLevel {
    BrumeGrid grid;
    bool periodic[3];
    bool parallel;      ///< whether it is worth a team
    BrumeField x;       ///< correction
    BrumeField b;       ///< right-hand side, 0 in dead cells
    BrumeField face[3]; ///< coefficients of the lower x, y, z faces; entry n+1 is the upper side of the box
    BrumeField inverse; ///< 1 / diagonal, l1-augmented as in gauss_seidel.h; 0 in dead cells
    float *uniform;     ///< a row (nz x ny): the coefficient of all its faces but closed ones; 0 where they
                        ///< differ or a diagonal is augmented
    float *width[3];    ///< along each axis (n + 2): extent of a cell in cells of the box
    BrumeComponents components;
} BrumeLevel;

/** The level below the box itself. Fails without memory. */
BrumeStatus brume_level_coarsen_box(BrumeLevel *coarse, const BrumePoisson *poisson, bool singular, BrumeError *error);

/** The level below `fine`. `singular`: whether any part of the box is, else components are not looked for. */
BrumeStatus brume_level_coarsen(BrumeLevel *coarse, const BrumeLevel *fine, bool singular, BrumeError *error);

void brume_level_destroy(BrumeLevel *level);

size_t brume_level_bytes(const BrumeLevel *level);

/** Number of cells below `n` of them: two become one, a last odd one stays alone. */
static inline int brume_level_coarse_size(int n) { return (n + 1) / 2; }

/** Row (j, k) of A x: entries 1..nx of `out`. */
void brume_level_apply_row(const BrumeLevel *level, float *out, int j, int k);

/** Adds entries 1..nx of `row` to the live cells of row (j, k) of x. */
void brume_level_add_row(BrumeLevel *level, const float *row, int j, int k);

/** Red-black Gauss-Seidel as brume_gauss_seidel: color `first`, then the other. Ghosts of x are in order after. */
void brume_level_sweep(BrumeLevel *level, int first);

/** The sweep for an x that is 0, whatever it holds. */
void brume_level_sweep_from_zero(BrumeLevel *level, int first);

/** Renews the periodic ghosts of x; the others are always 0. */
void brume_level_exchange(BrumeLevel *level);

#endif
