/**
 * @file forces.h
 * The terms of the equations other than advection, in the order of a step. The head of each file has the equation.
 */
#ifndef BRUME_SIM_FORCES_FORCES_H
#define BRUME_SIM_FORCES_FORCES_H

#include "sim/state/state.h"

/**
 * Applies the strokes over the next `dt` [s], inside obstacles too. The boundaries of the quantities that they write
 * are not current afterwards.
 */
void brume_apply_strokes(BrumeSim *sim, double dt);

/**
 * Applies the emitters that are active within the next `dt` [s]. The ghosts of temperature and smoke are current
 * afterwards; the boundary of velocity is not, if an emitter writes velocity.
 */
void brume_emit(BrumeSim *sim, double dt);

/**
 * Adds `share` of vorticity confinement over `dt` [s], computed from `velocity` (3 fields), to `onto` (3 fields, which
 * may be the same). `max_speed` [m/s] is the largest velocity component. Reads the ghosts of `velocity` as they are;
 * the boundary of `onto` is not current afterwards. `work` is 4 fields of scratch that are neither.
 */
void brume_add_vorticity_confinement(BrumeSim *sim, const BrumeField velocity[3], BrumeField onto[3],
                                     BrumeField work[4], double dt, double max_speed, float share);

/** Accelerates `onto` (3 fields) by buoyancy over `dt` [s]; its boundary is not current afterwards. */
void brume_add_buoyancy(BrumeSim *sim, BrumeField onto[3], float dt);

/** Relaxes the velocity to the wind over `dt` [s]; its boundary is not current afterwards. */
void brume_add_drag(BrumeSim *sim, double dt);

/** Diffuses `id` by `diffusivity` [m^2/s] over `dt` [s]. Its boundary values must be set, and are set again. */
void brume_diffuse(BrumeSim *sim, BrumeFieldId id, float diffusivity, float dt);

/** Diffuses temperature and smoke by the diffusivities of the settings over `dt` [s]; as brume_diffuse. */
void brume_diffuse_scalars(BrumeSim *sim, float dt);

/**
 * onto = from - seconds grad p with the state's pressure, on all faces (3 fields each, which may be the same). Closed
 * faces and ghosts of `onto` are not current afterwards.
 */
void brume_add_pressure_gradient(const BrumeSim *sim, const BrumeField from[3], BrumeField onto[3], float seconds);

/**
 * Makes the velocity free of divergence over a step of `dt` [s], to the tolerance of the settings. On entry, the closed
 * faces of the velocity must hold their values (BRUME_VALID_CLOSED_FACES), sim->geometry must be that of the obstacles'
 * present positions, and the pressure field is the start of an iterative solve. On return it is the new pressure, the
 * boundary values of the velocity are set, and max_speed and `divergence` are measured (measures/monitor.h).
 */
BrumePressureResult brume_project(BrumeSim *sim, float dt);

/**
 * As brume_project for a velocity on which the gradient of `share` times the pressure field has acted already: solves
 * for the difference phi from phi = 0, and the pressure becomes share p + phi. Uses BRUME_PRESSURE_SCRATCH + 1 scratch
 * fields.
 */
BrumePressureResult brume_project_increment(BrumeSim *sim, float dt, float share);

/**
 * Projects a velocity that the program or a change of settings has written, without changing the pressure; does nothing
 * where BRUME_VALID_DIVERGENCE_FREE holds. As brume_project otherwise.
 */
void brume_make_divergence_free(BrumeSim *sim);

#endif
