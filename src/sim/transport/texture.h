/**
 * @file texture.h
 * Texture coordinates that follow the flow (texture.c).
 */
#ifndef BRUME_SIM_TRANSPORT_TEXTURE_H
#define BRUME_SIM_TRANSPORT_TEXTURE_H

#include "sim/state/state.h"

/** Sets how often the layers have started at `time` [s]; their fields must be 0. */
void brume_restart_texture(BrumeSim *sim, double time);

/**
 * Advects the texture coordinates over `dt` [s] along `velocity` [m/s], and starts the layers again whose time it is at
 * the end of the step. Nothing where the simulation has none. Uses sim->scratch[0] to sim->scratch[5], among which
 * `velocity` must not be. Ghosts of the velocity must be set.
 */
void brume_advect_texture(BrumeSim *sim, const BrumeField velocity[3], double dt);

#endif
