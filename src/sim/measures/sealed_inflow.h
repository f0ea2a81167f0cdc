/**
 * @file sealed_inflow.h
 * Inflows into a region that air cannot leave: walls and bodies enclose it, so that no velocity is free of
 * divergence there and the pressure equation has no solution.
 */
#ifndef BRUME_SIM_MEASURES_SEALED_INFLOW_H
#define BRUME_SIM_MEASURES_SEALED_INFLOW_H

#include "brume/sim.h"

#include <stdbool.h>

/** An enclosed region with a net flux through inflows. */
typedef struct BrumeSealedInflow {
    BrumeFace face;         ///< an inflow into it
    double flux;            ///< of all inflows into it [m^3/s]; below 0 out of it
    double volume;          ///< of its cells [m^3]
    BrumeVec3 lower, upper; ///< the box of its cells [m]
} BrumeSealedInflow;

/** Finds the first enclosed region with a net flux, at the present positions of bodies; false if there is none. */
bool brume_find_sealed_inflow(const BrumeSim *sim, BrumeSealedInflow *found);

#endif
