/**
 * @file screen.h
 * From points of the scene to points of the picture and back. All functions are pure.
 */
#ifndef BRUME_VIEWER_EDIT_SCREEN_H
#define BRUME_VIEWER_EDIT_SCREEN_H

#include "brume/camera.h"
#include "raymarch/ray.h"

#include <stdbool.h>

enum { BRUME_MAX_CIRCLE_LINES = 256 };

/** A picture of a camera; (0, 0) is its upper left corner, y is down [points]. */
typedef struct BrumeScreen {
    BrumeCamera camera;
    float width, height; ///< [points]
    float scale;         ///< of what has a constant size in the picture; above 0
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

/** The length [m] that is `scale` points in the picture, at the depth of `point` [m]; above 0. */
float brume_screen_scaled_point(const BrumeScreen *screen, BrumeVec3 point);

/** The number of straight lines that look like a circle of a radius [points]: 0.1 points from it at most. */
int brume_circle_lines(float radius);

/** The same of a circle in space, of a radius [m] around `center` [m]. */
int brume_screen_circle_lines(const BrumeScreen *screen, BrumeVec3 center, float radius);

/** The unit vector from `point` [m] towards the camera. */
BrumeVec3 brume_screen_towards_camera(const BrumeScreen *screen, BrumeVec3 point);

#endif
