/**
 * @file scalars.h
 * Initial temperature and smoke.
 */
#ifndef BRUME_SIM_INITIAL_SCALARS_H
#define BRUME_SIM_INITIAL_SCALARS_H

#include "brume/initial.h"
#include "sim/initial/point.h"

/** The value of a scalar field at the center of a cell [K above ambient] or [1]. */
double brume_scalar_value(const BrumeInitialDef *def, const BrumeInitialBox *box, const BrumeInitialPoint *point);

#endif
