/*
 * Changes of the settings of a running simulation. Everything that depends on changed settings (geometry, fields) is
 * built completely before the simulation itself is modified, so that a failure leaves it unchanged.
 */
#include "core/field.h"
#include "sim/advection/advection.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/deforming_bodies.h"
#include "sim/boundary/geometry.h"
#include "sim/integrators/hooks.h"
#include "sim/integrators/integrator.h"
#include "sim/lifecycle/far_field.h"
#include "sim/lifecycle/kernels.h"
#include "sim/lifecycle/lifecycle.h"
#include "sim/measures/budget.h"
#include "sim/particles/particles.h"
#include "sim/settings/references.h"
#include "sim/settings/settings.h"
#include "sim/state/emitter_samples.h"
#include "sim/state/state.h"
#include "sim/transport/transport.h"

#include <string.h>

bool brume_same_cells(const BrumeSimDef *a, const BrumeSimDef *b)
{
    return a->nx == b->nx && a->ny == b->ny && a->nz == b->nz && a->dx == b->dx && a->origin.x == b->origin.x &&
           a->origin.y == b->origin.y && a->origin.z == b->origin.z;
}

bool brume_same_fields(const BrumeSimDef *a, const BrumeSimDef *b)
{
    return brume_same_cells(a, b) && a->color_count == b->color_count && brume_has_fuel(a) == brume_has_fuel(b) &&
           (a->texture_period > 0.0f) == (b->texture_period > 0.0f) && strcmp(a->advection, b->advection) == 0 &&
           strcmp(a->transport, b->transport) == 0;
}

// copies time, hooks and animation; if the frame rate changes, frames count from the end of the newest one
static void copy_time_and_hooks(BrumeSim *sim, const BrumeSim *old_sim, float fps)
{
    memmove(sim->texture_generation, old_sim->texture_generation, sizeof sim->texture_generation);
    const double base_time = fps == old_sim->def.fps ? old_sim->base_time : brume_frame_end(old_sim, old_sim->frames);
    const int base_frames = fps == old_sim->def.fps ? old_sim->base_frames : old_sim->frames;
    sim->time = old_sim->time;
    sim->frames = old_sim->frames;
    sim->steps = old_sim->steps;
    sim->stop_requested = old_sim->stop_requested;
    sim->hooks = old_sim->hooks;
    sim->user_data = old_sim->user_data;
    sim->animate = old_sim->animate;
    sim->animation = old_sim->animation;
    sim->base_time = base_time;
    sim->base_frames = base_frames;
}

// copies strokes, ids and motions; motions continue from the bodies' shapes in the new settings
static void set_strokes_and_objects(BrumeSim *sim, const BrumeSim *old_sim)
{
    sim->stroke_count = old_sim->stroke_count;
    memmove(sim->strokes, old_sim->strokes, sizeof sim->strokes);
    sim->emitter_ids = old_sim->emitter_ids;
    sim->body_ids = old_sim->body_ids;
    brume_object_ids_resize(&sim->emitter_ids, sim->def.emitter_count);
    brume_object_ids_resize(&sim->body_ids, sim->def.body_count);
    brume_restart_motions(sim, old_sim->motions);
}

static bool same_sides(const BrumeSimDef *a, const BrumeSimDef *b)
{
    bool same = true;
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        same = same && brume_members_equal(&brume_face_members, &a->faces[face], &b->faces[face]);
    }
    return same;
}

// whether air slips along the same bodies, whose number is the same; `auto` depends on the viscosity
static bool same_slip(const BrumeSimDef *a, const BrumeSimDef *b)
{
    bool same = true;
    for (int n = 0; n < a->body_count; n++) {
        same = same && brume_body_has_no_slip(a, n) == brume_body_has_no_slip(b, n);
    }
    return same;
}

// moves the fields that both simulations have, on the same grid, from `old_sim` to `sim`
static void take_fields(BrumeSim *sim, BrumeSim *old_sim)
{
    const unsigned of_velocity = BRUME_VALID_DIVERGENCE_FREE | BRUME_VALID_PREVIOUS | BRUME_VALID_PREVIOUS_FLUXES;
    const bool same_geometry =
        same_sides(&sim->def, &old_sim->def) && brume_cells_equal(&sim->geometry->cells, &old_sim->geometry->cells);
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        if (sim->fields[id].data && old_sim->fields[id].data) {
            brume_field_swap(&sim->fields[id], &old_sim->fields[id]);
        }
    }
    for (int n = 0; n < 3 * BRUME_TEXTURE_LAYERS; n++) {
        if (sim->texture[n / 3][n % 3].data && old_sim->texture[n / 3][n % 3].data) {
            brume_field_swap(&sim->texture[n / 3][n % 3], &old_sim->texture[n / 3][n % 3]);
        }
    }
    sim->max_speed = old_sim->max_speed;
    sim->pressure_residual = old_sim->pressure_residual;
    for (int axis = 0; axis < 3; axis++) {
        brume_field_swap(&sim->previous[axis], &old_sim->previous[axis]);
    }
    sim->previous_dt = old_sim->previous_dt;
    sim->valid &= ~of_velocity;
    sim->valid |= old_sim->valid & (BRUME_VALID_PRESSURE | BRUME_VALID_MAX_SPEED | (same_geometry ? of_velocity : 0u));
    brume_fill_uncovered(sim, &old_sim->geometry->cells, BRUME_FIELD_U);
    brume_set_velocity_boundary(sim);
    brume_set_scalar_ghosts(sim);
}

