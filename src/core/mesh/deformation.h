/**
 * @file deformation.h
 * Meshes whose vertices move: the triangles of the first frame, with positions that are given at frames and linear
 * between them. A mesh that deforms has the positions of its first frame; those of a time are another mesh.
 */
#ifndef BRUME_CORE_MESH_DEFORMATION_H
#define BRUME_CORE_MESH_DEFORMATION_H

#include "core/mesh.h"
#include "core/mesh/vertices.h"

/** The frames of a mesh, of which two are in memory at a time. */
typedef struct BrumeMeshFrames BrumeMeshFrames;

/**
 * Takes the frames of a definition, of a mesh with the vertices `welded`. `normals` (triangles x 3) are those of the
 * first frame: corners of a vertex at which they are equal share a normal in each frame. NULL without memory; nothing
 * is taken then.
 */
BrumeMeshFrames *brume_mesh_frames_create(const BrumeMeshDef *def, const BrumeMeshVertices *welded,
                                          const BrumeVec3 *normals);

/** Frees the frames and their context; NULL is allowed. */
void brume_mesh_frames_destroy(BrumeMeshFrames *frames);

/** Bytes allocated; 0 for NULL. */
size_t brume_mesh_frames_bytes(const BrumeMeshFrames *frames);

#endif
