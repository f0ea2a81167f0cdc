/**
 * @file stroke.h
 * Brush strokes: a tip moves along a curve, erases or sets smoke and temperature and pushes the air around it.
 */
#ifndef BRUME_STROKE_H
#define BRUME_STROKE_H

#include "brume/export.h"
#include "brume/sim_def.h"
#include "brume/vec3.h"

BRUME_BEGIN_DECLS

/**
 * One segment of a brush stroke. The tip moves from `from` at time `start` to `to` at time `end` along the cubic
 * Hermite curve of the two slopes; segments that meet in a point with parallel slopes join smoothly. The strength of
 * the effect falls smoothly from 1 on the curve to 0 at the distance `radius` from it.
 */
typedef struct BrumeStroke {
    double start, end;              ///< simulated time [s], start < end
    BrumeVec3 from, to;             ///< [m]
    BrumeVec3 from_slope, to_slope; ///< derivative of the position with respect to the curve parameter at its ends [m]
    float radius;                   ///< [m], above 0
    float smoke[BRUME_SMOKE_KINDS]; ///< least density of each kind where the strength is 1 [1]; 0 changes nothing
    float temperature;              ///< least temperature where the strength is 1 [K above ambient]; 0 changes nothing
    /**
     * Above 0, smoke is removed: where the strength is f, all kinds together are lowered to at most erase (1 - f) / f,
     * in proportion, and the temperature by the same factor. On the curve nothing is left, and at half the strength at
     * most this density [1].
     */
    float erase;
    float push;         ///< rate at which the air approaches `velocity` [1/s]; 0 changes nothing
    BrumeVec3 velocity; ///< [m/s]
} BrumeStroke;

/** The position of the tip at the curve parameter `s`, 0 at `start` to 1 at `end` [m]. */
BRUME_API BrumeVec3 brume_stroke_at(const BrumeStroke *stroke, float s);

BRUME_END_DECLS

#endif
