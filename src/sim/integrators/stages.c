#include "sim/integrators/stages.h"

#include "core/field.h"
#include "sim/advection/advection.h"
#include "sim/boundary/boundary.h"
#include "sim/fire/combustion.h"
#include "sim/forces/forces.h"
#include "sim/integrators/hooks.h"
#include "sim/measures/budget.h"
#include "sim/measures/monitor.h"
#include "sim/measures/sums.h"
#include "sim/particles/particles.h"
#include "sim/state/heat.h"
#include "sim/transport/texture.h"
#include "sim/transport/transport.h"
#include "sim/vapor/condensation.h"

#include <assert.h>

// where the air is several regions, what bodies displace stays in each of them
static void return_to_regions(BrumeSim *sim, BrumeAirRegions *regions)
{
    if (!brume_transport_is_exact(sim)) {
        return;
    }
    double from_bodies[BRUME_SCALAR_COUNT];
    for (int scalar = 0; scalar < BRUME_SCALAR_COUNT; scalar++) {
        const BrumeFieldId id = (BrumeFieldId)(BRUME_FIELD_TEMPERATURE + scalar);
        from_bodies[scalar] = brume_from_bodies(brume_transport_exchange(sim, id)) / brume_cell_volume(sim);
    }
    brume_regions_return(regions, sim, from_bodies);
}

// books the content of the cells that moved bodies cover and uncover
static BrumeStatus move_bodies(BrumeStep *step)
{
    if (!step->sim->bodies_move) {
        return BRUME_OK;
    }
    const BrumeTotals totals_before = brume_budget_totals(step->sim);
    BrumeDisplaced displaced;
    brume_hold_heat(step->sim);
    const BrumeStatus status = brume_move_bodies(step->sim, step->dt, &displaced, step->error);
    if (status == BRUME_OK && displaced.regions.divided) {
        return_to_regions(step->sim, &displaced.regions);
    } else if (status == BRUME_OK) {
        brume_return_displaced(step->sim, &displaced);
    }
    brume_hold_temperature(step->sim);
    if (status == BRUME_OK) {
        brume_set_scalar_ghosts(step->sim);
        brume_budget_bodies_since(step->sim, &totals_before);
    }
    return status;
}

static BrumeStatus apply_strokes(BrumeStep *step)
{
    if (step->sim->stroke_count == 0) {
        return BRUME_OK;
    }
    const BrumeTotals totals_before = brume_budget_totals(step->sim);
    brume_apply_strokes(step->sim, step->dt);
    brume_budget_emitted_since(step->sim, &totals_before);
    return brume_bear_stroked_particles(step->sim, step->dt, step->error);
}

// the amount that a hook adds, or that grows, counts as emitted
static void call_hook(BrumeSim *sim, double dt, void (*call)(BrumeSim *sim, double dt))
{
    if (call) {
        const BrumeTotals totals_before = brume_budget_totals(sim);
        call(sim, dt);
        brume_budget_emitted_since(sim, &totals_before);
    }
}

BrumeStatus brume_stage_sources(BrumeStep *step)
{
    BrumeSim *sim = step->sim;
    BrumeStatus status = move_bodies(step);
    if (status == BRUME_OK) {
        status = brume_settle_particles(sim, step->dt, step->error);
    }
    if (status == BRUME_OK) {
        status = apply_strokes(step);
    }
    if (status == BRUME_OK) {
        status = brume_emit(sim, step->dt, step->error);
    }
    if (status == BRUME_OK) {
        call_hook(sim, step->dt, sim->hooks.sources ? brume_call_source_hook : NULL);
        call_hook(sim, step->dt, brume_smoke_grows(&sim->def) ? brume_grow_smoke : NULL);
        brume_burn(sim, step->dt);
        brume_condense(sim);
    }
    return status;
}

BrumeStatus brume_finish_forces(BrumeStep *step)
{
    BrumeSim *sim = step->sim;
    brume_add_drag(sim, step->dt);
    const BrumeStatus status = brume_add_particle_forces(sim, step->error);
    call_hook(sim, step->dt, sim->hooks.forces ? brume_call_force_hook : NULL);
    brume_set_velocity_boundary(sim);
    return status;
}

