/**
 * @file nesting.h
 * Two grids of which the finer one covers whole cells of the coarser one: means of the fine fields on the coarse grid
 * (restriction), and fields of the fine grid from coarse ones (prolongation).
 *
 * The prolongation of a velocity keeps the flux through each coarse face, and gives all fine cells of a coarse cell its
 * divergence. As in Toth, Roe 2002, "Divergence- and curl-preserving prolongation and restriction formulas", the faces
 * on those of the coarse cells come first, from a linear function with the mean of the coarse face. The faces inside a
 * coarse cell are interpolated between them, and a gradient, the solution of a Poisson equation in the cell without
 * flux through its sides, removes the differences of divergence.
 *
 * Ghosts of the coarse fields are read. All functions run in parallel over planes and give the same bits at any number
 * of threads. Ranks that share the fine grid all have the whole coarse one; brume_prolong_velocity computes whole
 * grids.
 */
#ifndef BRUME_SIM_FAR_NESTING_H
#define BRUME_SIM_FAR_NESTING_H

#include "core/field.h"
#include "sim/grid/cells.h"

enum { BRUME_MOST_FACTOR = 4 };

/** Where a fine grid lies in a coarse one. */
typedef struct BrumeNesting {
    int factor;  ///< fine cells along each side of a coarse one: 2 or 4
    int from[3]; ///< coarse cells before the first of the fine grid along each axis
} BrumeNesting;

/** Sets coarse faces, within and on the sides of the fine grid, to the means of the fine faces on them. */
void brume_restrict_faces(const BrumeNesting *nesting, int axis, const BrumeField *fine, BrumeField *coarse);

/** Sets coarse cells within the fine grid to the means of their fine cells. */
void brume_restrict_cells(const BrumeNesting *nesting, const BrumeField *fine, BrumeField *coarse);

/**
 * Sets a velocity of the fine grid from a coarse one, but for the faces of the fine cells in `known` (1 to n along each
 * axis, whole coarse cells), which are kept, and whose means the coarse velocity has.
 */
void brume_prolong_velocity(const BrumeNesting *nesting, const BrumeField coarse[3], const BrumeIndexBox *known,
                            BrumeField fine[3]);

/**
 * The coarse value at entry (i, j, k) of the fine grid, also next to it, linear between coarse entries; `location` is
 * that of the quantity (brume_location).
 */
float brume_prolonged(const BrumeNesting *nesting, const BrumeField *coarse, int location, int i, int j, int k);

/**
 * The normal velocity on a fine face that lies on a coarse one along `axis`, so that the mean over the coarse face is
 * its velocity.
 */
float brume_prolonged_flux(const BrumeNesting *nesting, const BrumeField *coarse, int axis, int i, int j, int k);

#endif
