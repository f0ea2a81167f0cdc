/**
 * @file steadiness.h
 * Tests whether a run has reached a steady state, by the changes of velocity and temperature from frame to frame.
 */
#ifndef BRUME_APP_RENDER_STEADINESS_H
#define BRUME_APP_RENDER_STEADINESS_H

#include "brume/scene.h"
#include "brume/sim.h"
#include "core/error.h"

enum { BRUME_STEADY_FIELDS = 4 }; ///< u, v, w, temperature

/** The state of the previous frame and the changes since. */
typedef struct BrumeSteadiness {
    bool has_state;
    BrumeGrid grid;                     ///< of the copies
    float *copies[BRUME_STEADY_FIELDS]; ///< with ghosts
    double time;                        ///< of the copies [s]
    int first_frame; ///< the first frame that may be steady: after the timeline and the ends and starts of emitters
    /** Largest |change| of the velocity components over the time between two frames and their largest magnitude. */
    double velocity_change;    ///< [1/s]
    double temperature_change; ///< likewise [1/s]
} BrumeSteadiness;

/** Prepares the comparison for a scene. */
void brume_steadiness_start(BrumeSteadiness *steadiness, const BrumeScene *scene);

/**
 * Compares the present state with the state of the previous call, and stores a copy. `*steady` is set where the changes
 * of both are below `tolerance` [1/s]; never for the first call, after a change of the grid, and before `first_frame`.
 * BRUME_FAILED without memory.
 */
BrumeStatus brume_steadiness_compare(BrumeSteadiness *steadiness, const BrumeSim *sim, double tolerance, bool *steady,
                                     BrumeError *error);

/** Frees the copies. All zero is allowed. */
void brume_steadiness_destroy(BrumeSteadiness *steadiness);

#endif
