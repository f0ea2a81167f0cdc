/**
 * @file screen.h
 * Projects points of the scene to the picture and back. All functions are pure.
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
    float scale;         ///< factor for symbols of constant size in the picture; above 0
} BrumeScreen;

/** A point of the picture [points]. */
typedef struct BrumeScreenPoint {
    float x, y;
} BrumeScreenPoint;

/** Returns the ray [m] through a point of the picture. */
BrumeRay brume_screen_ray(const BrumeScreen *screen, BrumeScreenPoint at);

/** Projects a point [m]. Returns false and writes nothing where it is not in front of the camera. */
bool brume_screen_project(const BrumeScreen *screen, BrumeVec3 point, BrumeScreenPoint *at);

/**
 * Projects the part of the line between two points [m] that is in front of the camera; false where no part of it is.
 */
bool brume_screen_project_line(const BrumeScreen *screen, BrumeVec3 from, BrumeVec3 to, BrumeScreenPoint ends[2]);

/** Returns the length [m] of `scale` points of the picture at the depth of `point` [m]; above 0. */
float brume_screen_scaled_point(const BrumeScreen *screen, BrumeVec3 point);

/** Returns the number of straight lines that approximate a circle of this radius [points] to within 0.1 points. */
int brume_circle_lines(float radius);

/** The same for a circle in space, of a radius [m] around `center` [m]. */
int brume_screen_circle_lines(const BrumeScreen *screen, BrumeVec3 center, float radius);

/** The unit vector from `point` [m] towards the camera. */
BrumeVec3 brume_screen_towards_camera(const BrumeScreen *screen, BrumeVec3 point);

#endif
