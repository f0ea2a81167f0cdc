/**
 * @file moments.h
 * The moments of the nodes of a tree, and the winding number of triangles that are far away.
 */
#ifndef BRUME_CORE_MESH_MOMENTS_H
#define BRUME_CORE_MESH_MOMENTS_H

#include "core/mesh/bvh.h"

/** Sets the moments of all nodes. */
void brume_bvh_set_moments(BrumeBvh *bvh);

/** 4 pi times the winding number of the triangles of these moments around a point outside their radius, at `offset`
 * from the point to the center [m]. */
double brume_moments_solid_angle(const BrumeBvhMoments *moments, const double offset[3]);

#endif
