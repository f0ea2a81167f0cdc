/**
 * @file picture_rays.h
 * The rays of a camera through the points of a picture. The ray marcher, the path tracer and picking make their rays
 * here; shaders/camera.glsl has the same rays.
 */
#ifndef BRUME_RAYMARCH_PICTURE_RAYS_H
#define BRUME_RAYMARCH_PICTURE_RAYS_H

#include "brume/camera.h"
#include "raymarch/ray.h"

#include <stdbool.h>

/** What the rays through the pixels of one picture have in common. */
typedef struct BrumePictureRays {
    BrumeVec3 position; ///< of the camera [m]
    BrumeVec3 forward;  ///< unit direction in which it looks
    BrumeVec3 corner;   ///< from the camera to the upper left corner of the picture, on the plane of the picture
    BrumeVec3 across;   ///< from a pixel to the next on its right, on the same plane
    BrumeVec3 down;     ///< from a pixel to the next below
    bool parallel;      ///< the plane is that of the camera, otherwise the one at distance 1
} BrumePictureRays;

/** The rays of a camera through a picture of width x height pixels. */
BrumePictureRays brume_picture_rays(const BrumeCamera *camera, int width, int height);

/** The ray [m] through the point (x, y) of the picture: (0, 0) is its upper left corner, (width, height) the lower
 * right. */
BrumeRay brume_picture_ray(const BrumePictureRays *rays, float x, float y);

#endif
