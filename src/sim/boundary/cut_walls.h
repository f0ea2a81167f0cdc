/**
 * @file cut_walls.h
 * The velocity on the faces of cut cells. A velocity component is that of the air at the center of its face; through
 * the closed part of the face passes what the solid displaces (Batty, Bertails, Bridson 2007; Ng, Min, Gibou 2009).
 */
#ifndef BRUME_SIM_BOUNDARY_CUT_WALLS_H
#define BRUME_SIM_BOUNDARY_CUT_WALLS_H

#include "sim/state/state.h"

/**
 * Row (j, k) of `scale` times the volume that leaves each cell over dx^2 [m/s]: the sum of the differences of
 *     a u + (1 - a) u_solid
 * of opposite faces, with the open fraction a; 0 in solid cells. Entries 1..nx of `out`. The cells of the state's
 * geometry are cut, and its closed faces set.
 */
void brume_cut_divergence_row(const BrumeSim *sim, float *out, float scale, int j, int k);

/**
 * The component of the velocity of a body [m/s] at `distance` [dx] from the center of the face at entry `face`, on the
 * way to the neighbor on `side`: 0 to 5 for -x, +x, -y, +y, -z, +z. The face is of the same component.
 */
float brume_wall_velocity_beside(const BrumeSim *sim, int body, int component, ptrdiff_t face, int side,
                                 float distance);

/** Gives the faces between two cells of air of which no part is open the velocity of the solid that closes them. */
void brume_set_covered_faces(BrumeSim *sim);

#endif
