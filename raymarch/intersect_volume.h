/**
 * @file intersect_volume.h
 * Rays and the surfaces of volumes: where trilinearly interpolated samples have the value of the threshold, and where
 * the box of the samples cuts off what is above it.
 */
#ifndef BRUME_RAYMARCH_INTERSECT_VOLUME_H
#define BRUME_RAYMARCH_INTERSECT_VOLUME_H

#include "brume/shape.h"
#include "raymarch/ray.h"

/** As brume_ray_shape; `box` is the interval of the ray inside the box of the volume. */
BrumeRayInterval brume_ray_volume(const BrumeRay *ray, const BrumeShape *shape, BrumeRayInterval box, float from);

/** As brume_shape_normal; `of_box` is the normal of the face of the box that is nearest to `point`. */
BrumeVec3 brume_volume_normal(const BrumeShape *shape, BrumeVec3 point, BrumeVec3 of_box);

#endif
