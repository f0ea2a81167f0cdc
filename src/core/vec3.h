/**
 * @file vec3.h
 * Vector operations on three floats.
 */
#ifndef BRUME_CORE_VEC3_H
#define BRUME_CORE_VEC3_H

#include "brume/vec3.h"
#include "core/minmax.h"

#include <math.h>
#include <stdbool.h>

static inline BrumeVec3 brume_vec3(float x, float y, float z)
{
    const BrumeVec3 a = {x, y, z}; // also valid as C++
    return a;
}
static inline BrumeVec3 brume_add(BrumeVec3 a, BrumeVec3 b) { return brume_vec3(a.x + b.x, a.y + b.y, a.z + b.z); }
static inline BrumeVec3 brume_sub(BrumeVec3 a, BrumeVec3 b) { return brume_vec3(a.x - b.x, a.y - b.y, a.z - b.z); }
static inline BrumeVec3 brume_mul(BrumeVec3 a, BrumeVec3 b) { return brume_vec3(a.x * b.x, a.y * b.y, a.z * b.z); }
static inline BrumeVec3 brume_scale(BrumeVec3 a, float s) { return brume_vec3(a.x * s, a.y * s, a.z * s); }
static inline float brume_dot(BrumeVec3 a, BrumeVec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
static inline float brume_length(BrumeVec3 a) { return sqrtf(brume_dot(a, a)); }
static inline BrumeVec3 brume_cross(BrumeVec3 a, BrumeVec3 b)
{
    return brume_vec3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static inline bool brume_is_zero(BrumeVec3 a) { return a.x == 0.0f && a.y == 0.0f && a.z == 0.0f; }
/** The component along an axis: 0 x, 1 y, 2 z. */
static inline float brume_component(BrumeVec3 a, int axis) { return axis == 0 ? a.x : axis == 1 ? a.y : a.z; }
/** The least and the largest component. */
static inline float brume_least(BrumeVec3 a) { return brume_fminf(a.x, brume_fminf(a.y, a.z)); }
static inline float brume_largest(BrumeVec3 a) { return brume_fmaxf(a.x, brume_fmaxf(a.y, a.z)); }
/** The corners of the smallest box with sides along the axes that contains two points. */
static inline BrumeVec3 brume_lower_corner(BrumeVec3 a, BrumeVec3 b)
{
    return brume_vec3(brume_fminf(a.x, b.x), brume_fminf(a.y, b.y), brume_fminf(a.z, b.z));
}
static inline BrumeVec3 brume_upper_corner(BrumeVec3 a, BrumeVec3 b)
{
    return brume_vec3(brume_fmaxf(a.x, b.x), brume_fmaxf(a.y, b.y), brume_fmaxf(a.z, b.z));
}
/** The vector along an axis that has this component. */
static inline BrumeVec3 brume_along(int axis, float component)
{
    return brume_vec3(axis == 0 ? component : 0.0f, axis == 1 ? component : 0.0f, axis == 2 ? component : 0.0f);
}
/** The unit vector along `a`; the zero vector stays zero. */
static inline BrumeVec3 brume_normalize(BrumeVec3 a)
{
    const float length = brume_length(a);
    return length > 0.0f ? brume_scale(a, 1.0f / length) : a;
}

#endif
