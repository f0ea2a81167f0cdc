/**
 * @file smooth_field.h
 * A smoothing filter of fields.
 */
#ifndef BRUME_RAYMARCH_SMOOTH_FIELD_H
#define BRUME_RAYMARCH_SMOOTH_FIELD_H

#include "core/field.h"

/**
 * Replaces the cells of a field by their means of weights 1/4, 1/2, 1/4 at a distance of `reach` cells, along all axes;
 * beyond the sides the outermost cells are repeated. Ghosts are undefined afterwards. `scratch` has the same grid; its
 * values are lost. Parallel over z-planes.
 */
void brume_smooth_field(BrumeField *field, BrumeField *scratch, int reach);

#endif
