/**
 * @file mesh_internal.h
 * The contents of a mesh.
 */
#ifndef BRUME_CORE_MESH_MESH_INTERNAL_H
#define BRUME_CORE_MESH_MESH_INTERNAL_H

#include "core/mesh.h"
#include "core/mesh/bvh.h"
#include "core/mesh/frames.h"
#include "core/mesh/vertices.h"

struct BrumeMesh {
    int references; ///< changed atomically
    BrumeMeshInfo info;
    uint64_t hash;
    char *file; ///< NULL: triangles of the caller
    BrumeMeshReadDef read;
    bool deforms;
    BrumeMeshFrames *frames;  ///< NULL: none
    BrumeMeshVertices welded; ///< its `origins` and `of_def` are NULL
    int *parts;               ///< (vertices) the lowest vertex of the part that a vertex belongs to
    BrumeVec3 *normals;       ///< (triangles x 3) unit vectors
    float *uvs;               ///< (triangles x 3 x 2); NULL: none
    BrumeVec3 *colors;        ///< (triangles x 3); NULL: none
    int texture_count;
    const BrumeTexture **textures; ///< references; NULL: none
    int *texture_of;               ///< (triangles) a texture, or -1; NULL: none
    BrumeBvh bvh;
};

/** Sets the tree, bounds, area, volume and hash from the vertices and triangles. False without memory. */
bool brume_mesh_finish(BrumeMesh *mesh);

/** Takes `texture_of` (triangles) and references to `count` textures. False where it is NULL, or without memory. */
bool brume_mesh_set_textures(BrumeMesh *mesh, int count, const BrumeTexture *const *textures, int *texture_of);

/** Frees a mesh without references. */
void brume_mesh_destroy(BrumeMesh *mesh);

/**
 * How many more triangles a ray from `point` crosses outwards than inwards: the winding number of a closed mesh. False
 * where the point is in the plane of one of them, or the ray crosses an edge, which several triangles share.
 */
bool brume_mesh_count_crossings(const BrumeMesh *mesh, BrumeVec3 point, int *count);

/** The mean by area of the winding number just behind the triangles, of a sample of them where there are many: 1 of a
 * closed mesh. The tree has its moments. */
double brume_mesh_winding_behind(const BrumeMesh *mesh);

/** Sets `turned_parts` of a closed mesh: of parts whose triangles have a winding number below 1/2 just behind them, as
 * their mean over a sample. A part that bounds a cavity has 1. False without memory. */
bool brume_mesh_find_turned_parts(BrumeMesh *mesh);

#endif
