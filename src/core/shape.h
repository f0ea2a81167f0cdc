/**
 * @file shape.h
 * Distances to shapes and the boxes around them.
 */
#ifndef BRUME_CORE_SHAPE_H
#define BRUME_CORE_SHAPE_H

#include "brume/shape.h"

/** Signed distance [m] from `point` to the surface of `shape`, negative inside (exact for all four kinds). */
float brume_shape_distance(const BrumeShape *shape, BrumeVec3 point);

/** The smallest axis-aligned box around `shape`: lower and upper corner [m]. */
void brume_shape_bounds(const BrumeShape *shape, BrumeVec3 *lower, BrumeVec3 *upper);

#endif
