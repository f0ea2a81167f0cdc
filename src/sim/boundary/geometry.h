/**
 * @file geometry.h
 * All that follows from where the obstacles are and what the sides of the box do: made whole, then put in place of the
 * one before, so that nothing is ever half moved.
 */
#ifndef BRUME_SIM_BOUNDARY_GEOMETRY_H
#define BRUME_SIM_BOUNDARY_GEOMETRY_H

#include "brume/sim_def.h"
#include "core/error.h"
#include "sim/boundary/cells.h"
#include "sim/boundary/solids.h"
#include "sim/pressure/pressure.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct BrumeGeometry {
    BrumeCells cells;
    BrumeSolids solids;
    BrumePressure *pressure; ///< of these cells
} BrumeGeometry;

/**
 * Makes the geometry of these settings. BRUME_BAD_INPUT for an unknown pressure method, BRUME_FAILED without memory;
 * `*geometry` is NULL then.
 */
BrumeStatus brume_geometry_create(BrumeGeometry **geometry, const BrumeSimDef *def, BrumeError *error);

/**
 * The same for cells that are made already, which the geometry takes over: they are zeroed here, and freed where it
 * fails.
 */
BrumeStatus brume_geometry_of_cells(BrumeGeometry **geometry, BrumeCells *cells, const BrumeSimDef *def,
                                    BrumeError *error);

/** Frees it; NULL is fine. */
void brume_geometry_destroy(BrumeGeometry *geometry);

/** Bytes held. */
size_t brume_geometry_bytes(const BrumeGeometry *geometry);

/** Whether two settings have the same geometry, solver included. The grids must be the same. */
bool brume_geometry_same(const BrumeSimDef *a, const BrumeSimDef *b);

#endif
