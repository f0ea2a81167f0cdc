/**
 * @file camera.h
 * A pinhole camera and its animation by keyframes. All functions are pure and may run in any thread.
 */
#ifndef BRUME_CAMERA_H
#define BRUME_CAMERA_H

#include "brume/export.h"
#include "brume/vec3.h"

BRUME_BEGIN_DECLS

enum { BRUME_MAX_CAMERA_KEYS = 1024 }; ///< of a scene

/** A pinhole camera; y is up in the picture. */
typedef struct BrumeCamera {
    BrumeVec3 position;  ///< [m]
    BrumeVec3 target;    ///< the point at the centre of the picture [m]
    float field_of_view; ///< vertical, whole angle [degrees], above 0 and below 180
} BrumeCamera;

/** A keyframe. */
typedef struct BrumeCameraKey {
    double time; ///< [s]
    BrumeCamera camera;
} BrumeCameraKey;

/**
 * The camera at `time` [s]: a cubic Hermite spline (non-uniform Catmull-Rom: the tangent at a key is the finite
 * difference between its neighbours over their times) through `count` >= 1 keys in strictly increasing order of time;
 * constant before the first and after the last.
 */
BRUME_API BrumeCamera brume_camera_at(const BrumeCameraKey *keys, int count, double time);

/**
 * The unit axes of a camera: right, up, forward. A camera that looks straight up or down has +x on its right; one whose
 * target is its position looks along -z.
 */
BRUME_API void brume_camera_axes(const BrumeCamera *camera, BrumeVec3 *right, BrumeVec3 *up, BrumeVec3 *forward);

BRUME_END_DECLS

#endif
