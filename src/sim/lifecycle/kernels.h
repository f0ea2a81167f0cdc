/**
 * @file kernels.h
 * The sets of kernels that a simulation can run with (BrumeSimDef.kernels). All sets give the same bits.
 */
#ifndef BRUME_SIM_LIFECYCLE_KERNELS_H
#define BRUME_SIM_LIFECYCLE_KERNELS_H

#include "sim/advection/advection.h"
#include "sim/boundary/geometry.h"
#include "sim/transport/transport.h"

/** One set: a table of kernels for each part of the solver that has several implementations. */
typedef struct BrumeKernels {
    const char *name;
    const BrumeAdvectionKernels *advection;
    const BrumeProjectionKernels *projection; ///< of the pressure projection; NULL for the fused passes
    BrumeFluxKernel *flux;                    ///< of transport in flux form
} BrumeKernels;

/** The set with this name; NULL if there is none. */
const BrumeKernels *brume_kernels_find(const char *name);

#endif