BrumeStatus brume_stage_forces(BrumeStep *step)
{
    BrumeSim *sim = step->sim;
    brume_set_velocity_boundary(sim);
    brume_add_vorticity_confinement(sim, sim->fields, sim->fields, sim->scratch, step->dt, step->initial_speed, 1.0f,
                                    NULL, NULL);
    brume_add_buoyancy(sim, sim->fields, (float)step->dt, NULL);
    return brume_finish_forces(step);
}

BrumeStatus brume_stage_diffusion(BrumeStep *step)
{
    const BrumeSimDef *def = &step->sim->def;
    for (int id = BRUME_FIELD_U; id <= BRUME_FIELD_W; id++) {
        (void)brume_diffuse(step->sim, (BrumeFieldId)id, def->viscosity, (float)step->dt);
    }
    brume_diffuse_scalars(step->sim, (float)step->dt);
    return BRUME_OK;
}

BrumeStatus brume_stage_advect_velocity(BrumeStep *step)
{
    BrumeSim *sim = step->sim;
    BrumeField *results = sim->scratch + BRUME_SCRATCH_RESULTS;
    assert(brume_holds(sim, BRUME_VALID_VELOCITY | BRUME_VALID_MAX_SPEED));
    brume_advect_velocity(sim, sim->fields, sim->fields, sim->max_speed, (float)step->dt, results);
    for (int axis = 0; axis < 3; axis++) {
        brume_field_swap(&sim->fields[axis], &results[axis]);
    }
    sim->transport_velocity = results;
    brume_invalidate(sim, BRUME_VALID_MAX_SPEED | BRUME_VALID_PREVIOUS | BRUME_VALID_DIVERGENCE_FREE);
    brume_set_velocity_boundary(sim);
    return BRUME_OK;
}

// books the fluxes of the flux form through the sides of the box and the surfaces of bodies
static void book_exchange(BrumeSim *sim)
{
    for (int id = BRUME_FIELD_TEMPERATURE; id < BRUME_FIELD_COUNT; id++) {
        const BrumeScalarExchange *exchange = brume_transport_exchange(sim, (BrumeFieldId)id);
        brume_budget_add_left(sim, (BrumeFieldId)id, exchange->left);
        brume_budget_add_bodies(sim, (BrumeFieldId)id, -brume_from_bodies(exchange));
    }
}

BrumeStatus brume_stage_advect_scalars(BrumeStep *step)
{
    BrumeSim *sim = step->sim;
    const bool exact = brume_transport_is_exact(sim);
    if (!exact) {
        brume_budget_estimate_left(sim, sim->transport_velocity, step->dt);
    }
    brume_hold_heat(sim);
    brume_regions_before_transport(sim);
    brume_transport_scalars(sim, sim->transport_velocity, step->dt);
    brume_regions_after_transport(sim, step->dt);
    brume_budget_decayed(sim, step->dt);
    brume_expand(sim, step->dt);
    brume_hold_temperature(sim);
    if (exact) {
        book_exchange(sim);
    }
    brume_advect_texture(sim, sim->transport_velocity, step->dt);
    brume_move_particles(sim, sim->transport_velocity, step->dt);
    return BRUME_OK;
}

BrumeStatus brume_finish_projection(BrumeStep *step, BrumePressureResult pressure)
{
    step->stats->iterations += pressure.iterations;
    step->stats->residual = pressure.residual;
    step->stats->converged = pressure.converged;
    step->stats->divergence = step->sim->divergence;
    step->sim->pressure_residual = pressure.residual;
    return brume_check_finite(step->sim, step->error);
}

BrumeStatus brume_stage_projection(BrumeStep *step)
{
    brume_stabilize_backflow(step->sim, (float)step->dt, brume_step_active(step));
    return brume_finish_projection(step, brume_project(step->sim, (float)step->dt));
}
