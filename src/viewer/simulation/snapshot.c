#include "viewer/simulation/snapshot.h"
#include "core/field.h"

#include <string.h>

static void free_fields(BrumeSnapshotVariant *variant)
{
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        brume_field_destroy(&variant->fields[id]);
        variant->fields[id] = (BrumeField){0};
    }
    for (int n = 0; n < 3 * BRUME_TEXTURE_LAYERS; n++) {
        brume_field_destroy(&variant->texture[n / 3][n % 3]);
        variant->texture[n / 3][n % 3] = (BrumeField){0};
    }
}

static bool same_grid(BrumeGrid a, BrumeGrid b) { return a.nx == b.nx && a.ny == b.ny && a.nz == b.nz; }

static BrumeStatus copy_field(BrumeField *to, const BrumeField *from, BrumeError *error)
{
    if (to->data && !(from && same_grid(to->grid, from->grid))) {
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

static BrumeStatus copy_fields(BrumeSnapshotVariant *variant, const BrumeField *const fields[BRUME_FIELD_COUNT],
                               const BrumeField *const texture[3 * BRUME_TEXTURE_LAYERS], BrumeError *error)
{
    for (int n = 0; n < 3 * BRUME_TEXTURE_LAYERS; n++) {
        if (copy_field(&variant->texture[n / 3][n % 3], texture[n], error) != BRUME_OK) {
            free_fields(variant);
            return BRUME_FAILED;
        }
    }
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        if (copy_field(&variant->fields[id], fields[id], error) != BRUME_OK) {
            free_fields(variant);
            return BRUME_FAILED;
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_snapshot_capture(BrumeSnapshotVariant *variant, const BrumeSim *sim, const BrumeFrameStats *stats,
                                   BrumeError *error)
{
    variant->settings = *brume_sim_settings(sim);
    variant->stats = *stats;
    variant->sim_bytes = brume_sim_bytes(sim);
    const BrumeField *fields[BRUME_FIELD_COUNT];
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        fields[id] = brume_sim_field(sim, (BrumeFieldId)id);
    }
    const BrumeField *texture[3 * BRUME_TEXTURE_LAYERS];
    for (int n = 0; n < 3 * BRUME_TEXTURE_LAYERS; n++) {
        texture[n] = brume_sim_texture(sim, n / 3, n % 3);
    }
    variant->texture_time = brume_sim_time(sim);
    return copy_fields(variant, fields, texture, error);
}

BrumeStatus brume_snapshot_copy(BrumeSnapshotVariant *variant, const BrumeSnapshotVariant *from, BrumeError *error)
{
    variant->settings = from->settings;
    variant->stats = from->stats;
    variant->sim_bytes = from->sim_bytes;
    const BrumeField *fields[BRUME_FIELD_COUNT];
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        fields[id] = from->fields[id].data ? &from->fields[id] : NULL;
    }
    const BrumeField *texture[3 * BRUME_TEXTURE_LAYERS];
    for (int n = 0; n < 3 * BRUME_TEXTURE_LAYERS; n++) {
        const BrumeField *field = &from->texture[n / 3][n % 3];
        texture[n] = field->data ? field : NULL;
    }
    variant->texture_time = from->texture_time;
    return copy_fields(variant, fields, texture, error);
}

void brume_snapshot_destroy(BrumeSnapshot *snapshot)
{
    for (int n = 0; n < BRUME_MAX_VARIANTS; n++) {
        free_fields(&snapshot->variants[n]);
    }
}

BrumeVolume brume_snapshot_volume(const BrumeSnapshotVariant *variant)
{
    const BrumeField *densities[BRUME_VOLUME_KINDS];
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        densities[kind] = &variant->fields[BRUME_FIELD_DENSITY + kind];
    }
    BrumeVolume volume = brume_volume_from_fields(densities, variant->settings.dx, variant->settings.origin);
    const BrumeField *temperature = &variant->fields[BRUME_FIELD_TEMPERATURE];
    volume.temperature = temperature->data ? temperature->data + brume_field_index(temperature, 1, 1, 1) : NULL;
    for (int n = 0; n < 3 * BRUME_TEXTURE_LAYERS && variant->texture[n / 3][n % 3].data; n++) {
        const BrumeField *field = &variant->texture[n / 3][n % 3];
        volume.texture[n / 3][n % 3] = field->data + brume_field_index(field, 1, 1, 1);
        volume.texture_sx = 1;
        volume.texture_sy = field->sy;
        volume.texture_sz = field->sz;
        volume.texture_time = variant->texture_time;
        volume.texture_period = (double)variant->settings.texture_period;
    }
    return volume;
}
