/**
 * @file screen.h
 * From points of the scene to points of the picture and back. All functions are pure.
 */
#ifndef BRUME_VIEWER_EDIT_SCREEN_H
#define BRUME_VIEWER_EDIT_SCREEN_H

#include "brume/camera.h"
#include "raymarch/ray.h"

#include <stdbool.h>

/** A picture of a camera; (0, 0) is its upper left corner, y is down [points]. */
typedef struct BrumeScreen {
    BrumeCamera camera;
    float width, height; ///< [points]
} BrumeScreen;

/** A point of the picture [points]. */
typedef struct BrumeScreenPoint {
    float x, y;
} BrumeScreenPoint;

/** The ray [m] through a point of the picture. */
BrumeRay brume_screen_ray(const BrumeScreen *screen, BrumeScreenPoint at);

/** Where a point [m] is in the picture; false, and nothing written, where it is not in front of the camera. */
bool brume_screen_project(const BrumeScreen *screen, BrumeVec3 point, BrumeScreenPoint *at);

/**
 * Where the part of a line between two points [m] that is in front of the camera begins and ends in the picture; false
 * where no part of it is.
 */
bool brume_screen_project_line(const BrumeScreen *screen, BrumeVec3 from, BrumeVec3 to, BrumeScreenPoint ends[2]);

/** The length [m] that is one point in the picture, at the depth of `point` [m]; above 0. */
float brume_screen_metres_per_point(const BrumeScreen *screen, BrumeVec3 point);

/** The unit vector from `point` [m] towards the camera. */
BrumeVec3 brume_screen_towards_camera(const BrumeScreen *screen, BrumeVec3 point);

#endif
