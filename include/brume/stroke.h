/**
 * @file stroke.h
 * Brush strokes: a tip moves along a curve, erases or sets smoke and temperature, and pushes, attracts or turns the air
 * around it.
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
    /**
     * Temperature where the strength is 1 [K above ambient]: above 0 the least, below 0 (cold air) the highest; 0
     * changes nothing.
     */
    float temperature;
    float
        fuel; ///< least mass of fuel, as a part of that of ambient air, where the strength is 1 [1]; 0 changes nothing
    float particles[BRUME_PARTICLE_KINDS]; ///< births of each kind within the radius [1/s]
    /**
     * Above 0, smoke is removed: where the strength is f, all kinds together are lowered to at most erase (1 - f) / f,
     * in proportion, and the temperature by the same factor. On the curve nothing is left, and at half the strength at
     * most this density [1].
     */
    float erase;
    /**
     * Rate at which the velocity of the air approaches V(x), where the strength is 1 [1/s]; 0 changes nothing. With the
     * offset x from the tip, the radius r and the direction n of `axis`,
     *
     *     V = velocity + twist n × x + suck S(x),
     *
     * a translation, a rotation about the axis through the tip, and a flow towards this axis that leaves along it,
     *
     *     S = c (1 - q) [2 (1 - q - 2 |p|²) z n - (1 - q - 4 z²) p],  z = n·x/r,  p = x/r - z n,  q = z² + |p|².
     *
     * S is the curl of the vector potential c |p| z (1 - q)² r in the direction around the axis: all three fields are
     * free of divergence, so that the pressure leaves them as they are. With c = 25 √5 / 16 the air reaches the speed
     * `suck` at most in the plane through the tip across the axis, at r/√5, and 2 `suck` along the axis. A flow towards
     * the tip from all sides would have no effect: it is a gradient, which the pressure removes.
     */
    float push;
    BrumeVec3 velocity; ///< [m/s]
    float suck;         ///< [m/s]; below 0 the air is blown away from the axis and arrives along it
    float twist;        ///< angular velocity by the right hand rule about `axis` [rad/s]
    BrumeVec3 axis;     ///< direction of any length; it may be 0 where `suck` and `twist` are 0
} BrumeStroke;

/** The position of the tip at the curve parameter `s`, 0 at `start` to 1 at `end` [m]. */
BRUME_API BrumeVec3 brume_stroke_at(const BrumeStroke *stroke, float s);

BRUME_END_DECLS

#endif
