/**
 * @file displacement.h
 * The forward displacement, for schemes that trace paths both ways while the scheme of velocity traces backward alone.
 */
#ifndef BRUME_SIM_TRANSPORT_DISPLACEMENT_H
#define BRUME_SIM_TRANSPORT_DISPLACEMENT_H

#include "sim/transport/transport.h"

/**
 * Makes the displacement to the arrival points of a step of `dt` [s] along `velocity` [m/s] available in
 * sim->advection->forward: that of the scheme of velocity if it finds one, otherwise 2 dt u + b, with the velocity u at
 * the centre and the backward displacement b. Both are dt u + dt^2 (u . grad) u / 2 up to third order.
 */
void brume_borrow_forward(BrumeSim *sim, const BrumeField velocity[3], double dt);

/** Ends the use of the displacement of brume_borrow_forward. */
void brume_return_forward(BrumeSim *sim);

#endif
