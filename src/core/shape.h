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
 * A point is inside a mesh where the winding number of its triangles is above 1/2 (core/mesh.h).
 */
float brume_shape_distance(const BrumeShape *shape, BrumeVec3 point);

/**
 * The distance of brume_shape_distance where that of a mesh is below `most` [m], otherwise `most` with its sign: a mesh
 * is searched no farther. Of other shapes, the distance.
 */
float brume_shape_distance_within(const BrumeShape *shape, BrumeVec3 point, float most);

/** A sphere that contains the shape: center and radius [m]. */
void brume_shape_sphere(const BrumeShape *shape, BrumeVec3 *center, float *radius);

/** The value of the samples of a volume at `point` [m]; false, and 0, outside its box and where they were not read. */
bool brume_shape_value(const BrumeShape *shape, BrumeVec3 point, double *value);

/** The smallest extent of a solid [m]: the distance of two parallel planes that it fits between; 0 for a volume and
 * for a mesh. */
float brume_shape_thickness(const BrumeShape *shape);

/**
 * The first point inside `shape` on the way from `from` to `to`, as a fraction of the way; 2 if there is none. Exact
 * for a box; of a mesh, also where the way crosses its surface from inside; of the others, parts that are shorter than
 * 1e-4 of the way may be missed, but never a whole solid that is thinner.
 */
float brume_shape_entry(const BrumeShape *shape, BrumeVec3 from, BrumeVec3 to);

/** Whether both are the same solid, of the same samples. */
bool brume_shape_equal(const BrumeShape *a, const BrumeShape *b);

/** The shape moved by a displacement [m]. */
BrumeShape brume_shape_moved(const BrumeShape *shape, BrumeVec3 by);

/** The axis-aligned bounding box of `shape`: lower and upper corner [m]. */
void brume_shape_bounds(const BrumeShape *shape, BrumeVec3 *lower, BrumeVec3 *upper);

#endif
