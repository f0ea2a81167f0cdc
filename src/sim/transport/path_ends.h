/**
 * @file path_ends.h
 * Where the path from a cell center ends, for schemes of plain loops.
 */
#ifndef BRUME_SIM_TRANSPORT_PATH_ENDS_H
#define BRUME_SIM_TRANSPORT_PATH_ENDS_H

#include "core/domain.h"
#include "core/parallel/reductions.h"
#include "sim/advection/advection.h"
#include "sim/advection/sampling.h"

#include <math.h>

/** The end of a path: between `entry` and the next entry along each axis, at a fraction `weight` of the distance. */
typedef struct BrumePathEnd {
    int entry[3];
    float weight[3];
} BrumePathEnd;

/** The end of the path from the center of cell (i, j, k), moved into the sampling domain of the centers. */
static inline BrumePathEnd brume_path_end(const BrumeSamplingDomain *domain, const BrumeDisplacement *displacement,
                                          int i, int j, int k)
{
    const int index[3] = {i, j, k};
    BrumePathEnd end;
    for (int axis = 0; axis < 3; axis++) {
        float position = (float)index[axis] + brume_field_at(&displacement->along[axis], i, j, k);
        position -= domain->period[axis] * floorf((position - domain->lowest[axis]) * domain->inverse_period[axis]);
        position = brume_min_float(brume_max_float(position, domain->lowest[axis]), domain->highest[axis]);
        end.entry[axis] = (int)position < domain->last[axis] ? (int)position : domain->last[axis];
        end.weight[axis] = position - (float)end.entry[axis];
    }
    return end;
}

/**
 * How far beyond the planes of a rank values are read at the ends of paths, whose longest one along z is `longest`
 * [cells]: between the two planes there. All planes where it is NaN.
 */
static inline int brume_path_depth(BrumeGrid grid, double longest)
{
    const double rounding = 0.01; // of a position [cells]
    return longest < (double)grid.nz ? (int)(longest + rounding) + 1 : grid.nz + 1;
}

/** The largest absolute value in the cells, NaN if one is NaN. Overwrites nz + 2 entries of `planes`. */
static inline double brume_longest_path(const BrumeField *along, double *planes)
{
    const BrumeGrid grid = along->grid;
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        int32_t bits = 0;
        for (int j = 1; j <= grid.ny; j++) {
            bits = brume_largest_bits(along->data + brume_field_index(along, 1, j, k), grid.nx, bits);
        }
        planes[k] = (double)brume_float_of_bits(bits);
    }
    return brume_max_planes(grid, planes);
}

#endif
