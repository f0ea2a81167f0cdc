/**
 * @file flight.h
 * How a camera moves: flying, looking around, orbiting, panning, nearing, framing a box, and the smooth way from one
 * place to another. Plain mathematics without state of its own, but for a flight under way. The camera never rolls, and
 * stays a degree away from looking straight up or down, where its axes would turn over.
 */
#ifndef BRUME_VIEWER_WINDOW_FLIGHT_H
#define BRUME_VIEWER_WINDOW_FLIGHT_H

#include "brume/camera.h"

#include <stdbool.h>

/** Moves camera and target by [m]: `right` and `forward` along the camera's axes, `up` along the world's y. */
void brume_camera_fly(BrumeCamera *camera, float right, float up, float forward);

/** Turns the camera where it stands: `yaw` to the right, `pitch` upwards [radians]. The distance to the target stays.
 */
void brume_camera_look(BrumeCamera *camera, float yaw, float pitch);

/**
 * Carries the camera around its target, which stays in the middle: `yaw` to the right, `pitch` upwards [radians], as
 * the view turns.
 */
void brume_camera_orbit(BrumeCamera *camera, float yaw, float pitch);

/**
 * Moves camera and target across the view, so that what is at the target's distance moves with the pointer: by (dx, dy)
 * heights of the picture, right and down.
 */
void brume_camera_pan(BrumeCamera *camera, float dx, float dy);

/** Brings the camera to `factor` times its distance from the target; it does not come nearer than a centimeter. */
void brume_camera_dolly(BrumeCamera *camera, float factor);

/** The camera that sees the box [lower, upper] [m] as large as it fits, from the direction that `camera` looks in. */
BrumeCamera brume_camera_frame(const BrumeCamera *camera, BrumeVec3 lower, BrumeVec3 upper, float aspect);

/** The unit direction of the ray through (x, y) of a picture of width x height, (0, 0) its upper left corner. */
BrumeVec3 brume_camera_ray(const BrumeCamera *camera, float width, float height, float x, float y);

/** A way from one camera to another. Zeroed, none is under way. */
typedef struct BrumeFlight {
    BrumeCamera from, to;
    double flown; ///< since it began [s]
    bool under_way;
} BrumeFlight;

/** Begins the way to another camera; it takes a quarter of a second. */
void brume_flight_begin(BrumeFlight *flight, const BrumeCamera *from, const BrumeCamera *to);

/**
 * Goes on for `seconds` and writes the camera; false, and nothing written, where none is under way. It starts and ends
 * at rest, and ends on the very camera that it leads to.
 */
bool brume_flight_go_on(BrumeFlight *flight, double seconds, BrumeCamera *camera);

#endif
