/**
 * @file patch.h
 * The triangles of a mesh near a box. Where many short paths in the box are tested, the tree is searched once.
 */
#ifndef BRUME_CORE_MESH_PATCH_H
#define BRUME_CORE_MESH_PATCH_H

#include "core/mesh.h"
#include "core/mesh/bvh.h"

enum { BRUME_PATCH_TRIANGLES = 1024 }; ///< that there is room for

typedef struct BrumeMeshPatch {
    const BrumeMesh *mesh;
    int count; ///< of the triangles; -1: too many, the tree is searched for each path
    const BrumeBvhTriangle *triangles[BRUME_PATCH_TRIANGLES];
    float lower[3][BRUME_PATCH_TRIANGLES]; ///< of their boxes, grown by more than the rounding of a test [m]
    float upper[3][BRUME_PATCH_TRIANGLES];
} BrumeMeshPatch;

/** Finds the triangles whose boxes touch the box between two corners, in the frame of the mesh. */
void brume_mesh_patch(BrumeMeshPatch *patch, const BrumeMesh *mesh, BrumeVec3 lower, BrumeVec3 upper);

/** Whether the box of a triangle touches a box in that of the patch; true if there are too many triangles. */
bool brume_patch_is_near(const BrumeMeshPatch *patch, BrumeVec3 lower, BrumeVec3 upper);

/**
 * Whether brume_mesh_crosses holds for any segment of a path, from each of `count` points to the next. The path lies in
 * the box of the patch.
 */
bool brume_patch_crosses(const BrumeMeshPatch *patch, const BrumeVec3 *path, int count);

#endif
