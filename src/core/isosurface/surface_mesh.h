/**
 * @file surface_mesh.h
 * An isosurface as a mesh: a list of vertices, each once, and triangles that name them by index.
 */
#ifndef BRUME_CORE_ISOSURFACE_SURFACE_MESH_H
#define BRUME_CORE_ISOSURFACE_SURFACE_MESH_H

#include "core/error.h"
#include "core/isosurface/isosurface.h"

/** Zeroed, it is empty. */
typedef struct BrumeSurfaceMesh {
    int vertex_count;
    BrumeSurfaceVertex *vertices;
    int triangle_count;
    int32_t *triangles; ///< (triangle_count x 3) indices of vertices, counterclockwise seen from outside
} BrumeSurfaceMesh;

/**
 * Extracts the mesh of a surface. Each edge of two triangles is an edge of exactly these two. The order of the lists
 * follows from the values alone. BRUME_FAILED without memory and where the mesh has more than INT_MAX / 3 triangles;
 * the mesh is empty then.
 */
BrumeStatus brume_surface_mesh_create(BrumeSurfaceMesh *mesh, const BrumeIsosurface *surface, BrumeError *error);

/** Frees the lists and leaves the mesh empty. */
void brume_surface_mesh_destroy(BrumeSurfaceMesh *mesh);

#endif
