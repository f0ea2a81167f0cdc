/**
 * @file ring.h
 * The vector potential of a vortex ring.
 */
#ifndef BRUME_SIM_INITIAL_RING_H
#define BRUME_SIM_INITIAL_RING_H

#include "brume/initial.h"
#include "core/error.h"
#include "sim/initial/point.h"

/** The azimuthal component of the potential over the distance from the axis, tabulated in one half-plane. */
typedef struct BrumeInitialRing {
    int radial, axial;  ///< entries
    double spacing;     ///< [m]
    double *values;     ///< (axial x radial) [m/s], from the axis and from the plane of the ring; symmetric in both
    double axis[3];     ///< unit vector along the motion
    double circulation; ///< [m^2/s]
} BrumeInitialRing;

/** Tabulates the potential for the whole box. BRUME_FAILED without memory. */
BrumeStatus brume_ring_create(BrumeInitialRing *ring, const BrumeInitialDef *def, const BrumeInitialBox *box,
                              BrumeError *error);

/** Frees the table. A zeroed ring is allowed. */
void brume_ring_destroy(BrumeInitialRing *ring);

/** A component of the vector potential at a point [m^2/s], with the nearest images along periodic axes. */
double brume_ring_potential(const BrumeInitialRing *ring, const BrumeInitialDef *def, const BrumeInitialBox *box,
                            int component, const BrumeInitialPoint *point);

#endif
