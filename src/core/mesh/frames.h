/**
 * @file frames.h
 * The positions of meshes whose vertices move, given at frames and linear between them. Functions lock what they
 * change.
 */
#ifndef BRUME_CORE_MESH_FRAMES_H
#define BRUME_CORE_MESH_FRAMES_H

#include "brume/mesh.h"
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

/** The positions (vertices of the mesh) [m] at a frame. Fails as the function that reads it. */
BrumeStatus brume_mesh_frames_read(BrumeMeshFrames *frames, double frame, BrumeVec3 *positions, BrumeError *error);

/** Sets the normals (triangles x 3) of the mesh with the positions of a frame. */
void brume_mesh_frames_set_normals(BrumeMeshFrames *frames, BrumeVec3 *normals, const BrumeMeshVertices *welded);

/** The number of the frames, the first and the last one. */
int brume_mesh_frames_range(const BrumeMeshFrames *frames, int *first, int *last);

#endif
