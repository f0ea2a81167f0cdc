#include "viewer/simulation/snapshot.h"
#include "core/field.h"
#include "core/vec3.h"
#include "sim/measures/measures_internal.h"

#include <string.h>

void brume_snapshot_free_fields(BrumeSnapshotVariant *variant)
{
    for (int n = 0; n < BRUME_SNAPSHOT_FIELDS; n++) {
        brume_field_destroy(&variant->fields[n]);
        variant->fields[n] = (BrumeField){0};
    }
    brume_particle_copy_destroy(&variant->particles);
}

size_t brume_snapshot_bytes(const BrumeSnapshotVariant *variant)
{
    size_t bytes = brume_particle_copy_bytes(&variant->particles);
    for (int n = 0; n < BRUME_SNAPSHOT_FIELDS; n++) {
        const BrumeField *field = &variant->fields[n];
        bytes += field->data ? brume_grid_entries(field->grid) * sizeof(float) : 0;
    }
    return bytes;
}

static BrumeStatus copy_field(BrumeField *to, const BrumeField *from, BrumeError *error)
{
    if (to->data && !(from && brume_same_grid(to->grid, from->grid))) {
        brume_field_destroy(to);
        *to = (BrumeField){0};
    }
    if (!from) {
        return BRUME_OK;
    }
    if (!to->data) {
        const BrumeStatus status = brume_field_create(to, from->grid, error);
        if (status != BRUME_OK) {
            return status;
        }
    }
#pragma omp parallel for schedule(static)
    for (int k = 0; k < from->grid.nz + 2; k++) {
        memcpy(to->data + to->sz * k, from->data + from->sz * k, (size_t)from->sz * sizeof(float));
    }
    return BRUME_OK;
}

static BrumeStatus copy_fields(BrumeSnapshotVariant *variant, const BrumeField *const fields[BRUME_SNAPSHOT_FIELDS],
                               const BrumeParticle *particles, int particle_count, BrumeError *error)
{
    BrumeStatus status = brume_particle_copy_set(&variant->particles, particles, particle_count, error);
    for (int n = 0; n < BRUME_SNAPSHOT_FIELDS && status == BRUME_OK; n++) {
        status = copy_field(&variant->fields[n], fields[n], error);
    }
    if (status != BRUME_OK) {
        brume_snapshot_free_fields(variant);
    }
    return status;
}

BrumeStatus brume_snapshot_capture(BrumeSnapshotVariant *variant, const BrumeSim *sim, const BrumeFrameStats *stats,
                                   BrumeError *error)
{
    variant->settings = *brume_sim_settings(sim);
    variant->origin = brume_sim_window(sim)->origin;
    variant->stats = *stats;
    variant->sim_bytes = brume_sim_bytes(sim);
    variant->has_forces = false;
    const BrumeField *fields[BRUME_SNAPSHOT_FIELDS];
    for (int n = 0; n < BRUME_SNAPSHOT_FIELDS; n++) {
        const int component = n - BRUME_SNAPSHOT_TEXTURE;
        fields[n] = component < 0 ? brume_sim_field(sim, (BrumeFieldId)n)
                                  : brume_sim_texture(sim, component / 3, component % 3);
    }
    variant->texture_time = brume_sim_time(sim);
    int particle_count;
    const BrumeParticle *particles = brume_sim_particles(sim, &particle_count);
    return copy_fields(variant, fields, particles, particle_count, error);
}

void brume_snapshot_measure_forces(BrumeSnapshotVariant *variant, const BrumeSim *sim)
{
    variant->has_forces = brume_has_bodies(&variant->settings) && brume_holds(sim, BRUME_VALID_VELOCITY);
    if (variant->has_forces) {
        BrumeMeasures measures = {0};
        brume_measure_bodies(sim, &measures);
        for (int n = 0; n < measures.body_count; n++) {
            const BrumeBodyForce *force = &measures.bodies[n];
            variant->forces[n] = brume_vec3((float)(force->pressure[0] + force->viscous[0]),
                                            (float)(force->pressure[1] + force->viscous[1]),
                                            (float)(force->pressure[2] + force->viscous[2]));
        }
    }
}

BrumeStatus brume_snapshot_copy(BrumeSnapshotVariant *variant, const BrumeSnapshotVariant *from, BrumeError *error)
{
    variant->settings = from->settings;
    variant->origin = from->origin;
    variant->stats = from->stats;
    variant->sim_bytes = from->sim_bytes;
    variant->has_forces = from->has_forces;
    memcpy(variant->forces, from->forces, sizeof variant->forces);
    const BrumeField *fields[BRUME_SNAPSHOT_FIELDS];
    for (int n = 0; n < BRUME_SNAPSHOT_FIELDS; n++) {
        fields[n] = from->fields[n].data ? &from->fields[n] : NULL;
    }
    variant->texture_time = from->texture_time;
    return copy_fields(variant, fields, from->particles.items, from->particles.count, error);
}

void brume_snapshot_destroy(BrumeSnapshot *snapshot)
{
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        brume_snapshot_free_fields(&snapshot->variants[n]);
    }
}

BrumeVolume brume_snapshot_volume(const BrumeSnapshotVariant *variant)
{
    const BrumeField *densities[BRUME_VOLUME_KINDS];
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        densities[kind] = &variant->fields[BRUME_FIELD_DENSITY + kind];
    }
    BrumeVolume volume = brume_volume_from_fields(densities, variant->settings.dx, variant->origin);
    volume.particles = variant->particles.items;
    volume.particle_count = variant->particles.count;
    const BrumeField *temperature = &variant->fields[BRUME_FIELD_TEMPERATURE];
    volume.temperature = temperature->data ? temperature->data + brume_field_index(temperature, 1, 1, 1) : NULL;
    const BrumeField *pressure = &variant->fields[BRUME_FIELD_PRESSURE];
    volume.pressure = pressure->data ? pressure->data + brume_field_index(pressure, 1, 1, 1) : NULL;
    for (int axis = 0; axis < 3 && variant->fields[BRUME_FIELD_U].data; axis++) {
        const BrumeField *component = &variant->fields[BRUME_FIELD_U + axis];
        volume.velocity[axis] = component->data + brume_field_index(component, 1, 1, 1);
        volume.velocity_sx = 1;
        volume.velocity_sy = component->sy;
        volume.velocity_sz = component->sz;
        volume.velocity_on_faces = true;
    }
    const BrumeField *texture = &variant->fields[BRUME_SNAPSHOT_TEXTURE];
    for (int n = 0; n < BRUME_SNAPSHOT_TEXTURES && texture[n].data; n++) {
        const BrumeField *field = &texture[n];
        volume.texture[n / 3][n % 3] = field->data + brume_field_index(field, 1, 1, 1);
        volume.texture_sx = 1;
        volume.texture_sy = field->sy;
        volume.texture_sz = field->sz;
        volume.texture_time = variant->texture_time;
        volume.texture_period = (double)variant->settings.texture_period;
    }
    return volume;
}
