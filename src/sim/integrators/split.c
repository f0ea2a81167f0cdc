/*
 * The split integrator: the stages of Stam's Stable Fluids (1999) one after the other, each over the whole step, with
 * the advection schemes of the settings. First order in time: each projection removes dt^2 |grad p|^2 / 2 of the
 * specific kinetic energy, because the velocity that is carried does not contain the pressure gradient of the step.
 */
#include "sim/integrators/stages.h"

const BrumeIntegrator brume_integrator_split = {
    .name = "split",
    .stages =
        {
            {BRUME_STAGE_ADVECT_VELOCITY, brume_stage_advect_velocity}, // u'(x) = u(x - displacement)
            {BRUME_STAGE_ADVECT_SCALARS, brume_stage_advect_scalars},   // s'(x) = s(x - displacement) exp(-decay dt)
            {BRUME_STAGE_EMIT, brume_stage_sources},                    // s += dt S
            {BRUME_STAGE_FORCES, brume_stage_forces},                   // u += dt f
            {BRUME_STAGE_DIFFUSION, brume_stage_diffusion},             // (1 - nu dt lap) u' = u, and s
            {BRUME_STAGE_PROJECTION, brume_stage_projection},           // lap p = div u / dt, u -= dt grad p
        },
    .stage_count = 6,
};
