/**
 * @file texture_coordinates.h
 * Texture coordinates of two layers that follow a sequence of velocities, as those of a simulation with
 * `solver.texture_period` do (docs/rendering.md, Detail below the size of cells), for files that have none.
 */
#ifndef BRUME_REFINE_TEXTURE_COORDINATES_H
#define BRUME_REFINE_TEXTURE_COORDINATES_H

#include "brume/volume.h"
#include "refine/vector_grid.h"

/** From each cell to where its air was when the layer started [cells]. All zero: not created. */
typedef struct BrumeTextureCoordinates {
    BrumeVectorGrid layers[BRUME_TEXTURE_LAYERS];
    BrumeVectorGrid scratch;
} BrumeTextureCoordinates;

/** Starts both layers. BRUME_FAILED without memory; to be destroyed in any case. */
BrumeStatus brume_texture_coordinates_create(BrumeTextureCoordinates *texture, BrumeGrid grid, BrumeError *error);

void brume_texture_coordinates_destroy(BrumeTextureCoordinates *texture);

/**
 * Advects the coordinates from `start` to `end` [s] by the displacements of brume_trace_back over this time, and starts
 * the layers again whose time it is at the end. `period` [s] is above 0.
 */
void brume_texture_coordinates_advect(BrumeTextureCoordinates *texture, const BrumeVectorGrid *displacements,
                                      double start, double end, double period);

#endif
