/**
 * @file mesh_crossings.h
 * Where the surface of a mesh lies between the centers of cells, found once for all cells.
 */
#ifndef BRUME_SIM_GRID_MESH_CROSSINGS_H
#define BRUME_SIM_GRID_MESH_CROSSINGS_H

#include "brume/sim_def.h"
#include "core/error.h"
#include "core/mesh/lattice.h"
#include "core/shape.h"
#include "sim/grid/cells.h"

/** The bits of core/mesh/lattice.h at the centers of the cells, ghosts included, around a mesh, or at their lower
 * corners. */
typedef struct BrumeMeshCrossings {
    BrumeIndexBox box; ///< cells that have bits
    uint8_t *bits;     ///< NULL: not found
} BrumeMeshCrossings;

/**
 * Finds the crossings of a shape with the segments between the centers of adjacent cells, or `at_corners` between
 * their lower corners. They stay without bits where
 * it is no mesh with triangles, or one that is so large compared with a cell that its coordinates do not fit.
 * BRUME_FAILED without memory. To be freed with brume_free(bits).
 */
BrumeStatus brume_cross_mesh(BrumeMeshCrossings *crossings, const BrumeSimDef *def, const BrumePlacedShape *placed,
                             bool at_corners, BrumeError *error);

/** The bits of a cell; 0 outside the box. */
static inline int brume_crossing_bits(const BrumeMeshCrossings *crossings, int i, int j, int k)
{
    const int *from = crossings->box.from;
    const int *to = crossings->box.to;
    if (i < from[0] || j < from[1] || k < from[2] || i > to[0] || j > to[1] || k > to[2]) {
        return 0;
    }
    const ptrdiff_t row = (ptrdiff_t)(to[1] - from[1] + 1) * (k - from[2]) + (j - from[1]);
    return crossings->bits[row * (to[0] - from[0] + 1) + (i - from[0])];
}

#endif
