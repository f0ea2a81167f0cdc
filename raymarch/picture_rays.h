/**
 * @file picture_rays.h
 * The rays of a camera through the points of a picture. The ray marcher, the path tracer and picking make their rays
 * here; shaders/camera.glsl has the same rays, without a lens.
 */
#ifndef BRUME_RAYMARCH_PICTURE_RAYS_H
#define BRUME_RAYMARCH_PICTURE_RAYS_H

#include "brume/camera.h"
#include "brume/renderer.h"
#include "raymarch/path_sampler.h"
#include "raymarch/ray.h"

#include <stdbool.h>

/** Shared by the rays through the pixels of one picture. */
typedef struct BrumePictureRays {
    BrumeVec3 position; ///< of the camera [m]
    BrumeVec3 forward;  ///< unit direction in which it looks
    BrumeVec3 corner;   ///< from the camera to the upper left corner of the picture, on the plane of the picture
    BrumeVec3 across;   ///< from a pixel to the next on its right, on the same plane
    BrumeVec3 down;     ///< from a pixel to the next below
    bool parallel;      ///< the plane goes through the camera, otherwise it is at distance 1
    BrumeVec3 lens_right, lens_up; ///< from the center of the lens to its edge [m]; 0 of a pinhole
    float focus;                   ///< distance of the plane that is in focus [m]; of a lens
    float shutter;                 ///< [s]; 0: all rays are taken at once
    const BrumeDrawDef *def;       ///< with the motion of the camera while the shutter is open; NULL: it does not move
} BrumePictureRays;

/** The rays of a camera through a picture of width x height pixels. */
BrumePictureRays brume_picture_rays(const BrumeCamera *camera, int width, int height);

/** The ray [m] through the point (x, y) of the picture: (0, 0) is its upper left corner, (width, height) the lower
 * right. */
BrumeRay brume_picture_ray(const BrumePictureRays *rays, float x, float y);

/** The ray through the point (x, y) of the picture and the point (u, v) of the lens, which is a disk of radius 1. */
BrumeRay brume_picture_lens_ray(const BrumePictureRays *rays, float x, float y, float u, float v);

/** The rays of a picture that is taken while the shutter is open for `shutter` [s]. `def` must outlive them. */
BrumePictureRays brume_exposed_rays(const BrumeCamera *camera, const BrumeDrawDef *def, float shutter);

/**
 * The ray of one sample of a picture, through the point (x, y): with a lens through a point on it, with a shutter at a
 * time while it is open. Both follow from the numbers of the sample, which are spread evenly over the samples of a
 * pixel. `sampler` is the sampler of the pixel and the sample: its time is set; it is not advanced, and its other pairs
 * are independent of the pairs that are used here.
 */
BrumeRay brume_picture_sample(const BrumePictureRays *rays, float x, float y, BrumePathSampler *sampler);

#endif
