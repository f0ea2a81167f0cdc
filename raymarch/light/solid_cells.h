/**
 * @file solid_cells.h
 * Solids on a coarse grid of scattered light. Cells inside solids are opaque. Cells that a surface crosses are opaque
 * in proportion to the part of them in the solid, and reflect: light that falls onto the surface, from lights and from
 * all directions, leaves it with the same radiance in all directions (Lambert's law).
 */
#ifndef BRUME_RAYMARCH_LIGHT_SOLID_CELLS_H
#define BRUME_RAYMARCH_LIGHT_SOLID_CELLS_H

#include "brume/error.h"
#include "core/field.h"
#include "core/vec3.h"

#include <stddef.h>
#include <stdint.h>

enum { BRUME_OUTSIDE_BOX = -1 }; ///< in place of an index: a surface that light from outside the box falls onto

/** A cell of the coarse grid that the surface of solids crosses. Indices are of fields of the grid. */
typedef struct BrumeSurfaceCell {
    int cell;
    uint32_t open;    ///< a bit for each of the 27 cells around this one, x fastest: almost without solids
    float filled;     ///< fraction of the cell inside solids; of thin ones, of the cell's cross-section
    float depth;      ///< optical depth of the cell
    BrumeVec3 normal; ///< mean of the front side, which has most of the area; of unit length
    float weight[2];  ///< fractions of the area of the front and of the back, which a thin plate has
    int probe[2][2];  ///< by side, an open cell before it: its index, and the index with x and z exchanged
    float per_cosine; ///< 1 / (sum over the ordinates of weight times cosine of the angle of incidence)
    BrumeVec3 albedo; ///< of the surface
    BrumeVec3 direct; ///< irradiance / pi by the light of lights
    BrumeVec3 share;  ///< of the solid in the cell's extinction
} BrumeSurfaceCell;

/** A cell inside a solid that is close to a surface cell, whose light it repeats. */
typedef struct BrumeInnerCell {
    int cell;
    int surface;     ///< index of the surface cell
    bool is_between; ///< whether surfaces on both sides of a wall are next to it; its source has no light of a light
} BrumeInnerCell;

/** The solids on one coarse grid. */
typedef struct BrumeSolidCells {
    int capacity; ///< of each of the arrays
    int surface_count, inner_count;
    BrumeSurfaceCell *surface;
    BrumeInnerCell *inner;
    float *irradiance; ///< / pi, of the surface cells from all directions (3 x capacity)
    float *sums;       ///< scratch of sweeps (3 x BRUME_SWEEP_TASKS x 3 x capacity)
} BrumeSolidCells;

/** Allocates for a grid. BRUME_FAILED without memory; to be destroyed in any case. */
BrumeStatus brume_solid_cells_create(BrumeSolidCells *solids, BrumeGrid grid, BrumeError *error);

void brume_solid_cells_destroy(BrumeSolidCells *solids);

/** Bytes allocated for a grid. */
size_t brume_solid_cells_bytes(BrumeGrid grid);

#endif
