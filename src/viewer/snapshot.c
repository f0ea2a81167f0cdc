#include "viewer/snapshot.h"

BrumeVolume brume_snapshot_smoke(const BrumeSnapshotSide *side)
{
    const BrumeField *smoke = &side->fields[BRUME_FIELD_DENSITY];
    BrumeVolume volume = {
        .nx = smoke->grid.nx,
        .ny = smoke->grid.ny,
        .nz = smoke->grid.nz,
        .sy = smoke->sy,
        .sz = smoke->sz,
        .dx = side->settings.dx,
        .origin = side->settings.origin,
    };
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        const BrumeField *density = &side->fields[BRUME_FIELD_DENSITY + kind];
        volume.density[kind] = density->data ? density->data + brume_field_index(density, 1, 1, 1) : NULL;
    }
    return volume;
}
