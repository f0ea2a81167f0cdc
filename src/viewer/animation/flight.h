/**
 * @file flight.h
 * The recorded motion of a camera, and its reduction to few keyframes.
 */
#ifndef BRUME_VIEWER_ANIMATION_FLIGHT_H
#define BRUME_VIEWER_ANIMATION_FLIGHT_H

#include "core/error.h"
#include "viewer/animation/keys.h"

/** A recorded flight: cameras in the order of their times. Zeroed: there are none. */
typedef struct BrumeFlight {
    int count, capacity;
    BrumeCameraKey *samples; ///< `count` of them, with strictly increasing times
} BrumeFlight;

/** The maximum difference of a path of keys from the samples of a flight. */
typedef struct BrumeFlightBound {
    float distance; ///< of the position [m]
    float angle;    ///< between the viewing directions, and between the angles of view [degrees]
    float height;   ///< of an orthographic picture, as a fraction of its height
} BrumeFlightBound;

/** Returns the bound for a box: 1/500 of its longest side, a quarter of a degree, 1/500 of the height. */
BrumeFlightBound brume_flight_bound(float longest_side);

/** Adds a camera. Ignores a time that is not after the latest. BRUME_FAILED without memory. */
BrumeStatus brume_flight_add(BrumeFlight *flight, double time, const BrumeCamera *camera, BrumeError *error);

/** Frees the samples. */
void brume_flight_clear(BrumeFlight *flight);

/** Returns the largest difference of a path from the samples of a flight, as a multiple of the bound. */
double brume_flight_error(const BrumeFlight *flight, const BrumeFlightBound *bound, const BrumeCameraPath *path);

/**
 * Replaces the keys of a path between the first and the last time of a flight, of at least one sample. Segments between
 * keys are divided, as Ramer, Douglas and Peucker do with straight lines, until the spline through all keys is within
 * the bound at all samples; then unnecessary keys are removed. Returns the remaining difference as brume_flight_error
 * does: above 1 where there are too few keys.
 */
double brume_flight_reduce(const BrumeFlight *flight, const BrumeFlightBound *bound, BrumeCameraPath *path);

#endif
