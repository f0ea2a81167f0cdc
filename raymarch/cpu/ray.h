/**
 * @file ray.h
 * Rays, and the shapes and boxes that they meet.
 */
#ifndef BRUME_RAYMARCH_CPU_RAY_H
#define BRUME_RAYMARCH_CPU_RAY_H

#include "brume/camera.h"
#include "core/shape.h"
#include "core/vec3.h"

#include <stdbool.h>

typedef struct BrumeRay {
    BrumeVec3 origin;
    BrumeVec3 direction; ///< unit length
} BrumeRay;

/** The smaller of two, and `b` where `a` is NaN: one instruction, where fminf is a call. */
static inline float brume_min(float a, float b) { return a < b ? a : b; }

/** The larger of two, and `b` where `a` is NaN. */
static inline float brume_max(float a, float b) { return a > b ? a : b; }

/** The stretch of a ray's line, in distances from its origin, that lies inside of something convex. */
typedef struct BrumeStretch {
    float enter, leave; ///< empty where enter >= leave
} BrumeStretch;

static inline BrumeVec3 brume_ray_at(const BrumeRay *ray, float distance)
{
    return brume_add(ray->origin, brume_scale(ray->direction, distance));
}

/** A camera made ready to shoot rays through a picture. */
typedef struct BrumeView {
    BrumeVec3 position;
    BrumeVec3 corner; ///< from the camera to the upper left corner of the picture, at distance 1
    BrumeVec3 across; ///< one pixel to the right
    BrumeVec3 down;   ///< one pixel down
} BrumeView;

BrumeView brume_view(const BrumeCamera *camera, int width, int height);

/** The ray through a point of the picture: (0, 0) is its upper left corner, (width, height) the lower right. */
BrumeRay brume_view_ray(const BrumeView *view, float x, float y);

/** Where a ray's line is inside the axis-aligned box. */
BrumeStretch brume_ray_box(const BrumeRay *ray, BrumeVec3 lower, BrumeVec3 upper);

/** Where a ray's line is inside a shape, exactly. Every shape is convex, so that is one stretch. */
BrumeStretch brume_ray_shape(const BrumeRay *ray, const BrumeShape *shape);

/** The outward unit normal of the shape's surface point nearest to `point`, which lies on or near it. */
BrumeVec3 brume_shape_normal(const BrumeShape *shape, BrumeVec3 point);

#endif
