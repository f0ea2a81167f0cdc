/**
 * @file sampling.h
 * Where quantities may be read and written, and in which order: what the trace and the advection schemes share.
 */
#ifndef BRUME_SIM_ADVECTION_SAMPLING_H
#define BRUME_SIM_ADVECTION_SAMPLING_H

#include "core/simd.h"
#include "sim/sim_internal.h"

enum {
    BRUME_STRETCH = 64,       ///< most entries of a row that are worked on at a time, a multiple of 8
    BRUME_TILE = 4,           ///< rows and planes of a block
    BRUME_FARTHEST = 1 << 20, ///< cells, more than any box has
    BRUME_FAR = 64,           ///< cells of travel from which nobody asks any more where it may end
};

/** Where a quantity may be read in this step, in the index coordinates of its field: entry i sits at i. */
typedef struct BrumePlace {
    ptrdiff_t sy, sz;
    float shift[3];       ///< index coordinate of this field's entry minus that of the cell's center
    float from[3], to[3]; ///< positions are held within these
    int32_t last[3];      ///< largest lower entry of a pair that is interpolated
    float period[3];      ///< cells after which space repeats, 0 where it does not
    float per_period[3];  ///< 1 / period, or 0
    bool wraps;           ///< whether space repeats along any axis
    int first_inside;     ///< first and last entries along the axes from which no trace of the step comes near the
    int last_inside[3];   ///< border
} BrumePlace;

/** Whole cells that a step which moves air by at most `travel` [cells] surely does not move it beyond. */
int brume_reach(double travel);

/** The place of a location (0 to 2 faces, BRUME_AT_CENTER) in this simulation's box. */
BrumePlace brume_place(const BrumeSim *sim, int location);

/**
 * Planes, rows and entries of a location that are carried along: those of the cells, and beyond an open or periodic
 * upper side the faces on it.
 */
BrumeGrid brume_carried(const BrumeSim *sim, int location);

/** Blocks of a box: stretches of a few rows and planes, of which those at the upper sides may be smaller or have one
 * entry more. */
typedef struct BrumeBlocks {
    int nx, ny, nz;
} BrumeBlocks;

static inline BrumeBlocks brume_blocks(BrumeGrid grid)
{
    return (BrumeBlocks){(grid.nx + BRUME_STRETCH - 1) / BRUME_STRETCH, (grid.ny + BRUME_TILE - 1) / BRUME_TILE,
                         (grid.nz + BRUME_TILE - 1) / BRUME_TILE};
}

/** The index of a block in the order x, y, z. */
static inline size_t brume_block(const BrumeBlocks *blocks, int x, int y, int z)
{
    return (size_t)x + (size_t)blocks->nx * ((size_t)y + (size_t)blocks->ny * (size_t)z);
}

/** A piece of a row: entries (i..i+count-1, j, k), at least BRUME_LANES and at most BRUME_STRETCH of them. */
typedef struct BrumePiece {
    int i, j, k, count;
    size_t block; ///< of a walk over centers, the block that it is in
    size_t strip; ///< likewise of blocks that are one plane high
} BrumePiece;

/** What is done to a piece. */
typedef void BrumePieceWork(const void *context, const BrumePiece *piece);

/**
 * Does `work` to the entries 1..nx, nx at least BRUME_LANES, of row (j, k). Some are worked on twice where lengths do
 * not divide: the work must be a function of what it does not write.
 */
void brume_walk_row(BrumeGrid grid, int j, int k, BrumePieceWork *work, const void *context);

/**
 * The same for all rows 1..ny of planes 1..nz, one after another: long streams are what the caches foresee, and tiles
 * of a few rows and planes were slower at 256^3. Threads take slabs along z.
 */
void brume_walk(BrumeGrid grid, BrumePieceWork *work, const void *context);

/**
 * The first of the eight entries that are worked on at `n` in a piece of `count`: the last eight overlap those before.
 */
static inline int brume_eight_at(int n, int count) { return n + BRUME_LANES <= count ? n : count - BRUME_LANES; }

/**
 * Marks in `clean`, one byte a block, where the way back from centers reads nothing but +0 of a field at the centers,
 * whose boundary is set (clean.c). The trace must have been found.
 */
void brume_find_clean(const BrumeSim *sim, const BrumeField *field, uint8_t *clean);

#endif
