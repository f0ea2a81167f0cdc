/**
 * @file stages.h
 * The stages that several integrators share.
 */
#ifndef BRUME_SIM_INTEGRATORS_STAGES_H
#define BRUME_SIM_INTEGRATORS_STAGES_H

#include "sim/integrators/integrator.h"

/** Moves bodies to their positions at the end of the step; applies strokes, emitters and the hook `sources`. */
BrumeStatus brume_stage_sources(BrumeStep *step);

/** Adds all forces over the whole step, explicitly, to the velocity of the state. */
BrumeStatus brume_stage_forces(BrumeStep *step);

/** The last forces of a step: drag and the hook `forces`; then the boundary of the velocity is set. */
BrumeStatus brume_finish_forces(BrumeStep *step);

/** Diffuses velocity, temperature and smoke over the whole step. */
BrumeStatus brume_stage_diffusion(BrumeStep *step);

/**
 * Advects the velocity along itself over the step and sets its boundary; sim->transport_velocity is the velocity before
 * that. Needs BRUME_VALID_VELOCITY and BRUME_VALID_MAX_SPEED (the speed may be NaN or infinite).
 */
BrumeStatus brume_stage_advect_velocity(BrumeStep *step);

/** Advects temperature and smoke along sim->transport_velocity. */
BrumeStatus brume_stage_advect_scalars(BrumeStep *step);

/** Projects the velocity with the state's pressure as the start of the solve. */
BrumeStatus brume_stage_projection(BrumeStep *step);

/**
 * Fills step->stats from the result of a projection and the divergence measured after it, and fails if the state is not
 * finite.
 */
BrumeStatus brume_finish_projection(BrumeStep *step, BrumePressureResult pressure);

#endif
