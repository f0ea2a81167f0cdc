/**
 * @file measures_internal.h
 * The parts of brume_sim_measure.
 */
#ifndef BRUME_SIM_MEASURES_MEASURES_INTERNAL_H
#define BRUME_SIM_MEASURES_MEASURES_INTERNAL_H

#include "brume/measures.h"
#include "sim/state/state.h"

// measure.c

/** Sets the ghosts of velocity, temperature and smoke where the program or a stage has written since. */
void brume_set_measured_ghosts(BrumeSim *sim);

// face_fluxes.c

/** Sets the fluxes through the faces of the box. The ghosts must be set; the temperature's are set again. */
void brume_measure_faces(BrumeSim *sim, BrumeMeasures *measures);

// body_forces.c

/** Sets the forces on the bodies. The boundary of the velocity must be set. */
void brume_measure_bodies(const BrumeSim *sim, BrumeMeasures *measures);

#endif
