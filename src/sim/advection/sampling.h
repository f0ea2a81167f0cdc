/**
 * @file sampling.h
 * The geometry of the fast kernels: where a quantity may be sampled, and how rows are divided into segments and the box
 * into blocks.
 */
#ifndef BRUME_SIM_ADVECTION_SAMPLING_H
#define BRUME_SIM_ADVECTION_SAMPLING_H

#include "core/parallel/simd.h"
#include "sim/state/state.h"

enum {
    BRUME_SEGMENT = 64,                     ///< most entries of a row segment
    BRUME_BLOCK_ROWS = 4,                   ///< rows and planes of a block
    BRUME_DISPLACEMENT_UNBOUNDED = 1 << 20, ///< [cells], larger than any box
    BRUME_EMPTY_DISPLACEMENT = 64,          ///< [cells]; blocks with larger displacements are not tested for emptiness
};
_Static_assert((int)BRUME_SEGMENT % (int)BRUME_LANES == 0, "segments are divided into vectors");

/**
 * The positions at which the field of a quantity may be sampled in this step, in the index coordinates of the field:
 * entry i is at position i.
 */
typedef struct BrumeSamplingDomain {
    ptrdiff_t sy, sz;            ///< strides of the field
    ptrdiff_t entries;           ///< of the field, ghosts included
    float lowest[3], highest[3]; ///< positions are clamped to this range
    int32_t last[3];             ///< largest index of the lower one of two entries that are interpolated
    float period[3];             ///< [cells], 0 along an axis that is not periodic
    float inverse_period[3];     ///< 1 / period, or 0
    bool periodic;               ///< whether any axis is periodic
    int bound;                   ///< no displacement component exceeds this many cells
    int first_interior;          ///< first and last entries along each axis whose departure and arrival points
    int last_interior[3];        ///< and the points of the adjacent entries need no clamping
} BrumeSamplingDomain;

/**
 * An upper bound, in whole cells and at least 1, of the displacement components of a step in which the fastest air
 * moves by `displacement` [cells]; BRUME_DISPLACEMENT_UNBOUNDED where that is not finite or very large.
 */
int brume_displacement_bound(double displacement);

/**
 * The sampling domain of a quantity at a location (0 to 2: lower faces along that axis, or BRUME_AT_CENTER).
 * sim->advection->displacement_bound must be set.
 */
BrumeSamplingDomain brume_sampling_domain(const BrumeSim *sim, int location);

/** The number of blocks along each axis. Blocks at the upper sides may be smaller, or larger by one entry. */
typedef struct BrumeBlocks {
    int nx, ny, nz;
} BrumeBlocks;

static inline BrumeBlocks brume_blocks(BrumeGrid grid)
{
    return (BrumeBlocks){(grid.nx + BRUME_SEGMENT - 1) / BRUME_SEGMENT,
                         (grid.ny + BRUME_BLOCK_ROWS - 1) / BRUME_BLOCK_ROWS,
                         (grid.nz + BRUME_BLOCK_ROWS - 1) / BRUME_BLOCK_ROWS};
}

/** The index of block (x, y, z), counted from 0, x fastest. */
static inline size_t brume_block(const BrumeBlocks *blocks, int x, int y, int z)
{
    return (size_t)x + (size_t)blocks->nx * ((size_t)y + (size_t)blocks->ny * (size_t)z);
}

/** Entries (i..i+count-1, j, k) of a row; `count` is from BRUME_LANES to BRUME_SEGMENT. */
typedef struct BrumeRowSegment {
    int i, j, k, count;
    size_t block; ///< index of the block that contains it; for cell centers only
    size_t strip; ///< index of its strip, which is a block with a height of one plane; for cell centers only
} BrumeRowSegment;

/** A kernel: processes one row segment. */
typedef void BrumeSegmentKernel(const void *context, const BrumeRowSegment *segment);

/**
 * Calls `kernel` for the segments of row (j, k), entries 1..nx; nx is at least BRUME_LANES. Where nx is not a multiple
 * of the segment or vector length, some entries are processed twice: results must not depend on earlier results.
 */
void brume_for_each_segment_of_row(BrumeGrid grid, int j, int k, BrumeSegmentKernel *kernel, const void *context);

/** Active blocks (advection.h) as the rows of a plane see them. */
typedef struct BrumeRegion {
    const uint8_t *blocks; ///< NULL: all are active
    BrumeGrid cells;
    bool periodic[3];
} BrumeRegion;

/** As brume_for_each_segment_of_row for the faces in active blocks, and a few others that the last vector includes. */
void brume_for_each_active_segment_of_row(const BrumeRegion *region, BrumeGrid grid, int j, int k,
                                          BrumeSegmentKernel *kernel, const void *context);

/** As brume_for_each_segment_of_row for the cells on both sides of these faces. */
void brume_for_each_segment_next_to_active(const BrumeRegion *region, int j, int k, BrumeSegmentKernel *kernel,
                                           const void *context);

/**
 * Calls brume_for_each_segment_of_row for rows 1..ny of the planes of this rank in ascending order; each thread has a
 * slab along z. Tiles of a few rows and planes were slower at 256^3, because the hardware prefetches long streams.
 */
void brume_for_each_segment(BrumeGrid grid, BrumeSegmentKernel *kernel, const void *context);

/** The first entry of the vector at entry `n` of `count`: the last vector is shifted back to end at the last entry. */
static inline int brume_vector_start(int n, int count) { return n + BRUME_LANES <= count ? n : count - BRUME_LANES; }

#endif
