/**
 * @file path_ends.h
 * Where the path from a cell center ends, for schemes of plain loops.
 */
#ifndef BRUME_SIM_TRANSPORT_PATH_ENDS_H
#define BRUME_SIM_TRANSPORT_PATH_ENDS_H

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

#endif
