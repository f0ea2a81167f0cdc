/**
 * @file body_heat.h
 * Heat from the surfaces of bodies with a heat flux.
 */
#ifndef BRUME_SIM_FORCES_BODY_HEAT_H
#define BRUME_SIM_FORCES_BODY_HEAT_H

#include "sim/state/state.h"

/** Whether a body emits heat. */
bool brume_has_body_heat(const BrumeSim *sim);

/**
 * Adds the heat that flows out of bodies in `dt` [s] to the cells of air beside them in `x`, a field of temperatures
 * [K]. Returns the sum of the added temperatures.
 */
double brume_add_body_heat(const BrumeSim *sim, BrumeField *x, double dt);

#endif
