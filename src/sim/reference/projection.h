/**
 * @file projection.h
 * The plain kernels of the pressure projection, to be read before sim/forces/direct_projection.c and the fused passes
 * of sim/pressure. Selected by `solver.kernels: reference` in a scene.
 */
#ifndef BRUME_SIM_REFERENCE_PROJECTION_H
#define BRUME_SIM_REFERENCE_PROJECTION_H

#include "sim/boundary/geometry.h"

/** The passes of projection.c and the cycle of vcycle.c, for BrumeGeometry.kernels. */
extern const BrumeProjectionKernels brume_reference_projection;

#endif
