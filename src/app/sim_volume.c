#include "app/sim_volume.h"

BrumeVolume brume_sim_volume(const BrumeSim *sim)
{
    const BrumeSimDef *def = brume_sim_settings(sim);
    const BrumeField *smoke = brume_sim_field(sim, BRUME_FIELD_DENSITY);
    BrumeVolume volume = {
        .nx = def->nx,
        .ny = def->ny,
        .nz = def->nz,
        .sy = smoke->sy,
        .sz = smoke->sz,
        .dx = def->dx,
        .origin = def->origin,
    };
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        const BrumeField *density = brume_sim_field(sim, (BrumeFieldId)(BRUME_FIELD_DENSITY + kind));
        volume.density[kind] = density ? density->data + brume_field_index(density, 1, 1, 1) : NULL;
    }
    return volume;
}
