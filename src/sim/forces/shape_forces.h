/**
 * @file shape_forces.h
 * Forces in the shapes of emitters (BrumeForceDef).
 */
#ifndef BRUME_SIM_FORCES_SHAPE_FORCES_H
#define BRUME_SIM_FORCES_SHAPE_FORCES_H

#include "core/shape.h"
#include "sim/forces/curl_noise.h"
#include "sim/state/state.h"

/** A force that acts for a time, other than an attraction. */
typedef struct BrumeAppliedForce {
    const BrumeForceDef *def;
    BrumeShapeFrame frame; ///< of its shape
    float seconds;         ///< for which it acts
    BrumeCurlNoise noise;  ///< of turbulence
    float weights[2];      ///< of the two layers of texture coordinates; 1 and 0 without
    BrumeVec3 offsets[2];  ///< of the lattice of the noise in each [spacings]
} BrumeAppliedForce;

/**
 * Prepares the force of an emitter, as it is in the world, for `seconds` [s] from `time` [s] on; it refers to the
 * emitter. The texture coordinates of the planes next to those of this rank are then current.
 */
void brume_prepare_force(const BrumeSim *sim, const BrumeEmitterDef *emitter, double time, float seconds,
                         BrumeAppliedForce *force);

/** The velocity [m/s] on the face `index` normal to `axis`, at `point` [m], of which the force covers the part
 * `coverage`, after the force has acted on the velocity `value`. */
float brume_forced_velocity(const BrumeSim *sim, const BrumeAppliedForce *force, int axis, const int index[3],
                            BrumeVec3 point, float coverage, float value);

/** Applies the attraction of an emitter, as it is in the world, for `seconds` [s]. Uses sim->scratch[0] and
 * sim->scratch[1]; the boundary of the velocity is not current afterwards. */
void brume_attract_smoke(BrumeSim *sim, const BrumeEmitterDef *emitter, float seconds);

/** The largest speed [m/s] that a force gives the air at once, or may give it; 0 of a force that accelerates. */
float brume_force_speed(const BrumeEmitterDef *emitter);

#endif
