/**
 * @file kernels.h
 * The plain kernels other than advection's (advection.h): loops to be read before the fast kernels, which give the same
 * bits because they perform the same operations on each entry in the same order. `solver.kernels: reference` in a scene
 * selects them.
 */
#ifndef BRUME_SIM_REFERENCE_KERNELS_H
#define BRUME_SIM_REFERENCE_KERNELS_H

#include "sim/boundary/geometry.h"
#include "sim/pressure/multigrid/multigrid.h"
#include "sim/transport/transport.h"

/** The multigrid cycle of the pressure solvers "mgpcg" and "multigrid" (vcycle.c), for BrumePressureDef.kernels. */
extern const BrumeCycleKernels brume_reference_cycle_kernels;

/** That cycle and the passes around a direct solve (projection.c), for BrumeGeometry.kernels. */
extern const BrumeProjectionKernels brume_reference_projection;

/** A BrumeFluxKernel, of the transport in flux form (transport.c). */
void brume_flux_substep_reference(BrumeSim *sim, const BrumeFluxSubstep *substep);

#endif
