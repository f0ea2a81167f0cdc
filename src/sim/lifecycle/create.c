/*
 * Allocation of a simulation: everything that its steps use is allocated here, except the geometry of moved bodies.
 */
#include "core/error.h"
#include "core/field.h"
#include "core/memory.h"
#include "sim/advection/advection.h"
#include "sim/boundary/boundary.h"
#include "sim/boundary/deforming_bodies.h"
#include "sim/boundary/geometry.h"
#include "sim/forces/forces.h"
#include "sim/grid/cells.h"
#include "sim/initial/initial_fields.h"
#include "sim/integrators/integrator.h"
#include "sim/lifecycle/far_field.h"
#include "sim/lifecycle/kernels.h"
#include "sim/lifecycle/lifecycle.h"
#include "sim/lifecycle/ranks.h"
#include "sim/measures/monitor.h"
#include "sim/particles/particles.h"
#include "sim/settings/references.h"
#include "sim/settings/settings.h"
#include "sim/state/emitter_samples.h"
#include "sim/state/state.h"
#include "sim/transport/texture.h"
#include "sim/transport/transport.h"

#include <string.h>

int brume_list_fields(BrumeSim *sim, BrumeField *fields[BRUME_MAX_FIELDS])
{
    int count = 0;
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        if (brume_has_field(&sim->def, (BrumeFieldId)id)) {
            fields[count++] = &sim->fields[id];
        }
    }
    for (int axis = 0; axis < 3; axis++) {
        fields[count++] = &sim->previous[axis];
    }
    for (int n = 0; n < BRUME_SCRATCH_FIELDS; n++) {
        fields[count++] = &sim->scratch[n];
    }
    for (int n = 0; n < 3 * BRUME_TEXTURE_LAYERS && sim->def.texture_period > 0.0f; n++) {
        fields[count++] = &sim->texture[n / 3][n % 3];
    }
    return count;
}

// the initial fields, with the boundary conditions of sides and bodies
static BrumeStatus set_first_state(BrumeSim *sim, BrumeError *error)
{
    const BrumeStatus status = brume_set_initial_fields(sim, error);
    if (status == BRUME_OK) {
        brume_set_velocity_boundary(sim);
        brume_set_scalar_ghosts(sim);
        brume_make_divergence_free(sim);
        (void)brume_measure_flow(sim);
        return brume_bear_initial_particles(sim, error);
    }
    return status;
}

// the equal name in a list that ends with NULL, which stays valid; `name` itself if there is none
static const char *listed_name(const char *(*list)(int index), const char *name)
{
    for (int n = 0; name && list(n); n++) {
        if (strcmp(list(n), name) == 0) {
            return list(n);
        }
    }
    return name;
}

void brume_complete_settings(BrumeSimDef *def)
{
    const BrumeIntegrator *integrator = brume_integrator_find(def->integrator);
    if (integrator->replace_settings) {
        integrator->replace_settings(def);
    }
    def->integrator = listed_name(brume_integrator_name, def->integrator);
    def->advection = listed_name(brume_advection_name, def->advection);
    def->transport = listed_name(brume_transport_name, def->transport);
    def->solids = listed_name(brume_solids_name, def->solids);
    def->pressure = listed_name(brume_pressure_name, def->pressure);
    def->kernels = listed_name(brume_kernels_name, def->kernels);
}

BrumeStatus brume_sim_create(BrumeSim **sim, const BrumeSimDef *def, BrumeError *error)
{
    *sim = NULL;
    const BrumeStatus status = brume_sim_check(def, error);
    if (status != BRUME_OK) {
        return status;
    }
    return def->far_factor > 1 ? brume_far_create(sim, def, error) : brume_sim_create_in(sim, def, NULL, true, error);
}

