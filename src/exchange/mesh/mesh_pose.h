/**
 * @file mesh_pose.h
 * The nodes of a mesh file and their transforms at a time of its animation.
 */
#ifndef BRUME_EXCHANGE_MESH_MESH_POSE_H
#define BRUME_EXCHANGE_MESH_MESH_POSE_H

#include "exchange/mesh/mesh_units.h"

/** x' = m x + the last column. */
typedef struct BrumeAffine {
    double m[3][4];
} BrumeAffine;

/** A node, and its transform to the coordinates of the scene [units of the file to m]. */
typedef struct BrumeMeshNode {
    const struct aiNode *node;
    BrumeAffine transform;
} BrumeMeshNode;

/** All nodes, each behind its parent. */
typedef struct BrumeMeshPose {
    BrumeMeshNode *nodes;
    int count, capacity;
} BrumeMeshPose;

/** The transform of a matrix, without its last row. */
BrumeAffine brume_affine_of(const struct aiMatrix4x4 *matrix);

/** First b, then a. */
BrumeAffine brume_affine_product(const BrumeAffine *a, const BrumeAffine *b);

void brume_affine_point(const BrumeAffine *a, const struct aiVector3D *p, double result[3]);

/**
 * Lists the nodes with their transforms: a node that a channel of `animation` (NULL: none) names has that of its keys
 * at `seconds`, others their own. Positions and scales are linear between two keys, rotations are on the shortest arc
 * (Shoemake, "Animating rotation with quaternion curves", 1985), and before the first key and behind the last one they
 * are constant. False without memory; freed with brume_free(pose->nodes) in any case.
 */
bool brume_mesh_pose(BrumeMeshPose *pose, const struct aiScene *scene, const BrumeMeshAxes *axes,
                     const struct aiAnimation *animation, double seconds);

/** Ticks a second of an animation. */
double brume_mesh_ticks(const struct aiAnimation *animation);

#endif
