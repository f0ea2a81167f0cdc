/**
 * @file tubes.h
 * Tubes around chains of points, as triangles.
 */
#ifndef BRUME_RAYMARCH_TUBES_H
#define BRUME_RAYMARCH_TUBES_H

#include "brume/mesh.h"

/** A tube: a chain of two or more points; without points, none. */
typedef struct BrumeTube {
    int count;
    const BrumeVec3 *points; ///< (count) [m]
    const BrumeVec3 *colors; ///< (count) linear RGB, the base color at the points
    float radius;            ///< [m]
} BrumeTube;

/**
 * Creates a mesh of `count` tubes, each of six sides with the normals of a round one. Their ends are rounded and have a
 * small hole, so that the mesh is not closed: a ray needs one hit alone. Rings of neighboring points are turned as
 * little as possible against each other. `*mesh` is NULL without tubes. Fails as brume_mesh_create does.
 */
BrumeStatus brume_create_tubes(BrumeMesh **mesh, const BrumeTube *tubes, int count, BrumeError *error);

#endif
