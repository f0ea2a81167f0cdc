/**
 * @file initial_fields.h
 * The state of a new simulation.
 */
#ifndef BRUME_SIM_INITIAL_INITIAL_FIELDS_H
#define BRUME_SIM_INITIAL_INITIAL_FIELDS_H

#include "core/error.h"
#include "sim/state/state.h"

/**
 * Sets velocity to the wind and temperature and smoke to 0, and adds the initial fields of the settings to them, at the
 * entries 1..n and the faces n+1. Densities below 0 become 0. Boundary conditions and ghosts are not set, and the
 * velocity is not projected. Fails with BRUME_BAD_INPUT where a value is not finite and with BRUME_FAILED without
 * memory.
 */
BrumeStatus brume_set_initial_fields(BrumeSim *sim, BrumeError *error);

#endif
