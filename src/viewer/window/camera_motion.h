/**
 * @file camera_motion.h
 * Camera motion: flying, looking around, orbiting, panning, dollying, framing a box, and a smooth animation between two
 * cameras. The camera never rolls, and its pitch is limited to 89 degrees, because its axes are undefined at 90.
 */
#ifndef BRUME_VIEWER_WINDOW_CAMERA_MOTION_H
#define BRUME_VIEWER_WINDOW_CAMERA_MOTION_H

#include "brume/camera.h"
#include "raymarch/ray.h"

#include <stdbool.h>

/** Moves camera and target by distances [m]: `right` and `forward` along the camera's axes, `up` along the world's y.
 */
void brume_camera_fly(BrumeCamera *camera, float right, float up, float forward);

/** Rotates the view about the camera's position: `yaw` to the right, `pitch` upwards [radians]. */
void brume_camera_look(BrumeCamera *camera, float yaw, float pitch);

/**
 * Rotates the camera about its target, which stays in the middle of the picture: `yaw` to the right, `pitch` upwards,
 * by which the viewing direction changes [radians].
 */
void brume_camera_orbit(BrumeCamera *camera, float yaw, float pitch);

/**
 * Translates camera and target parallel to the picture, so that points at the target's distance move by (dx, dy)
 * picture heights, right and down.
 */
void brume_camera_pan(BrumeCamera *camera, float dx, float dy);

/**
 * Multiplies the camera's distance from its target by `factor`; the least distance is 0.01 m. For an orthographic
 * camera, multiplies the height of the picture instead, which is also at least 0.01 m.
 */
void brume_camera_dolly(BrumeCamera *camera, float factor);

/** Translates camera and target upwards if the camera is below y = `lowest` [m]. */
void brume_camera_raise(BrumeCamera *camera, float lowest);

/**
 * Orbits a camera that is below y = `lowest` [m] up to there. If the target is too far below for that, the camera ends
 * above the target.
 */
void brume_camera_orbit_above(BrumeCamera *camera, float lowest);

/**
 * Returns the camera with the viewing direction of `camera` that shows the box [lower, upper] [m] as large as possible.
 * An orthographic camera stays at its distance, but outside the box.
 */
BrumeCamera brume_camera_frame(const BrumeCamera *camera, BrumeVec3 lower, BrumeVec3 upper, float aspect);

/**
 * The same camera with the other projection, in which objects at the target's distance have the same size in the
 * picture.
 */
BrumeCamera brume_camera_with_other_projection(const BrumeCamera *camera);

/** The ray [m] through (x, y) of a picture of width x height, (0, 0) its upper left corner. */
BrumeRay brume_camera_ray(const BrumeCamera *camera, float width, float height, float x, float y);

/** An animation from one camera to another. Zeroed, it is inactive. */
typedef struct BrumeCameraAnimation {
    BrumeCamera from, to;
    double elapsed; ///< [s]
    bool active;
} BrumeCameraAnimation;

/** Starts an animation of a quarter of a second. */
void brume_camera_animation_start(BrumeCameraAnimation *animation, const BrumeCamera *from, const BrumeCamera *to);

/**
 * Advances the animation by `seconds` and writes the camera; returns false and writes nothing if it is inactive. The
 * speed is 0 at both ends, and the last camera equals `to` exactly.
 */
bool brume_camera_animation_advance(BrumeCameraAnimation *animation, double seconds, BrumeCamera *camera);

#endif
