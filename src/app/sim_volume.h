/**
 * @file sim_volume.h
 * The bridge from the solver to the renderer: a state's smoke as a volume.
 */
#ifndef BRUME_APP_SIM_VOLUME_H
#define BRUME_APP_SIM_VOLUME_H

#include "raymarch/volume.h"
#include "sim/sim.h"

/** Windows into the state's densities, valid until the next step. */
BrumeVolume brume_sim_volume(const BrumeSim *sim);

#endif
