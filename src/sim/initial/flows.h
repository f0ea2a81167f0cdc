/**
 * @file flows.h
 * The velocities of the named flows. Most are given by a vector potential A [m^2/s] on the edges of the cells, whose
 * differences are the velocities on the faces: u = curl A, with a divergence of 0 to rounding. The others are given by
 * their values at the faces.
 */
#ifndef BRUME_SIM_INITIAL_FLOWS_H
#define BRUME_SIM_INITIAL_FLOWS_H

#include "brume/initial.h"
#include "sim/initial/point.h"

/** Whether a kind of flow has a vector potential with this component. */
bool brume_flow_has_potential(const BrumeInitialDef *def, const BrumeInitialBox *box, int component);

/**
 * A component of the vector potential [m^2/s] at `count` points in a row along x, a cell apart, the first one at `half`
 * half cells from the lower corner; 0 for flows without one.
 */
void brume_flow_potential_row(const BrumeInitialDef *def, const BrumeInitialBox *box, int component, const int half[3],
                              int count, double *values);

/** Whether a kind of flow has a part of the velocity that has no potential. */
bool brume_flow_has_velocity(const BrumeInitialDef *def);

/** A component of the part of the velocity that has no potential [m/s]. */
double brume_flow_velocity(const BrumeInitialDef *def, const BrumeInitialBox *box, int axis,
                           const BrumeInitialPoint *point);

#endif
