/**
 * @file bvh.h
 * A bounding volume hierarchy: a binary tree of boxes over the triangles of a mesh.
 */
#ifndef BRUME_CORE_MESH_BVH_H
#define BRUME_CORE_MESH_BVH_H

#include "brume/vec3.h"

#include <stdbool.h>

enum {
    BRUME_BVH_LEAF = 4,   ///< triangles of a leaf at most
    BRUME_BVH_STACK = 96, ///< room for the nodes that a traversal has to come back to; no tree is as deep
    BRUME_BVH_WIDTH = 8,  ///< children of a wide node: lanes of a vector (core/parallel/simd.h)
};

/** A node. The nodes are in depth-first order: the first child of an inner node follows it. */
typedef struct BrumeBvhNode {
    float lower[3]; ///< [m]
    int count;      ///< triangles of a leaf; 0: an inner node
    float upper[3];
    int other; ///< the second child; of a leaf: its first triangle
} BrumeBvhNode;

/** A triangle, in the order of the leaves. */
typedef struct BrumeBvhTriangle {
    BrumeVec3 corners[3]; ///< [m]
    int number;           ///< in the mesh
} BrumeBvhTriangle;

/**
 * What the triangles below a node are from far away: moments of their normals n about their center, integrated over
 * their area. With y the position relative to the center, they are the homogeneous polynomials in r
 * n.r, (y.r)(n.r) and (y.r)^2 (n.r), the last two without the part that is a multiple of r^2.
 */
typedef struct BrumeBvhMoments {
    float center[3];    ///< mean of the positions by area [m]
    float radius;       ///< no point of the triangles is farther from the center [m]
    float area;         ///< of the triangles [m^2]
    float linear[3];    ///< coefficients of x, y, z [m^2]
    float quadratic[6]; ///< of xx, yy, zz, xy, xz, yz [m^3]
    float cubic[10];    ///< of xxx, yyy, zzz, xxy, xxz, yyx, yyz, zzx, zzy, xyz [m^4]
} BrumeBvhMoments;

/**
 * A node of the same tree for rays and closest points, with the boxes of up to eight nodes below it side by side, so
 * that one vector holds a coordinate of all of them. Lanes without a child have an empty box.
 */
typedef struct BrumeBvhWideNode {
    float lower[3][BRUME_BVH_WIDTH]; ///< [m]
    float upper[3][BRUME_BVH_WIDTH];
    int child[BRUME_BVH_WIDTH]; ///< a wide node; of a leaf: its first triangle
    int count[BRUME_BVH_WIDTH]; ///< triangles of a leaf; 0: a wide node
} BrumeBvhWideNode;

typedef struct BrumeBvh {
    int node_count;
    int wide_count;
    int triangle_count;
    BrumeBvhNode *nodes;         ///< (node_count)
    BrumeBvhWideNode *wide;      ///< (wide_count), the root first
    BrumeBvhMoments *moments;    ///< (node_count)
    BrumeBvhTriangle *triangles; ///< (triangle_count)
} BrumeBvh;

/**
 * Builds the tree of `count` triangles, by the surface area heuristic over bins of their centers (Wald, "On fast
 * Construction of SAH-based Bounding Volume Hierarchies", 2007). The tree depends on nothing but the arguments. False
 * without memory; nothing is left then. `corners` (count x 3) are indices of `positions` [m]. The moments are allocated
 * and not set (core/mesh/moments.h).
 */
bool brume_bvh_create(BrumeBvh *bvh, const BrumeVec3 *positions, const int *corners, int count);

void brume_bvh_free(BrumeBvh *bvh);

#endif
