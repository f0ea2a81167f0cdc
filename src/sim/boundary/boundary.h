/**
 * @file boundary.h
 * Boundary conditions at the sides of the box and at obstacles, which may move.
 */
#ifndef BRUME_SIM_BOUNDARY_BOUNDARY_H
#define BRUME_SIM_BOUNDARY_BOUNDARY_H

#include "sim/boundary/geometry.h"
#include "sim/state/state.h"

// boundary.c
void brume_set_sides(const BrumeSim *sim, BrumeFieldId id, BrumeField *field);
void brume_set_boundary(const BrumeSim *sim, BrumeFieldId id, BrumeField *field);
void brume_set_sides_homogeneous(const BrumeSim *sim, BrumeFieldId id, BrumeField *field);
void brume_set_velocity_boundary(BrumeSim *sim);
void brume_set_scalar_ghosts(BrumeSim *sim);

// backflow.c
void brume_stabilise_backflow(BrumeSim *sim, float dt);

// moving_obstacles.c: moving obstacles and the cells that they uncover
BrumeStatus brume_move_obstacles(BrumeSim *sim, double dt, BrumeError *error);
void brume_impose_obstacle_velocity(const BrumeSim *sim, int axis, BrumeField *velocity);
void brume_replace_geometry(BrumeSim *sim, BrumeGeometry *geometry);
void brume_fill_uncovered(BrumeSim *sim, const BrumeCells *before);
void brume_restart_motions(BrumeSim *sim, const BrumeMotion motions[BRUME_MAX_OBSTACLES]);
void brume_end_motions(BrumeSim *sim);

#endif
