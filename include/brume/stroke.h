/**
 * @file stroke.h
 * Stirring by hand: a tip that travels along a curve, leaving smoke and heat and pushing the air.
 */
#ifndef BRUME_STROKE_H
#define BRUME_STROKE_H

#include "brume/export.h"
#include "brume/sim_def.h"
#include "brume/vec3.h"

BRUME_BEGIN_DECLS

/**
 * One piece of a stroke. The tip is at `from` at the time `start`, at `to` at the time `end`, and in between on the
 * cubic Hermite curve of the two slopes; pieces that meet in place and in direction of slope join smoothly. Its effect
 * falls smoothly from 1 on the curve to 0 at `radius` from it.
 */
typedef struct BrumeStroke {
    double start, end;              ///< simulated time [s], start < end
    BrumeVec3 from, to;             ///< [m]
    BrumeVec3 from_slope, to_slope; ///< change of position over the whole piece at its ends [m]
    float radius;                   ///< [m]
    float smoke[BRUME_SMOKE_KINDS]; ///< density of each kind is raised to at least this [1]; 0 leaves it alone
    float temperature;              ///< temperature is raised to at least this [K above ambient]; 0 leaves it alone
    float push;                     ///< rate at which air takes on `velocity` [1/s]; 0 leaves it alone
    BrumeVec3 velocity;             ///< [m/s]
} BrumeStroke;

/** The tip at the share `s` of a piece, 0 to 1 [m]. */
BRUME_API BrumeVec3 brume_stroke_at(const BrumeStroke *stroke, float s);

BRUME_END_DECLS

#endif
