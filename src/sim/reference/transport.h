/**
 * @file transport.h
 * The reference implementation of the transport in flux form: plain loops over lines and cells, to be read before
 * src/sim/transport/flux_form.c and strip_kernels.c. `solver.kernels: reference` runs it. It gives the same bits,
 * because it performs the same operations on each cell in the same order.
 */
#ifndef BRUME_SIM_REFERENCE_TRANSPORT_H
#define BRUME_SIM_REFERENCE_TRANSPORT_H

#include "sim/transport/transport.h"

/** A BrumeFluxKernel. */
void brume_flux_substep_reference(BrumeSim *sim, const BrumeFluxSubstep *substep);

#endif
