/**
 * @file solids.h
 * What the fields hold inside obstacles: nothing in the state, and in the two layers below their surface a smooth
 * continuation of the air outside while traces read there.
 */
#ifndef BRUME_SIM_BOUNDARY_SOLIDS_H
#define BRUME_SIM_BOUNDARY_SOLIDS_H

#include "core/error.h"
#include "sim/boundary/cells.h"

#include <stddef.h>
#include <stdint.h>

enum { BRUME_RIM_LAYERS = 2, BRUME_RIM_LISTS = 4 };

/** An entry below the surface and the neighbours that it continues. */
typedef struct BrumeRimEntry {
    int32_t index;
    int32_t sources[6];
    int32_t count;
} BrumeRimEntry;

/** The entries of one layer below the surface. */
typedef struct BrumeRimLayer {
    BrumeRimEntry *entries;
    ptrdiff_t count;
} BrumeRimLayer;

/** Rims of u, v, w and of what sits at the centers. */
typedef struct BrumeSolids {
    BrumeRimLayer rims[BRUME_RIM_LISTS][BRUME_RIM_LAYERS];
} BrumeSolids;

/** Lists the rims of all obstacles. BRUME_FAILED without memory. */
BrumeStatus brume_solids_create(BrumeSolids *solids, const BrumeCells *cells, BrumeError *error);

void brume_solids_destroy(BrumeSolids *solids);

/** Bytes held. */
size_t brume_solids_bytes(const BrumeSolids *solids);

/** Sets every entry inside obstacles, and every face on their surface, to 0. `location` 0 to 2 faces, 3 centers. */
void brume_solids_clear(const BrumeCells *cells, int location, BrumeField *field);

/** The same for row (j, k) alone, with the face on its upper end; by one thread. */
void brume_solids_clear_row(const BrumeCells *cells, int location, BrumeField *field, int j, int k);

/** Continues the air's values into the two layers below the surface: each is the mean of its known neighbours. */
void brume_solids_fill_rims(const BrumeSolids *solids, int location, BrumeField *field);

#endif
