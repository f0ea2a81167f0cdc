/**
 * @file geometry.h
 * Everything that depends on the positions of the bodies and on the kinds of the sides: cells, extrapolation lists,
 * profiles of inflows and the pressure solver. A geometry is built completely and then replaces the previous one, so
 * that a failure leaves the simulation unchanged.
 */
#ifndef BRUME_SIM_BOUNDARY_GEOMETRY_H
#define BRUME_SIM_BOUNDARY_GEOMETRY_H

#include "brume/sim_def.h"
#include "core/error.h"
#include "sim/boundary/extrapolation.h"
#include "sim/boundary/inflow.h"
#include "sim/boundary/wall_faces.h"
#include "sim/grid/cells.h"
#include "sim/pressure/pressure.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct BrumeDirectPasses BrumeDirectPasses;

/** Plain kernels of the pressure projection, which give the bits of the fused ones more slowly (sim/reference). */
typedef struct BrumeProjectionKernels {
    const BrumeCycleKernels *cycle;  ///< of the solvers "mgpcg" and "multigrid" (pressure/multigrid/multigrid.h)
    const BrumeDirectPasses *direct; ///< around a direct solve (forces/projection.h)
} BrumeProjectionKernels;

/** The geometry of the box. */
typedef struct BrumeGeometry {
    BrumeCells cells;
    BrumeExtrapolation extrapolation;
    BrumeWallFaces wall_faces;
    BrumeInflows inflows;
    BrumePressure *pressure;               ///< the solver for these cells
    const BrumeProjectionKernels *kernels; ///< of that solver and the projection; NULL for the fused ones
} BrumeGeometry;

/**
 * Builds the geometry of these settings, whose projection uses `kernels` (NULL for the fused ones).
 * BRUME_BAD_INPUT for an unknown pressure method, BRUME_FAILED if memory runs out; `*geometry` is NULL then.
 */
BrumeStatus brume_geometry_create(BrumeGeometry **geometry, const BrumeSimDef *def,
                                  const BrumeProjectionKernels *kernels, BrumeError *error);

/**
 * As brume_geometry_create for existing cells. The geometry takes ownership of their arrays: `*cells` is zeroed, and
 * the arrays are freed if the call fails.
 */
BrumeStatus brume_geometry_from_cells(BrumeGeometry **geometry, BrumeCells *cells, const BrumeSimDef *def,
                                      const BrumeProjectionKernels *kernels, BrumeError *error);

/** Frees a geometry; NULL is valid. */
void brume_geometry_destroy(BrumeGeometry *geometry);

/** Bytes allocated. */
size_t brume_geometry_bytes(const BrumeGeometry *geometry);

/**
 * Whether two settings lead to the same geometry, pressure solver included; of cut cells, up to rounding of the place
 * of a body. The grids must be equal.
 */
bool brume_geometry_equal(const BrumeSimDef *a, const BrumeSimDef *b);

#endif
