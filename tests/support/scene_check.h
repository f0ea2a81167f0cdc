/**
 * @file scene_check.h
 * Properties that hold for every scene: values are finite, scalars stay within the bounds of their sources, the
 * velocity is bounded by the work of the forces, and the bits do not depend on threads, kernels or a saved state.
 */
#ifndef BRUME_TESTS_SUPPORT_SCENE_CHECK_H
#define BRUME_TESTS_SUPPORT_SCENE_CHECK_H

#include "brume/scene.h"

#include <stdbool.h>
#include <stdint.h>

/** What a check has found. */
typedef struct SceneCheck {
    char fault[768];    ///< the first property that does not hold; empty if all hold
    int steps;          ///< of all frames
    int unconverged;    ///< frames with a pressure solve that did not converge
    double energy;      ///< largest root mean square speed of a frame over its bound [1]
    double speed;       ///< largest speed of a frame over its bound [1]
    double excess;      ///< largest distance of a scalar from the range of its sources, over their largest magnitude
    double tolerance;   ///< largest tolerance for it, likewise
    double budget;      ///< largest amount of a scalar that no budget accounts for, over all amounts, in flux form
    double dissipation; ///< root mean square speed at the end over its bound [1]
} SceneCheck;

/**
 * Runs all frames of a scene three times; false if a property does not hold. The first run is observed, on one thread
 * and with work fields that are not numbers before each step; the second is on three threads; the third, by `extra`
 * modulo 3, is not observed, has the reference kernels, or continues from a saved state. All end with the same hash.
 */
bool check_scene(const BrumeScene *scene, int extra, SceneCheck *check);

#endif
