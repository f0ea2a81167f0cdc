/**
 * @file normals.h
 * Normals at the corners of triangles.
 */
#ifndef BRUME_CORE_MESH_NORMALS_H
#define BRUME_CORE_MESH_NORMALS_H

#include "core/mesh/vertices.h"

/** The outward unit normal of a triangle; of one without area, which a mesh that deforms may have, up. */
BrumeVec3 brume_mesh_face_normal(const BrumeVec3 *positions, const int corners[3]);

/**
 * Sets the unit normals (triangle_count x 3) at the corners: for each set of corners that share a normal
 * (brume_mesh_find_edges), the mean of the normals of their triangles, weighted by their angles there (Thürmer,
 * Wüthrich, "Computing Vertex Normals from Polygonal Facets", Journal of Graphics Tools 3(1), 1998).
 */
void brume_mesh_set_normals(BrumeVec3 *normals, const BrumeMeshVertices *mesh, int *smooth);

#endif
