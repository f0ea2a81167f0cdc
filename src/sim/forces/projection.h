/**
 * @file projection.h
 * The two forms of the pressure projection (forces.h, brume_project_increment), the rows that they share, and the
 * passes of the form for direct solvers.
 */
#ifndef BRUME_SIM_FORCES_PROJECTION_H
#define BRUME_SIM_FORCES_PROJECTION_H

#include "sim/boundary/geometry.h"
#include "sim/forces/forces.h"
#include "sim/pressure/poisson/poisson.h"
#include "sim/state/state.h"

#include <stdbool.h>

/**
 * Row (j, k) of b = scale times the sum of the face differences of velocity, in cut rows of brume_cut_divergence_row,
 * less that of the expansion (state/heat.h); 0 in solid cells.
 */
void brume_divergence_row(const BrumeSim *sim, BrumeField *b, float scale, int j, int k);

/** Row (j, k) of p = share p + phi, with the ghosts along x. If `share` is 0, p is not read. */
void brume_add_increment_row(BrumeField *p, const BrumeField *phi, float share, int j, int k);

/**
 * Solves lap phi = div u / dt with any solver and subtracts dt grad phi, in one pass for each operation. phi is the
 * start of the solve unless `from_zero`. Neither sets the boundary of velocity, whose closed faces are undefined
 * afterwards, nor measures it.
 */
BrumePressureResult brume_project_in_passes(BrumeSim *sim, BrumeField *phi, float dt, bool from_zero);

/**
 * The same with a direct solver and from phi = 0, in one pass before the solve and one after it; p = share p + phi.
 * Does not write closed faces, and does not set ghosts of velocity. Sets max_speed and `divergence`.
 */
BrumePressureResult brume_project_directly(BrumeSim *sim, BrumeField *p, float dt, float share);

/** The work of brume_project_directly around a solve. */
typedef struct BrumeDirectProjection {
    BrumeSim *sim;
    const BrumePoisson *poisson;
    BrumeField *b, *phi, *p;
    float share;
    float dt_per_dx;
    int first[3], last[3]; ///< the faces that pressure acts on, along the axis of each component
    float mean;            ///< of b if A is singular, else 0
    double *sums[3];       ///< of planes k (nz + 2)
} BrumeDirectProjection;

/** Both passes. There are two sets with the same bits: fused (direct_projection.c) and plain (sim/reference). */
struct BrumeDirectPasses {
    /** b = -(dx / dt) div u, where the next plane of w must be current. sums[0]: of b^2, sums[1]: of b. */
    void (*form_right_side)(const BrumeDirectProjection *projection);
    /**
     * Sets the ghosts of phi; u -= dt grad phi, p = share p + phi. sums[0]: of the squares of the residual
     * (b - mean) - A phi; sums[1] and [2]: largest divergence times dx, and largest component, of the new u. The next
     * plane of w is current afterwards.
     */
    void (*apply_solution)(const BrumeDirectProjection *projection);
};

#endif
