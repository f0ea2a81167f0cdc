/**
 * @file sample.h
 * Where quantities may be read and written, and in which order: what the trace and the advection schemes share.
 */
#ifndef BRUME_SIM_SAMPLE_H
#define BRUME_SIM_SAMPLE_H

#include "core/lanes.h"
#include "sim/sim_internal.h"

enum { BRUME_STRETCH = 64 }; ///< most entries of a row that are worked on at a time, a multiple of 8

/** Where a quantity may be read, in the index coordinates of its field: entry i sits at i. */
typedef struct BrumePlace {
    ptrdiff_t sy, sz;
    float shift[3];       ///< index coordinate of this field's entry minus that of the cell's center
    float from[3], to[3]; ///< positions are held within these
    int32_t last[3];      ///< largest lower entry of a pair that is interpolated
    float period[3];      ///< cells after which space repeats, 0 where it does not
    float per_period[3];  ///< 1 / period, or 0
    bool wraps;           ///< whether space repeats along any axis
} BrumePlace;

/** The place of a location (0 to 2 faces, BRUME_AT_CENTER) in this simulation's box. */
BrumePlace brume_place(const BrumeSim *sim, int location);

/**
 * Planes, rows and entries of a location that are carried along: those of the cells, and beyond an open or periodic
 * upper side the faces on it.
 */
BrumeGrid brume_carried(const BrumeSim *sim, int location);

/** What is done to a piece of a row: entries (i..i+count-1, j, k), at least BRUME_LANES and
 * at most BRUME_STRETCH of them. */
typedef void BrumeRowWork(const void *context, int i, int j, int k, int count);

/**
 * Does `work` to all entries 1..nx, 1..ny, 1..nz of a grid, nx at least BRUME_LANES: tiles of a few rows and planes in
 * turn, so that what the traces of one row read is still in the cache for the rows around it. Threads take tiles in
 * slabs along z. Some entries are worked on twice where lengths do not divide: the work must be a function of what it
 * does not write.
 */
void brume_walk(BrumeGrid grid, BrumeRowWork *work, const void *context);

/**
 * The first of the eight entries that are worked on at `n` in a piece of `count`: the last eight overlap those before.
 */
static inline int brume_eight_at(int n, int count) { return n + BRUME_LANES <= count ? n : count - BRUME_LANES; }

#endif
