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
 * The same division applies to the ranks that share the grid (core/domain.h): each omits the triangles at the ends of
 * its planes that border another rank. One exchange follows, and then both ranks process the triangle, of which they
 * need the own part: near the end they also compute, alike, the planes of the other rank that later stages read.
 *
 * Every permitted order gives each visit the same input, so results depend neither on the number of threads nor of
 * ranks.
 */
#ifndef BRUME_SIM_GRID_WAVEFRONT_H
#define BRUME_SIM_GRID_WAVEFRONT_H

#include "core/field.h"

#include <stdbool.h>

/** Largest number of stages in a wavefront. */
enum { BRUME_WAVEFRONT_STAGES = 5 };

/**
 * The stages and the box that they run over. Each stage visits the rows of a plane in ascending order. In stages 0 and
 * 4, one thread visits planes 2n - 1 and 2n, in this order; with `wrap`, only where the number of planes is even. The
 * slabs of ranks start with an odd plane.
 */
typedef struct BrumeWavefront {
    void *context; ///< passed to `visit` and `wrap`
    BrumeGrid grid;
    int stages;          ///< 1 to BRUME_WAVEFRONT_STAGES
    bool parallel;       ///< whether the grid is large enough to be divided among threads
    bool whole_planes;   ///< rows are not cut into blocks, because stages copy rows across a periodic y
    bool stage_by_stage; ///< each stage completes in the whole box before the next one starts
    BrumeField *x;       ///< which the stages update and read in adjacent planes; NULL if only this rank has planes
    const BrumeField *b; ///< read in the planes that are updated, where its owner has changed it; else NULL
    /** Runs `stage` on the rows from..to-1 of plane k. */
    void (*visit)(void *context, int stage, int k, int from, int to);
    /** Copies the ghost planes of a periodic z between two stages; NULL where z is not periodic. */
    void (*wrap)(void *context);
} BrumeWavefront;

/**
 * Runs all stages on all rows of all planes of this rank. If several ranks have planes, those of x of other ranks and
 * the ghost planes of a periodic z are undefined afterwards, unless there are two stages, of which the last one does
 * not write x; then one plane on each side is up to date. Otherwise the ghost planes are, with `wrap`.
 */
void brume_wavefront_run(const BrumeWavefront *wavefront);

/** Whether the ranks that have planes have enough of them to omit triangles of `stages` stages at both ends. */
bool brume_wavefront_fits(BrumeGrid grid, int stages);

#endif
