/**
 * @file advection.h
 * The reference implementation of advection: plain loops over planes, rows and entries, close to the text of Stam
 * (1999) and Bridson (2015), to be read before the fast kernels in src/sim/advection. `solver.kernels: reference` runs
 * it. It gives the same bits as the fast kernels, because it performs the same operations on each entry in the same
 * order; comments point out where that order matters.
 */
#ifndef BRUME_SIM_REFERENCE_ADVECTION_H
#define BRUME_SIM_REFERENCE_ADVECTION_H

#include "sim/advection/advection.h"
#include "sim/state/state.h"

/** The kernels of advection.c, for BrumeAdvection.kernels. */
extern const BrumeAdvectionKernels brume_reference_advection;

/** A field interpolated at a position. */
typedef struct BrumeSample {
    float value;     ///< trilinear interpolation of the eight surrounding entries
    float low, high; ///< the smallest and the largest of these entries
    bool clamped;    ///< whether the position was outside the box and has been clamped to it
} BrumeSample;

/**
 * Interpolates a field of a quantity at `location` (0 to 2: lower faces along that axis, or BRUME_AT_CENTER) at a
 * position in the index coordinates of the field: entry (i, j, k) is at (i, j, k). The boundary values of the field
 * must be set. Positions are clamped to the box at walls and wrapped at periodic sides; at other sides they may reach
 * the ghost entries.
 */
BrumeSample brume_reference_sample(const BrumeSim *sim, const BrumeField *field, int location, const float position[3]);

/**
 * Computes the displacement of one cell center in such a step; a ghost has the displacement of the adjacent center, or
 * periodic.
 */
void brume_reference_trace_center(const BrumeSim *sim, const BrumeField transport[3], const int center[3],
                                  float cells_per_mps, float displacement[3]);

/**
 * Computes the displacement of all cell centers, ghosts included, along the velocity `transport` in a step in which
 * 1 m/s displaces air by `cells_per_mps` cells (negative: backward in time).
 */
void brume_reference_trace(const BrumeSim *sim, const BrumeField transport[3], float cells_per_mps,
                           BrumeDisplacement *displacement);

#endif
