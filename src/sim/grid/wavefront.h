/**
 * @file wavefront.h
 * Runs several stages over the z-planes of a box in one pass through memory. A stage updates a plane from the results
 * of the previous stage in that plane and in the two adjacent planes, as a half-sweep of red-black Gauss-Seidel does.
 * Stage s may therefore follow stage s-1 at a distance of one plane, while the planes are still in the cache (a
 * wavefront: Wellein, Hager, Zeiser, Wittmann, Fehske 2009, "Efficient temporal blocking for stencil computations by
 * multicore-aware wavefront parallelization").
 *
 * The threads divide the planes into slabs. At each end of a slab that borders another slab, a stage omits one plane
 * more than the previous stage; the omitted triangles are processed after all slabs. Within a slab, the rows are cut
 * into blocks such that the cache of one core holds a block of all planes in use; a block starts one row lower in each
 * stage.
 *
 * Every permitted order gives each visit the same input, so results do not depend on the number of threads.
 */
#ifndef BRUME_SIM_GRID_WAVEFRONT_H
#define BRUME_SIM_GRID_WAVEFRONT_H

#include "core/field.h"

#include <stdbool.h>

/** Largest number of stages in a wavefront. */
enum { BRUME_WAVEFRONT_STAGES = 5 };

/**
 * The stages and the box that they run over. Each stage visits the rows of a plane in ascending order. In stages 0 and
 * 4, one thread visits planes 2n - 1 and 2n, in this order; with `wrap`, only where the number of planes is even.
 */
typedef struct BrumeWavefront {
    void *context; ///< passed to `visit` and `wrap`
    BrumeGrid grid;
    int stages;          ///< 1 to BRUME_WAVEFRONT_STAGES
    bool parallel;       ///< whether the grid is large enough to be divided among threads
    bool whole_planes;   ///< rows are not cut into blocks, because stages copy rows across a periodic y
    bool stage_by_stage; ///< each stage completes in the whole box before the next one starts
    /** Runs `stage` on the rows from..to-1 of plane k. */
    void (*visit)(void *context, int stage, int k, int from, int to);
    /** Copies the ghost planes of a periodic z between two stages; NULL where z is not periodic. */
    void (*wrap)(void *context);
} BrumeWavefront;

/** Runs all stages on all rows of all planes. With `wrap`, the ghost planes are up to date afterwards. */
void brume_wavefront_run(const BrumeWavefront *wavefront);

#endif
