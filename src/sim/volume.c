/*
 * From fields of densities to the volume that renderers draw: pointers into the fields, no copies.
 */
#include "brume/volume.h"

#include "brume/sim.h"

BrumeVolume brume_volume_from_fields(const BrumeField *const densities[BRUME_VOLUME_KINDS], float dx, BrumeVec3 origin)
{
    const BrumeField *first = densities[0];
    BrumeVolume volume = {
        .nx = first->grid.nx,
        .ny = first->grid.ny,
        .nz = first->grid.nz,
        .sy = first->sy,
        .sz = first->sz,
        .dx = dx,
        .origin = origin,
    };
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        const BrumeField *density = densities[kind];
        volume.density[kind] = density && density->data ? density->data + brume_field_index(density, 1, 1, 1) : NULL;
    }
    return volume;
}

BrumeVolume brume_sim_volume(const BrumeSim *sim)
{
    const BrumeSimDef *def = brume_sim_settings(sim);
    const BrumeField *densities[BRUME_VOLUME_KINDS];
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        densities[kind] = brume_sim_field(sim, (BrumeFieldId)(BRUME_FIELD_DENSITY + kind));
    }
    return brume_volume_from_fields(densities, def->dx, def->origin);
}
