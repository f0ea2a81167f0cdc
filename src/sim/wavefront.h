/**
 * @file wavefront.h
 * Several stages over the planes of a box in one pass through memory. A stage updates a plane from what the stage
 * before left in that plane and the two beside it, as a half-sweep of one color does: stage s may therefore follow
 * stage s-1 one plane behind, while the planes are still in the cache (a wavefront: Wellein, Hager, Zeiser, Wittmann,
 * Fehske 2009, "Efficient temporal blocking for stencil computations by multicore-aware wavefront parallelization").
 *
 * Each thread has a slab of planes. A stage leaves out one more plane than the stage before at each end of a slab that
 * has a neighbor; these triangles are done when all slabs are. Within a slab, rows are cut into blocks that a core's
 * own cache holds with all the planes in flight; a block lies one row further back in each stage.
 *
 * What a visit reads and writes is the same in any order that this allows, so results do not depend on the threads.
 */
#ifndef BRUME_SIM_WAVEFRONT_H
#define BRUME_SIM_WAVEFRONT_H

#include "core/field.h"

#include <stdbool.h>

/** The most stages of a wave. */
enum { BRUME_WAVEFRONT_STAGES = 5 };

/**
 * What is visited. Of each plane, every stage visits the rows in ascending order. Planes 2n - 1 and 2n are visited by
 * one thread, in this order, in stages 0 and 4; in a wave with `wrap`, only where the number of planes is even.
 */
typedef struct BrumeWavefront {
    void *context;
    BrumeGrid grid;
    int stages;    ///< 1..BRUME_WAVEFRONT_STAGES
    bool parallel; ///< whether the grid is worth a team
    bool whole;    ///< stages copy rows across a periodic y, so that rows are not cut into blocks
    bool in_step;  ///< every stage is done everywhere before the next begins
    void (*visit)(void *context, int stage, int k, int from, int to); ///< rows from..to-1 of plane k
    void (*wrap)(void *context); ///< renews the ghost planes between stages; NULL where z is not periodic
} BrumeWavefront;

/** Visits all rows of all planes in all stages; with `wrap`, the ghost planes are in order afterwards. */
void brume_wavefront_run(const BrumeWavefront *wave);

#endif
