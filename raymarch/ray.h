/**
 * @file ray.h
 * Rays and intervals on them.
 */
#ifndef BRUME_RAYMARCH_RAY_H
#define BRUME_RAYMARCH_RAY_H

#include "core/vec3.h"

/** A half-line. Whether lengths are in meters or in cells is up to the caller. */
typedef struct BrumeRay {
    BrumeVec3 origin;
    BrumeVec3 direction; ///< unit length
} BrumeRay;

/** The part of a ray's line inside a solid, as distances from the origin; negative behind it. */
typedef struct BrumeRayInterval {
    float enter, leave; ///< empty where enter >= leave
} BrumeRayInterval;

/** The point of a ray at a distance from its origin. */
static inline BrumeVec3 brume_ray_at(const BrumeRay *ray, float distance)
{
    return brume_add(ray->origin, brume_scale(ray->direction, distance));
}

#endif
