/**
 * @file opened_meshes.h
 * Mesh files in the window: as bodies that are added to a scene, and as the scene of `brume view MESH`.
 */
#ifndef BRUME_VIEWER_OPENED_MESHES_H
#define BRUME_VIEWER_OPENED_MESHES_H

#include "brume/error.h"
#include "brume/scene.h"

typedef struct BrumeOpenedMesh {
    BrumeMesh *mesh;
} BrumeOpenedMesh;

/**
 * Meshes that were added in the window. They are not released before the end, because pictures, the log of edits and
 * the undo history may refer to them. Zeroed, there are none.
 */
typedef struct BrumeOpenedMeshes {
    int count, capacity;
    BrumeOpenedMesh *meshes;
} BrumeOpenedMeshes;

/** Whether a file is a mesh by its extension. */
bool brume_is_mesh_file(const char *path);

/**
 * Reads a file by the function `mesh` of `readers`; a scene that is saved names its absolute path. Fails as `mesh`
 * does, with BRUME_BAD_INPUT without this function; `*mesh` is NULL then. Any thread may call it.
 */
BrumeStatus brume_opened_mesh_read(const BrumeSceneReaders *readers, const char *path, BrumeMesh **mesh,
                                   BrumeError *error);

/** Takes over the mesh of a file, and releases it without memory for that. */
BrumeStatus brume_opened_meshes_add(BrumeOpenedMeshes *opened, BrumeMesh *mesh, const char *path, BrumeError *error);

/** Releases all meshes. */
void brume_opened_meshes_destroy(BrumeOpenedMeshes *opened);

/** Called before each file that a scene names is read, with its path. */
typedef struct BrumeFileNote {
    void (*on_file)(void *context, const char *path);
    void *context;
} BrumeFileNote;

/**
 * Loads a scene as brume_scene_load or, where the path is that of a mesh file, makes one: the mesh as a body, scaled to
 * 1 m where it is larger than 20 m or smaller than 5 cm, in a box around it, with a source of smoke below. `overrides`
 * change it as a file. Any thread may call it.
 */
BrumeStatus brume_load_scene_or_mesh(BrumeScene **scene, const char *path, const char *const *overrides, int count,
                                     const BrumeSceneReaders *readers, const BrumeFileNote *note, BrumeError *error);

#endif
