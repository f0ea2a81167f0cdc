/**
 * @file transport_velocity.h
 * The velocity along which a step carries everything.
 */
#ifndef BRUME_SIM_INTEGRATORS_TRANSPORT_VELOCITY_H
#define BRUME_SIM_INTEGRATORS_TRANSPORT_VELOCITY_H

#include "sim/state/state.h"

/**
 * Sets sim->transport_velocity to the velocity at the middle of a step of `dt` [s]: extrapolated in sim->previous from
 * the state and the state before the last step, or the velocity of the state itself where BRUME_VALID_PREVIOUS does not
 * hold. Ghosts and closed faces are set. Returns its largest component [m/s], NaN if a value is not finite. Clears
 * BRUME_VALID_PREVIOUS.
 */
double brume_find_transport_velocity(BrumeSim *sim, double dt);

#endif
