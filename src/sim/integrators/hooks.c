#include "sim/integrators/hooks.h"
#include "core/minmax.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/geometry.h"
#include "sim/forces/forces.h"
#include "sim/grid/cut_cells.h"
#include "sim/measures/monitor.h"
#include "sim/state/state.h"

#include <math.h>

void brume_sim_set_hooks(BrumeSim *sim, const BrumeSimHooks *hooks)
{
    sim->hooks = hooks ? *hooks : (BrumeSimHooks){0};
}

BrumeField *brume_sim_write_field(BrumeSim *sim, BrumeFieldId id)
{
    if ((int)id < 0 || id >= BRUME_FIELD_COUNT || !sim->fields[id].data) {
        return NULL;
    }
    sim->has_written_fields = true;
    if (id <= BRUME_FIELD_W) {
        brume_invalidate(sim, BRUME_VALID_VELOCITY | BRUME_VALID_MAX_SPEED | BRUME_VALID_DIVERGENCE_FREE |
                                  BRUME_VALID_PREVIOUS);
    }
    brume_invalidate(sim, BRUME_VALID_SCALAR_GHOSTS); // at open sides they depend on the velocity too
    return &sim->fields[id];
}

void brume_refresh_written_fields(BrumeSim *sim)
{
    if (!sim->has_written_fields) {
        return;
    }
    sim->has_written_fields = false;
    if (!brume_holds(sim, BRUME_VALID_VELOCITY)) {
        brume_set_velocity_boundary(sim);
    }
    brume_set_scalar_ghosts(sim);
    if (!brume_holds(sim, BRUME_VALID_MAX_SPEED)) {
        (void)brume_measure_flow(sim);
    }
}

BrumeStatus brume_prepare_state(BrumeSim *sim, BrumeError *error)
{
    const bool written = sim->has_written_fields;
    brume_refresh_written_fields(sim);
    BrumeStatus status = written ? brume_check_finite(sim, error) : BRUME_OK;
    BrumeCells *cells = &sim->geometry->cells;
    if (status == BRUME_OK && cells->fractions && sim->def.viscosity > 0.0f && !cells->friction_faces[0].rows) {
        status = brume_cells_find_friction_faces(cells, error); // the viscosity was 0 before
    }
    if (status == BRUME_OK && !brume_holds(sim, BRUME_VALID_DIVERGENCE_FREE)) {
        brume_make_divergence_free(sim);
        (void)brume_measure_flow(sim);
    }
    return status;
}

// calls a function that may write fields within a step; the velocity before the step is not concerned
static void call_within_step(BrumeSim *sim, void (*function)(void *, BrumeSim *, double), double dt)
{
    const unsigned previous = sim->valid & BRUME_VALID_PREVIOUS;
    function(sim->hooks.context, sim, dt);
    brume_refresh_written_fields(sim);
    brume_establish(sim, previous);
}

void brume_call_source_hook(BrumeSim *sim, double dt)
{
    if (sim->hooks.sources) {
        call_within_step(sim, sim->hooks.sources, dt);
    }
}

void brume_call_force_hook(BrumeSim *sim, double dt)
{
    if (sim->hooks.forces) {
        call_within_step(sim, sim->hooks.forces, dt);
    }
}

void brume_report_progress(BrumeSim *sim, BrumeStage stage, double elapsed)
{
    if (!sim->hooks.progress) {
        return;
    }
    const double start = brume_frame_end(sim, sim->frames);
    const double end = brume_frame_end(sim, sim->frames + 1);
    const double fraction = brume_fmin(brume_fmax((sim->time + elapsed - start) / (end - start), 0.0), 1.0);
    if (!sim->hooks.progress(sim->hooks.context, fraction, stage)) {
        sim->stop_requested = true;
    }
}
