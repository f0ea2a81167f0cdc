/**
 * @file sample.h
 * Reading fields between their entries: trilinear weights for a stretch of a row, found once and used for every
 * quantity that sits at the same place.
 */
#ifndef BRUME_SIM_SAMPLE_H
#define BRUME_SIM_SAMPLE_H

#include "sim/sim_internal.h"

enum { BRUME_STRETCH = 128 }; ///< entries of a row that are worked on at a time, so that all of it stays in L1

/** Where a quantity may be read, in the index coordinates of its field: entry i sits at i. */
typedef struct BrumePlace {
    ptrdiff_t sy, sz;
    float shift[3];       ///< index coordinate of this field's entry minus that of the cell's center
    float from[3], to[3]; ///< positions are held within these
    float last[3];        ///< largest lower entry of a pair that is interpolated
    float period[3];      ///< cells after which space repeats, 0 where it does not
    float per_period[3];  ///< 1 / period, or 0
} BrumePlace;

/** Trilinear weights of up to BRUME_STRETCH positions. */
typedef struct BrumeStencil {
    int32_t base[BRUME_STRETCH];                                ///< offset of the lower corner
    float x[BRUME_STRETCH], y[BRUME_STRETCH], z[BRUME_STRETCH]; ///< share of the upper neighbour along each axis
    float inside[BRUME_STRETCH]; ///< 1, or 0 where the position had to be moved back into the box
} BrumeStencil;

/** The place of a location (0 to 2 faces, BRUME_AT_CENTER) in this simulation's box. */
BrumePlace brume_place(const BrumeSim *sim, int location);

/**
 * Weights at entries (i..i+count-1, j, k) displaced by the rows `x`, `y`, `z` [cells], where entries sit at their own
 * index coordinates plus `shift`.
 */
void brume_stencil_at(BrumeStencil *stencil, const BrumePlace *place, const float shift[3], int i, int j, int k,
                      const float *x, const float *y, const float *z, int count);

/** Values at the stencil's positions. `out` has BRUME_STRETCH entries; those up to a multiple of 8 are written. */
void brume_sample(const BrumeStencil *stencil, const BrumePlace *place, const float *data, float *out, int count);

/** As brume_sample, the smallest and largest of the eight values that each position reads. */
void brume_sample_range(const BrumeStencil *stencil, const BrumePlace *place, const float *data, float *low,
                        float *high, int count);

/** The travel [cells] at a stretch of entries of `location`: on faces the mean of the two centers beside them. */
void brume_travel_at(const BrumeTravel *travel, int location, ptrdiff_t offset, float *x, float *y, float *z,
                     int count);

/**
 * Planes, rows and entries of a location that are carried along: those of the cells, and beyond an open or periodic
 * upper side the faces on it.
 */
BrumeGrid brume_carried(const BrumeSim *sim, int location);

#endif
