/*
 * A velocity that is given, not computed: u(x, t) = u(x, 0) cos(pi t / T), or steady for T = 0. Temperature and smoke
 * are transported by it. For tests of transport, such as Zalesak's disc (1979) and LeVeque's deformations (1996), which
 * return to their start at t = T.
 */
#include "sim/integrators/stages.h"

#include "core/domain.h"
#include "core/elementary.h"
#include "core/parallel/simd.h"
#include "sim/advection/advection.h"
#include "sim/boundary/boundary.h"
#include "sim/forces/forces.h"
#include "sim/measures/monitor.h"

#include <math.h>

BRUME_KERNEL static void scale_row(float *restrict to, const float *from, float factor, ptrdiff_t count)
{
    for (ptrdiff_t i = 0; i < count; i++) {
        to[i] = factor * from[i];
    }
}

// the factor of the initial velocity at time t [s]
static float factor_at(const BrumeSim *sim, double t)
{
    const double reversal = (double)sim->def.reversal_time;
    return reversal > 0.0 ? (float)brume_cos(3.14159265358979323846 * t / reversal) : 1.0f;
}

// sets the state's velocity to the velocity at time t [s]; sim->previous is the initial velocity
static void set_velocity(BrumeSim *sim, double t)
{
    const float factor = factor_at(sim, t);
    for (int axis = 0; axis < 3; axis++) {
        BrumeField *to = &sim->fields[axis];
#pragma omp parallel for schedule(static)
        for (int k = brume_lowest_plane(to->grid); k <= brume_highest_plane(to->grid); k++) {
            const ptrdiff_t c = brume_field_index(to, 0, 0, k);
            scale_row(to->data + c, sim->previous[axis].data + c, factor, to->sz);
        }
    }
    brume_set_velocity_boundary(sim);
    (void)brume_measure_flow(sim);
}

static BrumeStatus find_paths(BrumeStep *step)
{
    BrumeSim *sim = step->sim;
    if (!brume_holds(sim, BRUME_VALID_PREVIOUS)) { // the present velocity is the initial one
        for (int axis = 0; axis < 3; axis++) {
            brume_field_copy(&sim->previous[axis], &sim->fields[axis]);
        }
        brume_establish(sim, BRUME_VALID_PREVIOUS);
    }
    set_velocity(sim, sim->time + 0.5 * step->dt);
    sim->transport_velocity = sim->fields;
    brume_advect_velocity(sim, sim->fields, sim->fields, sim->max_speed, (float)step->dt,
                          sim->scratch + BRUME_SCRATCH_RESULTS);
    return BRUME_OK;
}

static BrumeStatus diffuse(BrumeStep *step)
{
    brume_diffuse_scalars(step->sim, (float)step->dt);
    return BRUME_OK;
}

static BrumeStatus finish_step(BrumeStep *step)
{
    set_velocity(step->sim, step->sim->time + step->dt);
    const BrumePressureResult none = {.converged = true};
    return brume_finish_projection(step, none);
}

const BrumeIntegrator brume_integrator_prescribed = {
    .name = "prescribed",
    .stages =
        {
            {BRUME_STAGE_ADVECT_VELOCITY, find_paths},
            {BRUME_STAGE_ADVECT_SCALARS, brume_stage_advect_scalars},
            {BRUME_STAGE_EMIT, brume_stage_sources},
            {BRUME_STAGE_DIFFUSION, diffuse},
            {BRUME_STAGE_PROJECTION, finish_step},
        },
    .stage_count = 5,
};
