/**
 * @file forces.h
 * The terms of the equations besides advection, in the order of a step. Each is documented in its own file.
 */
#ifndef BRUME_SIM_FORCES_FORCES_H
#define BRUME_SIM_FORCES_FORCES_H

#include "sim/state/state.h"

void brume_apply_strokes(BrumeSim *sim, double dt);
void brume_emit(BrumeSim *sim, double dt);
void brume_add_buoyancy(BrumeSim *sim, float dt);
void brume_add_vorticity_confinement(BrumeSim *sim, float dt, double max_speed);
void brume_add_drag(BrumeSim *sim, double dt);
void brume_diffuse(BrumeSim *sim, BrumeFieldId id, float diffusivity, float dt);
BrumePressureResult brume_project(BrumeSim *sim, float dt);

#endif
