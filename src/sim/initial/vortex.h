/**
 * @file vortex.h
 * Straight vortices.
 */
#ifndef BRUME_SIM_INITIAL_VORTEX_H
#define BRUME_SIM_INITIAL_VORTEX_H

#include "brume/initial.h"
#include "sim/initial/point.h"

/**
 * The stream function of a vortex [m^2/s], the component of its vector potential along its axis. Across periodic faces
 * it includes all images of the vortex; in a box that is periodic in both directions across the axis, a uniform
 * vorticity that cancels the circulation is added, without which no periodic flow exists.
 */
double brume_vortex_potential(const BrumeInitialDef *def, const BrumeInitialBox *box, const BrumeInitialPoint *point);

#endif
