/**
 * @file centers.h
 * The velocity at the centers of the cells, for integrators that compute there. It is sim->previous
 * (BRUME_VALID_PREVIOUS), a part of the saved state. The velocity of the state, on the faces, is the mean of the two
 * centers beside each face; forces and sources act on the faces, and the centers take what they have changed. The sides
 * of the box are walls with free slip or periodic, and there are no bodies.
 */
#ifndef BRUME_SIM_INTEGRATORS_CENTERS_H
#define BRUME_SIM_INTEGRATORS_CENTERS_H

#include "sim/state/state.h"

/** Sets the ghosts of a field at the centers: mirrored at walls, those of the other end along periodic axes. */
void brume_set_center_ghosts(const BrumeSim *sim, BrumeField *field);

/** Sets the centers to the means of their faces where BRUME_VALID_PREVIOUS does not hold, which it does afterwards. */
void brume_find_centers(BrumeSim *sim);

/**
 * Adds to each center the mean of the changes of its two faces since brume_centers_to_faces or brume_find_centers;
 * beside a wall, whose faces do not change, that of the other face alone. Uses the first three scratch fields.
 */
void brume_centers_take_changes(BrumeSim *sim);

/**
 * Sets the velocity on the faces and its boundary, and measures it. The integrator leaves the divergence that it does:
 * BRUME_VALID_DIVERGENCE_FREE is established, so that no step begins with another projection.
 */
void brume_centers_to_faces(BrumeSim *sim);

/** The diffusivity of temperature or a kind of smoke [m^2/s]. */
static inline float brume_scalar_diffusivity(const BrumeSimDef *def, BrumeFieldId id)
{
    return id == BRUME_FIELD_TEMPERATURE ? def->thermal_diffusivity : def->smoke[id - BRUME_FIELD_DENSITY].diffusivity;
}

#endif
