/**
 * @file camera.h
 * A camera and its animation by keyframes. All functions are pure and may run in any thread.
 */
#ifndef BRUME_CAMERA_H
#define BRUME_CAMERA_H

#include "brume/export.h"
#include "brume/vec3.h"

BRUME_BEGIN_DECLS

enum { BRUME_MAX_CAMERA_KEYS = 1024 }; ///< of a scene

/** How points are projected to the picture. */
typedef enum BrumeProjection {
    BRUME_PERSPECTIVE,  ///< rays from one point
    BRUME_ORTHOGRAPHIC, ///< parallel rays
} BrumeProjection;

/** A camera; y is up in the picture. With zeroed members after `field_of_view` it is a perspective camera. */
typedef struct BrumeCamera {
    BrumeVec3 position;  ///< [m]
    BrumeVec3 target;    ///< the point at the center of the picture [m]
    float field_of_view; ///< vertical, whole angle [degrees], above 0 and below 180; of BRUME_PERSPECTIVE
    BrumeProjection projection;
    float height;      ///< of the picture [m], above 0; of BRUME_ORTHOGRAPHIC, whose rays start on the camera's plane
    float lens_radius; ///< [m]; 0: a pinhole, everything is sharp
    float focus;       ///< distance of the plane that is in focus, along the viewing direction [m]; 0: the target's
} BrumeCamera;

/** A keyframe. */
typedef struct BrumeCameraKey {
    double time; ///< [s]
    BrumeCamera camera;
} BrumeCameraKey;

/**
 * The camera at `time` [s]: a cubic Hermite spline (non-uniform Catmull-Rom: the tangent at a key is the finite
 * difference between its neighbors over their times) through `count` >= 1 keys in strictly increasing order of time;
 * constant before the first and after the last. The first key gives the projection.
 */
BRUME_API BrumeCamera brume_camera_at(const BrumeCameraKey *keys, int count, double time);

/**
 * The unit axes of a camera: right, up, forward. A camera that looks straight up or down has +x on its right; one whose
 * target is its position looks along -z.
 */
BRUME_API void brume_camera_axes(const BrumeCamera *camera, BrumeVec3 *right, BrumeVec3 *up, BrumeVec3 *forward);

/**
 * The camera turned by `angle` [radians] about the vertical axis through its target, from +z towards +x where that is
 * above 0.
 */
BRUME_API BrumeCamera brume_camera_turned(const BrumeCamera *camera, double angle);

BRUME_END_DECLS

#endif
