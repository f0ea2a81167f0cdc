/**
 * @file surface_albedo.h
 * The albedo of drawn solids: of their surface, their mesh or their texture, or as colors of the pressure.
 */
#ifndef BRUME_RAYMARCH_SURFACE_ALBEDO_H
#define BRUME_RAYMARCH_SURFACE_ALBEDO_H

#include "raymarch/intersect.h"

/**
 * The coordinates of a point on a shape in its texture. Of a mesh, those of its file at `place`, which others do not
 * use. Of the others, in their own frame, the picture is upright and seen from outside, and its middle faces +z:
 *   - sphere: u is the longitude, v the latitude; torus: u is the angle of the ring, v that of the tube;
 *   - cylinder, cone, capsule: u is the angle around the axis, v rises from `a` to `b`; a flat end has the disc in the
 *     middle of the picture;
 *   - box: each side has the whole picture; plane: a picture has sides of 1 m; both from above with +z at the bottom;
 *   - volume: 0.
 * The axes across an axis are those of x and z, turned by the rotation that takes y to it on the shortest way.
 */
void brume_shape_uv(const BrumeShape *shape, BrumeVec3 point, const BrumeMeshPlace *place, float uv[2]);

/**
 * The albedo of the n-th drawn solid at one of its points [m], seen from the side of `normal`, at a `time` [s] from the
 * middle of the opening of the shutter; `place` is that of a mesh.
 */
BrumeVec3 brume_solid_albedo(const BrumeRenderSettings *settings, int n, BrumeVec3 point, BrumeVec3 normal, float time,
                             const BrumeMeshPlace *place);

#endif
