/**
 * @file shape.h
 * Signed distances to shapes and their bounding boxes.
 */
#ifndef BRUME_CORE_SHAPE_H
#define BRUME_CORE_SHAPE_H

#include "brume/shape.h"

/** Signed distance from `point` [m] to the surface of `shape` [m], negative inside; exact for all four kinds. */
float brume_shape_distance(const BrumeShape *shape, BrumeVec3 point);

/** The axis-aligned bounding box of `shape`: lower and upper corner [m]. */
void brume_shape_bounds(const BrumeShape *shape, BrumeVec3 *lower, BrumeVec3 *upper);

#endif
