/**
 * @file lattice.h
 * Where a mesh crosses the lines of a lattice, such as those between the centers of cells.
 */
#ifndef BRUME_CORE_MESH_LATTICE_H
#define BRUME_CORE_MESH_LATTICE_H

#include "core/mesh.h"

/** A lattice of integer points, and where a mesh lies in it: at `origin` + `axes` times its positions [m]. */
typedef struct BrumeMeshLattice {
    double origin[3];
    double axes[3][3]; ///< the three coordinates of the vectors of 1 m along the axes of the mesh
    int count[3];      ///< points along each axis, from 0
} BrumeMeshLattice;

/** What is known of a point. */
enum {
    BRUME_LATTICE_X = 1 << 0, ///< the surface crosses the segment to the next point along x, or touches one of its ends
    BRUME_LATTICE_Y = 1 << 1,
    BRUME_LATTICE_Z = 1 << 2,
    BRUME_LATTICE_INSIDE = 1 << 3,  ///< more triangles are crossed outwards than inwards on the way out
    BRUME_LATTICE_TOUCHED = 1 << 4, ///< the surface is within rounding of the point
};

/** Whether a mesh is near enough for brume_mesh_cross_lattice: its coordinates are within 8191. */
bool brume_mesh_fits_lattice(const BrumeMesh *mesh, const BrumeMeshLattice *lattice);

/**
 * Sets the bits of all points (count[2] x count[1] x count[0], x fastest). The vertices are rounded to 2^-16, which is
 * done once for all triangles that share one; which lines cross a triangle is then decided exactly, and a line
 * through an edge or a vertex as if it lay beside it, always on the same side: no line passes a closed surface without
 * a crossing. BRUME_LATTICE_INSIDE has a meaning where the mesh is closed and the point is not touched. False without
 * memory. Uses all threads of the caller.
 */
bool brume_mesh_cross_lattice(const BrumeMesh *mesh, const BrumeMeshLattice *lattice, uint8_t *bits);

#endif
