/**
 * @file blocks.h
 * The box divided into blocks of 8 x 8 x 8 cells, and loops over the entries of a row that are in some of them. Block
 * (a, b, c), counted from 0, x fastest, has the cells from (BRUME_ACTIVE_SIDE a + 1, ...) and their lower faces; the
 * outermost blocks along an axis also have the ghosts and the faces on the upper side, and the last one may be smaller.
 */
#ifndef BRUME_SIM_GRID_BLOCKS_H
#define BRUME_SIM_GRID_BLOCKS_H

#include "core/field.h"
#include "core/minmax.h"

#include <stdint.h>

enum { BRUME_ACTIVE_SIDE = 8 }; ///< [cells], side of a block

/** The number of blocks along each axis. */
static inline BrumeGrid brume_active_grid(BrumeGrid cells)
{
    return brume_grid((cells.nx + BRUME_ACTIVE_SIDE - 1) / BRUME_ACTIVE_SIDE,
                      (cells.ny + BRUME_ACTIVE_SIDE - 1) / BRUME_ACTIVE_SIDE,
                      (cells.nz + BRUME_ACTIVE_SIDE - 1) / BRUME_ACTIVE_SIDE);
}

/** The index along an axis of the block of entry n, from 0 to `cells` + 1. */
static inline int brume_block_along(int n, int cells)
{
    const int last = (cells - 1) / BRUME_ACTIVE_SIDE;
    return brume_min_int(brume_max_int(n - 1, 0) / BRUME_ACTIVE_SIDE, last);
}

/** The index of the block of entry (i, j, k) of any location. */
static inline size_t brume_active_block(BrumeGrid cells, int i, int j, int k)
{
    const BrumeGrid blocks = brume_active_grid(cells);
    const int a = brume_block_along(i, cells.nx);
    const int b = brume_block_along(j, cells.ny);
    const int c = brume_block_along(k, cells.nz);
    return (size_t)a + (size_t)blocks.nx * ((size_t)b + (size_t)blocks.ny * (size_t)c);
}

/** The index of the row of blocks along x of row (j, k) of the box, y fastest. */
static inline size_t brume_block_row(BrumeGrid cells, int j, int k)
{
    return (size_t)brume_block_along(j, cells.ny) +
           (size_t)brume_active_grid(cells).ny * (size_t)brume_block_along(k, cells.nz);
}

/**
 * Marks (1) the blocks that have an entry within `distance` entries along each axis (x, y, z) of an entry of a block
 * that is marked (1, others 0), also across periodic sides. With a `first_axis` of 1, the marks are of rows of blocks
 * along x, and the first distance is not used.
 */
void brume_dilate_marks(BrumeGrid cells, const bool periodic[3], int first_axis, const int distance[3], uint8_t *marks);

/** The blocks whose level is from `least` to `most`. A NULL instead of a set stands for all blocks. */
typedef struct BrumeBlockSet {
    const uint8_t *levels;  ///< one per block
    const uint8_t *highest; ///< of each row of blocks along x, y fastest
    uint8_t least, most;
} BrumeBlockSet;

/** Adjacent entries `first` to `last` of a row. Starts as {0}, before the first ones. */
typedef struct BrumeBlockRun {
    int first, last;
    int next; ///< block along x that follows
} BrumeBlockRun;

/**
 * Finds the next run of entries from..to of row (j, k) that are in blocks of `set`; `from` is 0 or 1, `to` at least
 * the number of cells. Returns whether there is one.
 */
static inline bool brume_next_block_run(const BrumeBlockSet *set, BrumeGrid cells, int from, int to, int j, int k,
                                        BrumeBlockRun *run)
{
    const int count = brume_active_grid(cells).nx;
    const size_t row = brume_block_row(cells, j, k);
    if (set && set->highest[row] < set->least) {
        return false;
    }
    const uint8_t *levels = set ? set->levels + row * (size_t)count : NULL;
    int a = run->next;
    while (set && a < count && (levels[a] < set->least || levels[a] > set->most)) {
        a++;
    }
    if (a == count) {
        return false;
    }
    run->first = a == 0 ? from : BRUME_ACTIVE_SIDE * a + 1;
    while (a < count && (!set || (levels[a] >= set->least && levels[a] <= set->most))) {
        a++;
    }
    run->last = a == count ? to : BRUME_ACTIVE_SIDE * a;
    run->next = a;
    return true;
}

/** Whether row (j, k) has entries in blocks of `set`. */
static inline bool brume_row_has_blocks(const BrumeBlockSet *set, BrumeGrid cells, int j, int k)
{
    BrumeBlockRun run = {0};
    return brume_next_block_run(set, cells, 1, cells.nx, j, k, &run);
}

/** Whether the entry with these indices is in a block of `set`. */
static inline bool brume_is_in_blocks(const BrumeBlockSet *set, BrumeGrid cells, const int index[3])
{
    const uint8_t level = set ? set->levels[brume_active_block(cells, index[0], index[1], index[2])] : 0;
    return !set || (level >= set->least && level <= set->most);
}

#endif
