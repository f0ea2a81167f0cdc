/**
 * @file shape.h
 * Solids: emitters and obstacles of the simulation, surfaces of the renderer.
 */
#ifndef BRUME_SHAPE_H
#define BRUME_SHAPE_H

#include "brume/mesh.h"
#include "brume/samples.h"
#include "brume/vec3.h"

typedef enum BrumeShapeKind {
    BRUME_SHAPE_SPHERE,   ///< `a` center, `radius`
    BRUME_SHAPE_BOX,      ///< axis-aligned: `a` lower corner, `b` upper corner
    BRUME_SHAPE_CYLINDER, ///< axis from `a` to `b`, `radius`, flat ends
    BRUME_SHAPE_CAPSULE,  ///< axis from `a` to `b`, `radius`, with a hemisphere at each end
    BRUME_SHAPE_VOLUME,   ///< where `samples` are above `threshold`; their box is scaled to the box from `a` to `b`
    BRUME_SHAPE_MESH,     ///< inside `mesh`, whose origin is at `a`
} BrumeShapeKind;

/** A solid in world space [m]. */
typedef struct BrumeShape {
    BrumeShapeKind kind;
    BrumeVec3 a;
    BrumeVec3 b;
    float radius;
    /**
     * Of a volume; NULL for the others. Of an emitter, the strength of sources is proportional to the value of the
     * samples, up to full strength at the threshold.
     */
    const BrumeSamples *samples;
    const BrumeMesh *mesh; ///< of a mesh; NULL for the others
    float threshold;       ///< of a volume, in the unit of the samples; above 0 for an emitter
} BrumeShape;

#endif
