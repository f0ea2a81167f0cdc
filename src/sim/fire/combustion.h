/**
 * @file combustion.h
 * The burning of fuel (combustion.c).
 */
#ifndef BRUME_SIM_FIRE_COMBUSTION_H
#define BRUME_SIM_FIRE_COMBUSTION_H

#include "sim/state/state.h"

/**
 * Burns fuel over `dt` [s] and lets flames and hot gas radiate: the heat is added to the expansion, which the next
 * steps turn into temperature (heat.h); soot is added to its kind of smoke. `previous` is the velocity at the start of
 * the step, with its boundary. The ghosts of the scalars are current afterwards. Without fuel it does nothing.
 */
void brume_burn(BrumeSim *sim, double dt);

#endif
