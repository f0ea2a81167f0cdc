/**
 * @file vertices.h
 * Triangles with shared vertices, from those of a definition.
 */
#ifndef BRUME_CORE_MESH_VERTICES_H
#define BRUME_CORE_MESH_VERTICES_H

#include "brume/mesh.h"

/** Triangles of area above 0 and the vertices that they use. */
typedef struct BrumeMeshVertices {
    int vertex_count;
    int triangle_count;
    BrumeVec3 *positions; ///< (vertex_count) [m], in the order in which triangles use them; no zero is negative
    int *corners;         ///< (triangle_count x 3)
    int *origins;         ///< (triangle_count) indices of the triangles in the definition
    int *of_def;          ///< (vertex_count) indices of the vertices there, the first of those at a position
} BrumeMeshVertices;

/** Welds vertices of equal position, and leaves out degenerate triangles. False without memory. To be freed anyway. */
bool brume_mesh_weld(BrumeMeshVertices *welded, const BrumeMeshDef *def);

void brume_mesh_vertices_free(BrumeMeshVertices *welded);

/** A copy of `count` entries of `size` bytes; NULL without memory. */
void *brume_mesh_copy_array(const void *array, size_t count, size_t size);

#endif
