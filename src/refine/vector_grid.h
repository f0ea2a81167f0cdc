/**
 * @file vector_grid.h
 * Vectors at the centers of the cells of a frame, and paths along a velocity.
 *
 * Points are in cells from the lower corner of the box, so that the center of cell (i, j, k) is (i + 1/2, j + 1/2, k +
 * 1/2). Beyond the outermost centers their values hold.
 */
#ifndef BRUME_REFINE_VECTOR_GRID_H
#define BRUME_REFINE_VECTOR_GRID_H

#include "core/error.h"
#include "core/field.h"
#include "exchange/frame_grids.h"
#include "raymarch/texture_noise.h"

#include <stdbool.h>

/** Vectors of one grid, each with a fourth value for any use. */
typedef struct BrumeVectorGrid {
    BrumeGrid grid;
    float *values; ///< (nz+2 x ny+2 x nx+2 x 4); the ghosts repeat the outermost cells
} BrumeVectorGrid;

/** Allocates vectors of zeros. BRUME_FAILED without memory; to be destroyed in any case. */
BrumeStatus brume_vector_grid_create(BrumeVectorGrid *vectors, BrumeGrid grid, BrumeError *error);

void brume_vector_grid_destroy(BrumeVectorGrid *vectors);

/** Exchanges the values of two grids of the same cells. */
static inline void brume_vector_grid_swap(BrumeVectorGrid *a, BrumeVectorGrid *b)
{
    float *values = a->values;
    a->values = b->values;
    b->values = values;
}

/** The vector at an entry; 0 and n + 1 are ghosts. */
static inline float *brume_vector_entry(const BrumeVectorGrid *vectors, int i, int j, int k)
{
    const ptrdiff_t sy = vectors->grid.nx + 2;
    const ptrdiff_t sz = sy * (vectors->grid.ny + 2);
    return vectors->values + 4 * (i + sy * j + sz * k);
}

/** The vector at a point [cells], interpolated trilinearly. */
BRUME_INLINE BrumeFloat4 brume_vector_at(const BrumeVectorGrid *vectors, BrumeFloat4 point)
{
    const BrumeGrid grid = vectors->grid;
    const ptrdiff_t sy = 4 * ((ptrdiff_t)grid.nx + 2);
    float fx;
    float fy;
    float fz;
    const int i = brume_split_position(point[0], grid.nx, &fx);
    const int j = brume_split_position(point[1], grid.ny, &fy);
    const int k = brume_split_position(point[2], grid.nz, &fz);
    return brume_trilinear4(brume_vector_entry(vectors, i, j, k), 4, sy, sy * (grid.ny + 2), fx, fy, fz);
}

/**
 * Copies the velocity of a frame [m/s], at the centers or the means of that on the faces; the vectors have the cells of
 * the frame. Values that are not finite become 0. False where the frame has no velocity.
 */
bool brume_load_velocity(BrumeVectorGrid *velocity, const BrumeFrameGrids *frame);

/** Copies a vector grid of a frame times `scale`; false where it has none of this name. */
bool brume_load_vectors(BrumeVectorGrid *vectors, const BrumeFrameGrids *frame, const char *name, float scale);

/** Sets `mean` to the means of two grids of the same cells. */
void brume_vector_grid_mean(BrumeVectorGrid *mean, const BrumeVectorGrid *a, const BrumeVectorGrid *b);

/**
 * Sets the displacements [cells] from the center of each cell to where its air was `seconds` ago, or where it will be
 * if that is negative, in a steady velocity [m/s] on cells of side `dx` [m]: by the midpoint rule, in as many equal
 * parts, up to 16, as no path crosses more than one cell in one of them. Parallel over z-planes.
 */
void brume_trace_back(BrumeVectorGrid *displacements, const BrumeVectorGrid *velocity, double seconds, double dx);

#endif
