/**
 * @file projection.h
 * The two forms of the pressure projection (forces.h, brume_project_increment) and the rows that they share.
 */
#ifndef BRUME_SIM_FORCES_PROJECTION_H
#define BRUME_SIM_FORCES_PROJECTION_H

#include "sim/forces/forces.h"
#include "sim/state/state.h"

#include <stdbool.h>

/** Row (j, k) of b = scale times the sum of the face differences of velocity; 0 in solid cells. */
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

#endif
