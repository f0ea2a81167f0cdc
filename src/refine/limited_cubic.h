/**
 * @file limited_cubic.h
 * Interpolation of values at the centers of cells by Catmull-Rom splines, limited to the range of the eight nearest.
 */
#ifndef BRUME_REFINE_LIMITED_CUBIC_H
#define BRUME_REFINE_LIMITED_CUBIC_H

#include "core/field.h"
#include "core/minmax.h"
#include "raymarch/fast_math.h"

/**
 * Splits a position among entries lower..upper-1, at whole numbers, into the entry before it, which is not the last one
 * where there are several, and the rest in [0, 1].
 */
static inline int brume_split_among(float position, int lower, int upper, float *rest)
{
    const float limited = brume_clamp(position, (float)lower, (float)(upper - 1)); // NaN becomes one of the limits
    const int index = brume_max_int(brume_min_int((int)limited, upper - 2), lower);
    *rest = limited - (float)index;
    return index;
}

/**
 * The value at a point [cells from the lower corner of the box] of an array (nz x ny x nx): at the center of a cell its
 * value, beyond the outermost centers that of the nearest point between them.
 */
float brume_limited_cubic(const float *values, BrumeGrid grid, BrumeFloat4 point);

#endif
