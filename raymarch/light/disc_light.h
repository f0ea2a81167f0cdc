/**
 * @file disc_light.h
 * The transmittance of a medium for the light of a disc of directions, as of a sun: its mean over directions that are
 * spread evenly over the disc. It is stored on the lattice of the disc's center. Penumbrae are as wide in smoke as the
 * disc makes them.
 */
#ifndef BRUME_RAYMARCH_LIGHT_DISC_LIGHT_H
#define BRUME_RAYMARCH_LIGHT_DISC_LIGHT_H

#include "brume/render_settings.h"
#include "raymarch/grid_medium.h"
#include "raymarch/light/transmittance_sweep.h"

#include <stdbool.h>
#include <stddef.h>

enum { BRUME_DISC_FEWEST = 4, BRUME_DISC_MOST = 32 }; ///< directions; their number is a power of two

/** Entries of the scratch sweep for the disc of `light`, whose direction is of unit length, and grids up to `grid`. */
size_t brume_disc_light_entries(const BrumeLight *light, BrumeGrid grid, int per_cell);

/** Whether a direction of the disc is swept along x, for which the transposed extinction is needed. */
bool brume_disc_light_along_x(const BrumeLight *light);

/**
 * Fills `sweep` with the eighth root of the mean transmittance over at most `most` directions of the disc, a power of
 * two; wide discs in large grids have most. `scratch` has the entries of brume_disc_light_entries; solids cast shadows,
 * and the ground hides the part of the disc below the horizon. Parallel over rows of rays.
 */
void brume_disc_light_fill(BrumeTransmittanceSweep *sweep, BrumeTransmittanceSweep *scratch, const BrumeLight *light,
                           const BrumeGridMedium *medium, const BrumeField *transposed,
                           const BrumeRenderSettings *settings, int per_cell, int most);

#endif
