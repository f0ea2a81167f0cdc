/**
 * @file shape.h
 * The solids that emit, obstruct and are drawn: one description for the solver and for the renderer.
 */
#ifndef BRUME_SHAPE_H
#define BRUME_SHAPE_H

#include "brume/vec3.h"

typedef enum BrumeShapeKind {
    BRUME_SHAPE_SPHERE,   ///< `a` centre, `radius`
    BRUME_SHAPE_BOX,      ///< axis-aligned: `a` lower corner, `b` upper corner
    BRUME_SHAPE_CYLINDER, ///< flat ends: axis from `a` to `b`, `radius`
    BRUME_SHAPE_CAPSULE,  ///< round ends: axis from `a` to `b`, `radius`
} BrumeShapeKind;

/** A solid in world space [m]. */
typedef struct BrumeShape {
    BrumeShapeKind kind;
    BrumeVec3 a;
    BrumeVec3 b;
    float radius;
} BrumeShape;

#endif
