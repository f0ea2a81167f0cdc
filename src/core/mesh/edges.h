/**
 * @file edges.h
 * The edges of a mesh: what is open, and which corners share a normal.
 */
#ifndef BRUME_CORE_MESH_EDGES_H
#define BRUME_CORE_MESH_EDGES_H

#include "core/mesh/vertices.h"

/**
 * Sets the counts of edges, holes and parts, and `closed`. `smooth` (triangle_count x 3), unless NULL, becomes a forest
 * of the corners that share a normal (core/mesh/union_find.h): those of one vertex between triangles that meet at a
 * crease of at most 60 degrees. `parts` (vertex_count) becomes the lowest vertex of the part of each vertex. False
 * without memory.
 */
bool brume_mesh_find_edges(BrumeMeshInfo *info, const BrumeMeshVertices *mesh, int *parts, int *smooth);

#endif
