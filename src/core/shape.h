/**
 * @file shape.h
 * Signed distances to shapes and their bounding boxes.
 */
#ifndef BRUME_CORE_SHAPE_H
#define BRUME_CORE_SHAPE_H

#include "brume/shape.h"

#include <stdbool.h>

/**
 * Signed distance from `point` [m] to the surface of `shape` [m], negative inside. Of a volume, the sign is exact, and
 * the magnitude is at most the distance: the difference to the threshold over the largest possible slope of the values.
 */
float brume_shape_distance(const BrumeShape *shape, BrumeVec3 point);

/** The value of the samples of a volume at `point` [m]; false, and 0, outside its box and where they were not read. */
bool brume_shape_value(const BrumeShape *shape, BrumeVec3 point, double *value);

/** The smallest extent of a solid [m]: the distance of two parallel planes that it fits between; 0 for a volume. */
float brume_shape_thickness(const BrumeShape *shape);

/**
 * The first point inside `shape` on the way from `from` to `to`, as a fraction of the way; 2 if there is none. Exact
 * for a box; of the others, parts that are shorter than 1e-4 of the way may be missed, but never a whole solid that is
 * thinner.
 */
float brume_shape_entry(const BrumeShape *shape, BrumeVec3 from, BrumeVec3 to);

/** Whether both are the same solid, of the same samples. */
bool brume_shape_equal(const BrumeShape *a, const BrumeShape *b);

/** The shape moved by a displacement [m]. */
BrumeShape brume_shape_moved(const BrumeShape *shape, BrumeVec3 by);

/** The axis-aligned bounding box of `shape`: lower and upper corner [m]. */
void brume_shape_bounds(const BrumeShape *shape, BrumeVec3 *lower, BrumeVec3 *upper);

#endif
