/**
 * @file fine_frame.h
 * The smoke of a frame in cells smaller by a whole factor, carried from the fine frame before it (fine_frame.c,
 * docs/volumes.md, Refining).
 */
#ifndef BRUME_REFINE_FINE_FRAME_H
#define BRUME_REFINE_FINE_FRAME_H

#include "raymarch/texture_noise.h"
#include "refine/vector_grid.h"

/** Memory that one fine frame after the other uses for its turbulence; all zero: none yet. */
typedef struct BrumeFineMemory {
    float *values; ///< all 0 between two frames
    size_t count;
} BrumeFineMemory;

/** Frees the memory. */
void brume_fine_memory_destroy(BrumeFineMemory *memory);

/** How the smoke has moved since the frame before. */
typedef struct BrumeFineMotion {
    const BrumeFrameGrids *previous;     ///< the fine frame before
    const BrumeVectorGrid *displacement; ///< brume_trace_back to the frame before [cells]
    const BrumeTextureNoise *turbulence; ///< of brume_turbulence
    BrumeFineMemory *memory;
} BrumeFineMotion;

/**
 * Fills `fine`, which is all zero or an earlier fine frame of as many cells, whose memory is used again, with the smoke
 * and the temperature of a frame in factor^3 cells for each of its cells; with `motion` NULL, the smoke of the cells is
 * interpolated. The sum of each kind of smoke times the volume of a cell equals that of the coarse frame, to 1e-5.
 * BRUME_BAD_INPUT where the frame has no smoke or the previous one lacks a grid, BRUME_FAILED without memory; the
 * caller frees `fine` in any case. Parallel over z-planes.
 */
BrumeStatus brume_fine_frame(BrumeFrameGrids *fine, const BrumeFrameGrids *coarse, int factor,
                             const BrumeFineMotion *motion, BrumeError *error);

/**
 * Adds a grid to `fine`, whose name and unit are those of a grid of `coarse`; creates the cells of `fine` where it has
 * none. Fails as brume_frame_grids_add does.
 */
BrumeStatus brume_fine_frame_add(BrumeFrameGrids *fine, const BrumeFrameGrids *coarse, int factor,
                                 const BrumeFrameGrid *grid, BrumeFrameGrid **added, BrumeError *error);

#endif
