/**
 * @file inflow.h
 * Profiles and openings of inflow faces: the factors by which the velocity of a face is multiplied at each of its
 * cells. They are scaled such that the sum over the cells is exactly the velocity of the face times the area of the
 * opening, so that the fluxes of several faces balance in the grid where they balance on paper.
 */
#ifndef BRUME_SIM_BOUNDARY_INFLOW_H
#define BRUME_SIM_BOUNDARY_INFLOW_H

#include "brume/sim_def.h"
#include "core/error.h"

#include <stddef.h>

/** The factors of all faces. */
typedef struct BrumeInflows {
    /**
     * (outer + 2) x (inner + 2) factors of the cells across a face, with ghosts that repeat the nearest cell; `inner`
     * and `outer` are the axes of brume_other_axes, and `inner` is fastest. 0 outside the opening. NULL if all are 1.
     */
    float *factors[BRUME_FACE_COUNT];
    float largest[BRUME_FACE_COUNT]; ///< the largest factor of a face
    size_t bytes;                    ///< allocated
} BrumeInflows;

/** The area of the opening of an inflow face [m^2]. */
double brume_inflow_area(const BrumeSimDef *def, BrumeFace face);

/** The mistake in the opening of an inflow face, as in "reaches beyond the face"; NULL if there is none. */
const char *brume_inflow_fault(const BrumeSimDef *def, BrumeFace face);

/** Whether air that enters through a face brings heat or smoke: whether it is an inflow with any. */
bool brume_inflow_brings_scalars(const BrumeFaceDef *face);

/** Computes the factors of all inflow faces. BRUME_FAILED if memory runs out; `*inflows` is empty then. */
BrumeStatus brume_inflows_create(BrumeInflows *inflows, const BrumeSimDef *def, BrumeError *error);

void brume_inflows_destroy(BrumeInflows *inflows);

/** Whether the inflow faces of two settings on the same grid have the same factors. */
bool brume_inflows_equal(const BrumeSimDef *a, const BrumeSimDef *b);

#endif
