/*
 * Projection (Stam 1999, section 2.3; Stam 2003, project): computes the pressure whose gradient removes the divergence,
 *     lap p = div u / dt,   u <- u - dt grad p,
 * or, where the gradient of the pressure q acts on u already, the difference phi = p - q (van Kan 1986).
 * This file chooses between separate passes (projection_passes.c) and, for direct solvers, passes into which all other
 * work is fused (direct_projection.c).
 */
#include "sim/forces/projection.h"
#include "core/domain.h"
#include "core/field.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/geometry.h"
#include "sim/forces/forces.h"
#include "sim/measures/monitor.h"
#include "sim/state/state.h"

#include <assert.h>
#include <float.h>
#include <math.h>

/*
 * The rounding error of an entry of b, the sum of six face velocities over dt / dx. A velocity of magnitude U is
 * rounded by at most U FLT_EPSILON / 2, with a root mean square of at most U FLT_EPSILON / sqrt(12); the sum of six has
 * sqrt(6) times that, 0.7 U FLT_EPSILON. U is the largest speed of the last measurement.
 */
static double rounding_of_divergence(const BrumeSim *sim, float dt)
{
    const double speed = isfinite(sim->max_speed) ? sim->max_speed : 0.0;
    return sqrt(0.5) * (double)FLT_EPSILON * speed * (double)(sim->def.dx / dt);
}

// Projects the velocity, and adds phi to `share` times the field p; from the start p if `share` is 0 and the solver is
// iterative.
static BrumePressureResult project(BrumeSim *sim, BrumeField *p, float dt, float share)
{
    assert(dt > 0.0f && brume_holds(sim, BRUME_VALID_CLOSED_FACES));
    const bool direct = brume_pressure_transforms(sim->geometry->pressure) != NULL;
    brume_pressure_set_rounding(sim->geometry->pressure, rounding_of_divergence(sim, dt));
    BrumePressureResult result;
    if (!direct) { // bridge
        brume_compute_own(sim);
    }
    if (direct) {
        result = brume_project_directly(sim, p, dt, share);
    } else if (share == 0.0f) {
        result = brume_project_in_passes(sim, p, dt, false);
    } else {
        BrumeField *phi = &sim->scratch[BRUME_SCRATCH_INCREMENT];
        result = brume_project_in_passes(sim, phi, dt, true);
        const BrumeGrid grid = p->grid;
#pragma omp parallel for schedule(static)
        for (int k = brume_lowest_plane(grid); k <= brume_highest_plane(grid); k++) {
            for (int j = 0; j <= grid.ny + 1; j++) {
                brume_add_increment_row(p, phi, share, j, k);
            }
        }
    }
    brume_compute_whole(sim); // bridge
    brume_invalidate(sim, BRUME_VALID_DISPLACEMENT | (direct ? 0 : BRUME_VALID_MAX_SPEED));
    brume_set_velocity_boundary(sim);
    brume_establish(sim, BRUME_VALID_DIVERGENCE_FREE);
    if (!direct) {
        (void)brume_measure_flow(sim);
    }
    return result;
}

BrumePressureResult brume_project(BrumeSim *sim, float dt) { return brume_project_increment(sim, dt, 0.0f); }

BrumePressureResult brume_project_increment(BrumeSim *sim, float dt, float share)
{
    const BrumePressureResult result = project(sim, &sim->fields[BRUME_FIELD_PRESSURE], dt, share);
    brume_establish(sim, BRUME_VALID_PRESSURE);
    return result;
}

void brume_make_divergence_free(BrumeSim *sim)
{
    if (brume_holds(sim, BRUME_VALID_DIVERGENCE_FREE)) {
        return;
    }
    BrumeField *phi = &sim->scratch[BRUME_SCRATCH_INCREMENT];
    brume_field_fill(phi, 0.0f);
    (void)project(sim, phi, 1.0f, 0.0f);
}
