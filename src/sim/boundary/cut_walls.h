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

/** Gives the faces between two cells of air of which no part is open the velocity of the solid that closes them. */
void brume_set_covered_faces(BrumeSim *sim);

#endif
