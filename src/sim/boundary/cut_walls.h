/**
 * @file cut_walls.h
 * The velocity on the faces of cut cells. A velocity component is that of the air at the center of its face; through
 * the closed part of the face passes what the solid displaces (Batty, Bertails, Bridson 2007; Ng, Min, Gibou 2009).
 */
#ifndef BRUME_SIM_BOUNDARY_CUT_WALLS_H
#define BRUME_SIM_BOUNDARY_CUT_WALLS_H

#include "sim/state/state.h"

/**
 * The volume that leaves a cell over dx^2 [m/s]: the sum of the differences of
 *     a u + (1 - a) u_solid
 * of opposite faces, with the open fraction a; 0 in solid cells. The cells of the state's geometry are cut.
 */
float brume_cut_divergence(const BrumeSim *sim, int i, int j, int k);

/** `scale` times the same in row (j, k): entries 1..nx of `out`. */
void brume_cut_divergence_row(const BrumeSim *sim, float *out, float scale, int j, int k);

/**
 * The component of the velocity of a body [m/s] at `distance` [dx] from the center of the face at entry `face`, on the
 * way to the neighbor on `side`: 0 to 5 for -x, +x, -y, +y, -z, +z. The face is of the same component.
 */
float brume_wall_velocity_beside(const BrumeSim *sim, int body, int component, ptrdiff_t face, int side,
                                 float distance);

/** Sets the component along an axis to the velocity of the solid on all faces of which no part is open. */
void brume_set_covered_faces(const BrumeSim *sim, int axis, BrumeField *velocity);

/**
 * After brume_extrapolate of all components of a velocity and an exchange of the planes next to this rank's: on the
 * faces in bodies that air slips along, whose entries are extrapolated, the component normal to the surface becomes
 * that of the surface. So no path that ends in a body is continued into it, and the air along a surface is not slowed
 * down.
 */
void brume_set_slip_faces(const BrumeSim *sim, BrumeField velocity[3]);

/**
 * Replaces a velocity (three fields) by the volume flux over dx^2, a u + (1 - a) u_solid, at the faces of the
 * geometry's wall_faces, for transport in flux form. brume_restore_wall_velocities must follow. Nothing changes with
 * whole cells, whose closed faces hold the flux. Planes of other ranks are changed too, so that those that were current
 * still are.
 */
void brume_exchange_wall_fluxes(const BrumeSim *sim, const BrumeField velocity[3]);

/** Restores the velocity before brume_exchange_wall_fluxes. */
void brume_restore_wall_velocities(const BrumeSim *sim, const BrumeField velocity[3]);

#endif
