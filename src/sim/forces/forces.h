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
 * Adds vorticity confinement over `dt` [s]. `max_speed` [m/s] is the largest velocity component at the start of the
 * step. Reads the ghosts of velocity as they were set last, that is without the sources of this step. The boundary of
 * velocity is not current afterwards.
 */
void brume_add_vorticity_confinement(BrumeSim *sim, float dt, double max_speed);

/** Accelerates the velocity by buoyancy over `dt` [s]; its boundary is not current afterwards. */
void brume_add_buoyancy(BrumeSim *sim, float dt);

/** Relaxes the velocity to the wind over `dt` [s]; its boundary is not current afterwards. */
void brume_add_drag(BrumeSim *sim, double dt);

/** Diffuses `id` by `diffusivity` [m^2/s] over `dt` [s]. Its boundary values must be set, and are set again. */
void brume_diffuse(BrumeSim *sim, BrumeFieldId id, float diffusivity, float dt);

/**
 * Makes the velocity free of divergence over a step of `dt` [s], to the tolerance of the settings. On entry, the closed
 * faces of the velocity must hold their values (BRUME_VALID_CLOSED_FACES), sim->geometry must be that of the obstacles'
 * present positions, and the pressure field is the start of the solve. On return it is the new pressure, and the
 * boundary values of the velocity are set.
 */
BrumePressureResult brume_project(BrumeSim *sim, float dt);

#endif
