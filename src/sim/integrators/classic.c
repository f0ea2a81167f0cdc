/*
 * The classic integrator: the method of Stam's Stable Fluids (1999) and Real-Time Fluid Dynamics for Games (2003) in
 * three dimensions, for teaching and comparison. Sources, implicit diffusion, projection, semi-Lagrangian advection,
 * projection again; then the scalars. Diffusion and both projections take 20 sweeps of Gauss-Seidel relaxation,
 * whatever residual they leave. Two details differ from the papers: the grid is staggered, and a sweep visits the cells
 * in red-black order, so that it runs in parallel with the same bits at any number of threads.
 */
#include "sim/integrators/stages.h"

#include "core/domain.h"
#include "core/field.h"
#include "core/parallel/simd.h"
#include "sim/advection/advection.h"
#include "sim/boundary/boundary.h"
#include "sim/forces/forces.h"
#include "sim/measures/budget.h"
#include "sim/measures/monitor.h"

enum { SWEEPS = 20 };

// x = (x0 + a (sum of the six neighbors of x)) / (1 + 6 a) in every second entry of a row
static void relax_row(float *x, const float *x0, ptrdiff_t sy, ptrdiff_t sz, float a, int first, int count)
{
    const float scale = 1.0f / (1.0f + 6.0f * a);
    for (int i = first; i < count; i += 2) {
        const float sum = ((x[i - 1] + x[i + 1]) + (x[i - sy] + x[i + sy])) + (x[i - sz] + x[i + sz]);
        x[i] = scale * (x0[i] + a * sum);
    }
}

static void diffuse_field(BrumeSim *sim, BrumeFieldId id, float diffusivity, double dt)
{
    BrumeField *x = &sim->fields[id];
    BrumeField *x0 = &sim->scratch[0];
    if (diffusivity <= 0.0f || !x->data) {
        return;
    }
    const float a = diffusivity * (float)dt / (sim->def.dx * sim->def.dx);
    const BrumeGrid grid = x->grid;
    brume_field_copy(x0, x);
    brume_set_diffusion_boundary(sim, id, x);
    for (int n = 0; n < 2 * SWEEPS; n++) {
        brume_exchange_field(x, 1);
#pragma omp parallel for schedule(static)
        for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
            for (int j = 1; j <= grid.ny; j++) {
                const ptrdiff_t c = brume_field_index(x, 1, j, k);
                relax_row(x->data + c, x0->data + c, x->sy, x->sz, a, (j + k + n) % 2, grid.nx);
            }
        }
        brume_set_diffusion_boundary(sim, id, x);
    }
    brume_budget_diffused_for(sim, id, (double)diffusivity, dt);
    brume_set_boundary(sim, id, x);
}

static BrumeStatus diffuse_velocity(BrumeStep *step)
{
    for (int id = BRUME_FIELD_U; id <= BRUME_FIELD_W; id++) {
        diffuse_field(step->sim, (BrumeFieldId)id, step->sim->def.viscosity, step->dt);
    }
    return BRUME_OK;
}

static BrumeStatus diffuse_scalars(BrumeStep *step)
{
    const BrumeSimDef *def = &step->sim->def;
    (void)brume_diffuse(step->sim, BRUME_FIELD_TEMPERATURE, 0.0f, (float)step->dt); // the heat fluxes of walls
    diffuse_field(step->sim, BRUME_FIELD_TEMPERATURE, def->thermal_diffusivity, step->dt);
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        diffuse_field(step->sim, brume_smoke_id(kind), def->smoke[kind].diffusivity, step->dt);
    }
    return BRUME_OK;
}

// every projection starts from zero, and 20 sweeps are all that the method does: it counts as converged
static BrumeStatus project(BrumeStep *step)
{
    BrumeSim *sim = step->sim;
    brume_field_fill(&sim->fields[BRUME_FIELD_PRESSURE], 0.0f);
    brume_stabilize_backflow(sim, (float)step->dt, NULL);
    brume_set_velocity_boundary(sim);
    BrumePressureResult pressure = brume_project(sim, (float)step->dt);
    pressure.converged = true;
    return brume_finish_projection(step, pressure);
}

// the scalars are advected along the projected velocity that the step ends with (Stam 2003, dens_step)
static BrumeStatus advect_scalars(BrumeStep *step)
{
    BrumeSim *sim = step->sim;
    sim->transport_velocity = sim->fields;
    brume_advect_velocity(sim, sim->fields, sim->fields, sim->max_speed, (float)step->dt,
                          sim->scratch + BRUME_SCRATCH_RESULTS); // for its paths
    return brume_stage_advect_scalars(step);
}

static void replace_settings(BrumeSimDef *def)
{
    def->advection = "semi-lagrangian";
    def->transport = "semi-lagrangian";
    def->pressure = "relaxation";
    def->over_relaxation = 1.0f;
    def->max_iterations = SWEEPS;
    def->tolerance = 1e-7f;
}

const BrumeIntegrator brume_integrator_classic = {
    .name = "classic",
    .stages =
        {
            {BRUME_STAGE_EMIT, brume_stage_sources},
            {BRUME_STAGE_FORCES, brume_stage_forces},
            {BRUME_STAGE_DIFFUSION, diffuse_velocity},
            {BRUME_STAGE_PROJECTION, project},
            {BRUME_STAGE_ADVECT_VELOCITY, brume_stage_advect_velocity},
            {BRUME_STAGE_PROJECTION, project},
            {BRUME_STAGE_DIFFUSION, diffuse_scalars},
            {BRUME_STAGE_ADVECT_SCALARS, advect_scalars},
        },
    .stage_count = 8,
    .replace_settings = replace_settings,
};
