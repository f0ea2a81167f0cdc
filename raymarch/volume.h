/**
 * @file volume.h
 * What the renderers draw: densities on a regular grid, wherever they come from.
 */
#ifndef BRUME_RAYMARCH_VOLUME_H
#define BRUME_RAYMARCH_VOLUME_H

#include "core/vec3.h"

#include <stddef.h>

enum { BRUME_VOLUME_KINDS = 4 };

/**
 * Up to four kinds of smoke on nx x ny x nz cells. Arrays are (nz x ny x nx), x fastest, and may be windows into
 * larger ones: `sy` and `sz` are the entries from row to row and plane to plane.
 */
typedef struct BrumeVolume {
    int nx, ny, nz;
    ptrdiff_t sy, sz;
    float dx;                                 ///< side of a cell [m]
    BrumeVec3 origin;                         ///< lower corner of the box [m]
    const float *density[BRUME_VOLUME_KINDS]; ///< entry of cell (0, 0, 0) [1]; NULL for a kind that is absent
} BrumeVolume;

#endif