// the fields that one integrator keeps from step to step are outdated after steps of another one
static void invalidate_of_other_integrator(BrumeSim *sim, const BrumeSimDef *old_settings,
                                           const BrumeSimDef *new_settings)
{
    if (strcmp(old_settings->integrator, new_settings->integrator) != 0) {
        brume_invalidate(sim, BRUME_VALID_PREVIOUS | BRUME_VALID_PRESSURE);
    }
}

void brume_take_progress(BrumeSim *sim, const BrumeSim *other)
{
    copy_time_and_hooks(sim, other, sim->def.fps);
    set_strokes_and_objects(sim, other);
    sim->budgets_on = other->budgets_on;
    memcpy(sim->budgets, other->budgets, sizeof sim->budgets);
}

void brume_take_contents(BrumeSim *sim, BrumeSim *created)
{
    const BrumeSim former = *sim;
    *sim = *created;
    *created = former;
    brume_particles_swap(&sim->particles, &created->particles);
}

// destroys a simulation but for its far field, which another one has; NULL is allowed
static void destroy_without_far_field(BrumeSim *sim)
{
    if (sim) {
        sim->far = NULL;
    }
    brume_sim_destroy(sim);
}

// builds a second simulation, fills it from the first and exchanges their contents, so that the handle stays
static BrumeStatus rebuild(BrumeSim *sim, const BrumeSimDef *def, BrumeError *error)
{
    BrumeSim *created;
    BrumeStatus status = sim->far ? brume_sim_create_in(&created, def, sim->far, false, error)
                                  : brume_sim_create_without_state(&created, def, error);
    if (status == BRUME_OK) {
        created->time = sim->time;
        created->deformed_time = sim->deformed_time;
        status = brume_restore_deformations(created, error);
        if (status != BRUME_OK) {
            destroy_without_far_field(created);
            return status;
        }
    }
    if (status == BRUME_OK && !brume_same_cells(&sim->def, def)) {
        status = brume_resample(created, sim, false, error);
    } else if (status == BRUME_OK) {
        take_fields(created, sim);
    }
    if (status != BRUME_OK) {
        destroy_without_far_field(created);
        return status;
    }
    invalidate_of_other_integrator(created, &sim->def, def);
    brume_take_progress(created, sim);
    status = brume_prepare_state(created, error);
    if (status != BRUME_OK) {
        destroy_without_far_field(created);
        return status;
    }
    brume_take_contents(sim, created);
    destroy_without_far_field(created);
    return BRUME_OK;
}

static BrumeStatus change(BrumeSim *sim, const BrumeSimDef *def, BrumeError *error)
{
    BrumeStatus status = brume_sim_check(def, error);
    if (status != BRUME_OK) {
        return status;
    }
    BrumeSimDef settings = *def;
    brume_complete_settings(&settings);
    if (!brume_same_fields(&sim->def, &settings)) {
        return rebuild(sim, &settings, error);
    }
    BrumeGeometry *geometry = NULL;
    BrumeDeformedBodies *deformed = NULL;
    const double present_frame = sim->deformed_time.frames[sim->deformed_time.now];
    const BrumeDeformedTime at_rest = {.frames = {present_frame, present_frame}, .now = 1}; // until the next step
    status = brume_deformed_create(&deformed, &settings, &at_rest, sim->deformed, error);
    if (status == BRUME_OK && !brume_geometry_equal(&sim->def, &settings)) {
        const BrumeSimDef present = brume_deformed_settings(deformed, &settings, 1);
        status = brume_geometry_create(&geometry, &present, brume_kernels_find(settings.kernels)->projection, error);
    }
    if (status != BRUME_OK) {
        brume_deformed_destroy(deformed);
        return status;
    }
    // inside a body without slip, the air has the velocity of the body
    const bool new_sides = !same_sides(&sim->def, &settings) || (!geometry && !same_slip(&sim->def, &settings));
    copy_time_and_hooks(sim, sim, settings.fps);
    invalidate_of_other_integrator(sim, &sim->def, &settings);
    brume_settings_retain(&settings);
    brume_settings_release(&sim->def);
    sim->def = settings;
    brume_release_emitter_samples(sim); // of the emitters before
    brume_deformed_destroy(sim->deformed);
    sim->deformed = deformed;
    sim->deformed_time = at_rest;
    sim->integrator = brume_integrator_find(settings.integrator);
    sim->scalar_transport->flux_kernel = brume_kernels_find(settings.kernels)->flux;
    sim->advection->kernels = brume_kernels_find(settings.kernels)->advection;
    set_strokes_and_objects(sim, sim);
    if (geometry) {
        brume_replace_geometry(sim, geometry);
    }
    if (new_sides) {
        brume_set_velocity_boundary(sim);
        brume_set_scalar_ghosts(sim);
        brume_invalidate(sim, BRUME_VALID_DIVERGENCE_FREE | BRUME_VALID_PREVIOUS);
    }
    return brume_prepare_state(sim, error);
}

BrumeStatus brume_sim_change_window(BrumeSim *sim, const BrumeSimDef *def, BrumeError *error)
{
    return change(sim, def, error);
}

BrumeStatus brume_sim_change(BrumeSim *sim, const BrumeSimDef *def, BrumeError *error)
{
    brume_refresh_written_fields(sim);
    const BrumeTotals totals_before = brume_budget_totals(sim);
    BrumeSimDef settings = *def;
    settings.team = sim->def.team;
    const bool with_far_field = sim->far || def->far_factor > 1;
    const BrumeStatus status = with_far_field ? brume_far_change(sim, &settings, error) : change(sim, &settings, error);
    if (status == BRUME_OK) {
        brume_budget_changed_since(sim, &totals_before);
    }
    return status;
}
