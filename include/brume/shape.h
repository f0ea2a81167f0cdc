/**
 * @file shape.h
 * Solids: emitters and bodies of the simulation, surfaces of the renderer.
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
    BRUME_SHAPE_CONE,     ///< axis from `a` to `b`, `radius` at `a`, `second_radius` at `b`, flat ends
    BRUME_SHAPE_TORUS,    ///< around the vertical axis through `a`: `radius` of the ring, `second_radius` of its tube
    BRUME_SHAPE_PLANE,    ///< the half space below the horizontal plane through `a`
    BRUME_SHAPE_MESH,     ///< inside `mesh`, whose origin is at `a`
} BrumeShapeKind;

/**
 * A solid in world space [m]. The kind, `a`, `b` and the radii describe it in its own frame. It is then scaled along
 * the axes x, y and z of this frame, turned about x, then about y, then about z, and moved. Scaling and turning leave
 * its pivot as it is: the center of a sphere, torus or plane, the origin of a mesh, and otherwise the point between `a`
 * and `b`, plus `pivot`.
 */
typedef struct BrumeShape {
    BrumeShapeKind kind;
    BrumeVec3 a;
    BrumeVec3 b;
    float radius;
    float second_radius; ///< of a cone, 0 or more; of a torus
    BrumeVec3 position;  ///< by which it is moved [m]
    BrumeVec3 rotation;  ///< by which it is turned about x, y and z [degrees]
    BrumeVec3 scale;     ///< factors along its own axes, each above 0; all three 0: not scaled
    BrumeVec3 pivot;     ///< from its center to its pivot, in its own frame [m]
    /**
     * Of a volume; NULL for the others. Of an emitter, the strength of sources is proportional to the value of the
     * samples, up to full strength at the threshold.
     */
    const BrumeSamples *samples;
    const BrumeMesh *mesh; ///< of a mesh; NULL for the others
    float threshold;       ///< of a volume, in the unit of the samples; above 0 for an emitter
} BrumeShape;

#endif
