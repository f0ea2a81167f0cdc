/**
 * @file isosurface.h
 * The isosurface of a scalar by marching cubes (Lorensen and Cline 1987) on the grid of cell centers, as a sequence of
 * triangles whose vertices lie on edges of that grid. The caller composes the list of vertices: one for each corner of
 * a triangle, or one for each edge (surface_mesh.h).
 *
 * Larger values are inside. Values outside of the box count as 0, so that the surface is closed where the level is not
 * negative. Ambiguous faces are decided by the face alone, so there are no holes.
 */
#ifndef BRUME_CORE_ISOSURFACE_ISOSURFACE_H
#define BRUME_CORE_ISOSURFACE_ISOSURFACE_H

#include "brume/field.h"
#include "brume/vec3.h"

#include <stdint.h>

/** The field and level of an isosurface. The values are not copied. */
typedef struct BrumeIsosurface {
    const float *values; ///< (nz x ny x nx) at cell centers, x fastest; the value of the first cell
    BrumeGrid cells;
    ptrdiff_t sy, sz; ///< entries from one row and from one plane to the next
    float level;      ///< at least 0
    float dx;         ///< side of a cell [m]
    BrumeVec3 origin; ///< lower corner of the box [m]
} BrumeIsosurface;

/**
 * An edge of the grid of cell centers: from cell (i, j, k) to the next one along the axis (0 x, 1 y, 2 z). The cells of
 * the box have the indices 1 to n; 0 and n + 1 are outside of it.
 */
typedef struct BrumeGridEdge {
    int i, j, k, axis;
} BrumeGridEdge;

typedef struct BrumeSurfaceVertex {
    BrumeVec3 position; ///< [m]
    BrumeVec3 normal;   ///< unit length, outward: against the gradient
} BrumeSurfaceVertex;

/** Receives the next vertex of a triangle. */
typedef void BrumeAddSurfaceEdge(void *context, const BrumeGridEdge *edge);

/** The isosurface of a field without its ghosts. */
BrumeIsosurface brume_isosurface_of_field(const BrumeField *field, float level, float dx, BrumeVec3 origin);

/**
 * Calls `add` for each vertex of the triangles between the planes k and k + 1 of cells, 0 <= k <= nz, three times for a
 * triangle, counterclockwise seen from outside; NULL: the triangles are only counted. Returns the number of triangles.
 * Any thread.
 */
int64_t brume_isosurface_layer(const BrumeIsosurface *surface, int k, BrumeAddSurfaceEdge *add, void *context);

/**
 * The vertex where the surface crosses an edge. It lies in the box, and away from the ends of the edge, so that the
 * vertices of two edges never coincide.
 */
BrumeSurfaceVertex brume_isosurface_vertex(const BrumeIsosurface *surface, const BrumeGridEdge *edge);

#endif
