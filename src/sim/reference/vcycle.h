/**
 * @file vcycle.h
 * The multigrid cycle of the pressure solvers "mgpcg" and "multigrid" in plain loops, to be read before the fused
 * passes of sim/pressure, which are tested for the same bits. Selected by `solver.kernels: reference` in a scene.
 */
#ifndef BRUME_SIM_REFERENCE_VCYCLE_H
#define BRUME_SIM_REFERENCE_VCYCLE_H

#include "sim/pressure/multigrid/multigrid.h"

/** The kernels of vcycle.c, for BrumePressureDef.kernels. */
extern const BrumeCycleKernels brume_reference_cycle_kernels;

#endif