BrumeStatus brume_sim_create_in(BrumeSim **sim, const BrumeSimDef *def, BrumeFar *far, bool initial, BrumeError *error)
{
    *sim = NULL;
    BrumeStatus status;
    BrumeSim *created = brume_alloc(1, sizeof *created);
    if (!created) {
        return brume_out_of_memory(error, "a simulation");
    }
    created->def = *def;
    created->far = far;
    brume_settings_retain(def);
    brume_complete_settings(&created->def);
    brume_object_ids_resize(&created->emitter_ids, def->emitter_count);
    brume_object_ids_resize(&created->body_ids, def->body_count);
    created->integrator = brume_integrator_find(def->integrator);
    status =
        brume_advection_create(&created->advection, &created->def, brume_kernels_find(def->kernels)->advection, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    status = brume_transport_create(&created->scalar_transport, &created->def, brume_kernels_find(def->kernels)->flux,
                                    error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    brume_restart_texture(created, 0.0);
    BrumeField *fields[BRUME_MAX_FIELDS];
    const int count = brume_list_fields(created, fields);
    for (int n = 0; n < count; n++) {
        status = brume_field_create(fields[n], brume_settings_grid(def), error);
        if (status != BRUME_OK) {
            goto cleanup;
        }
    }
    created->planes = brume_alloc(BRUME_PLANE_VALUES * (size_t)(def->nz + 2), sizeof *created->planes);
    if (!created->planes) {
        status = brume_out_of_memory(error, "a simulation");
        goto cleanup;
    }
    created->deformed_time.now = 1;
    status = brume_deformed_create(&created->deformed, &created->def, &created->deformed_time, NULL, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    const BrumeSimDef present = brume_deformed_settings(created->deformed, &created->def, 1);
    status = brume_geometry_create(&created->geometry, &present, brume_kernels_find(def->kernels)->projection, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    if (initial) {
        status = set_first_state(created, error);
        status = status == BRUME_OK ? brume_check_finite(created, error) : status;
    }

cleanup:
    if (status != BRUME_OK) {
        created->far = NULL; // of the caller
        brume_sim_destroy(created);
        return status;
    }
    *sim = created;
    return BRUME_OK;
}

BrumeStatus brume_sim_create_without_state(BrumeSim **sim, const BrumeSimDef *def, BrumeError *error)
{
    BrumeSimDef settings = *def;
    settings.initial_count = 0;
    *sim = NULL;
    const BrumeStatus status = brume_sim_create(sim, &settings, error);
    if (status == BRUME_OK && *sim) {
        (*sim)->def.initial_count = def->initial_count;
        brume_settings_retain(def); // the simulation has a reference to all samples but those of initial fields
        brume_settings_release(&settings);
    }
    return status;
}

void brume_sim_destroy(BrumeSim *sim)
{
    if (!sim) {
        return;
    }
    brume_far_destroy(sim->far);
    brume_geometry_destroy(sim->geometry);
    brume_cells_destroy(&sim->spare_cells);
    brume_deformed_destroy(sim->deformed);
    brume_particles_destroy(&sim->particles);
    brume_release_emitter_samples(sim);
    brume_settings_release(&sim->def);
    brume_free(sim->planes);
    brume_advection_destroy(sim->advection);
    brume_transport_destroy(sim->scalar_transport);
    BrumeField *fields[BRUME_MAX_FIELDS];
    const int count = brume_list_fields(sim, fields);
    for (int n = 0; n < count; n++) {
        brume_field_destroy(fields[n]);
    }
    brume_free(sim);
}

size_t brume_sim_bytes(const BrumeSim *sim)
{
    return sizeof *sim + brume_sim_divided_bytes(sim) +
           BRUME_PLANE_VALUES * (size_t)(sim->def.nz + 2) * sizeof *sim->planes + brume_transport_bytes(&sim->def) +
           brume_geometry_bytes(sim->geometry) + (sim->spare_cells.flags ? brume_cells_bytes(&sim->spare_cells) : 0) +
           brume_deformed_bytes(sim->deformed) + brume_particles_bytes(&sim->particles) +
           (sim->far ? brume_far_bytes(sim->far) : 0);
}
