/**
 * @file camera.h
 * A pinhole camera, and its flight through keyframes.
 */
#ifndef BRUME_CAMERA_H
#define BRUME_CAMERA_H

#include "brume/export.h"
#include "brume/vec3.h"

BRUME_BEGIN_DECLS

enum { BRUME_MAX_CAMERA_KEYS = 1024 };

typedef struct BrumeCamera {
    BrumeVec3 position;  ///< [m]
    BrumeVec3 target;    ///< the point in the middle of the picture [m]
    float field_of_view; ///< vertical, whole angle [degrees]
} BrumeCamera;

/** The camera at a time. */
typedef struct BrumeCameraKey {
    double time; ///< [s]
    BrumeCamera camera;
} BrumeCameraKey;

/**
 * The camera at `time`: a Catmull-Rom spline (centripetal in no sense but time: tangents are finite differences over
 * the keys' times) through `count` >= 1 keys of rising time; held before the first and after the last.
 */
BRUME_API BrumeCamera brume_camera_at(const BrumeCameraKey *keys, int count, double time);

/** The three unit axes of a camera: right, up, forward. Looking straight up or down is fine. */
BRUME_API void brume_camera_axes(const BrumeCamera *camera, BrumeVec3 *right, BrumeVec3 *up, BrumeVec3 *forward);

BRUME_END_DECLS

#endif
