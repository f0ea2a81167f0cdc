/**
 * @file shape.h
 * Solids: emitters and obstacles of the simulation, surfaces of the renderer.
 */
#ifndef BRUME_SHAPE_H
#define BRUME_SHAPE_H

#include "brume/vec3.h"

typedef enum BrumeShapeKind {
    BRUME_SHAPE_SPHERE,   ///< `a` centre, `radius`
    BRUME_SHAPE_BOX,      ///< axis-aligned: `a` lower corner, `b` upper corner
    BRUME_SHAPE_CYLINDER, ///< axis from `a` to `b`, `radius`, flat ends
    BRUME_SHAPE_CAPSULE,  ///< axis from `a` to `b`, `radius`, with a hemisphere at each end
} BrumeShapeKind;

/** A solid in world space [m]. */
typedef struct BrumeShape {
    BrumeShapeKind kind;
    BrumeVec3 a;
    BrumeVec3 b;
    float radius;
} BrumeShape;

#endif
