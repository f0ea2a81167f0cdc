/**
 * @file condensation.h
 * Water vapor and liquid water: saturation, condensation and evaporation (condensation.c).
 */
#ifndef BRUME_SIM_VAPOR_CONDENSATION_H
#define BRUME_SIM_VAPOR_CONDENSATION_H

#include "sim/state/state.h"

/**
 * The mass of vapor that saturated air has, over the mass of its dry air, at an absolute temperature [K] and a pressure
 * [Pa]; `slope`, unless NULL: its derivative by the temperature [1/K].
 */
float brume_saturation(float temperature, float pressure, float *slope);

/**
 * Condenses vapor beyond saturation, and evaporates liquid water where the air is not saturated, until each cell has
 * its equilibrium; the latent heat changes the temperature. The sum of vapor and liquid water stays. The ghosts of the
 * scalars are current afterwards. Without vapor it does nothing.
 */
void brume_condense(BrumeSim *sim);

#endif
