/**
 * @file mesh.h
 * Triangle meshes: bodies and emitters of the simulation, surfaces of the renderer.
 */
#ifndef BRUME_MESH_H
#define BRUME_MESH_H

#include "brume/error.h"
#include "brume/export.h"
#include "brume/texture.h"
#include "brume/vec3.h"

#include <stdbool.h>
#include <stddef.h>

BRUME_BEGIN_DECLS

/** Triangles, which do not change, or whose vertices move with time. Several threads may use the same mesh. */
typedef struct BrumeMesh BrumeMesh;

enum { BRUME_MESH_ANIMATION_NAME = 64 }; ///< bytes of the name of an animation, with its 0

/** How positions of a mesh file become positions of a scene. */
typedef struct BrumeMeshReadDef {
    float unit; ///< meters of one unit of the file; 0: as the file says, else 1
    int up;     ///< axis of the file that points up: 1 y, 2 z; 0: as the file says, else y
    bool flip;  ///< triangles and normals are reversed: the file gives them inside out
    int frame;  ///< of the animation in the file, counted at `fps`; of a sequence of files, the number at time 0
    float fps;  ///< [1/s]; 0: no animation is played
    char animation[BRUME_MESH_ANIMATION_NAME]; ///< name of the animation; "": the first
} BrumeMeshReadDef;

/**
 * The positions of a mesh that deforms: at frames, counted from the start of a simulation at its frame rate, linear
 * between them, and constant before the first and after the last one.
 */
typedef struct BrumeMeshFramesDef {
    int count;         ///< 1 or more
    const int *frames; ///< (count) in increasing order
    /**
     * Reads the positions (vertex_count of the mesh) [m] at the frame `frames[index]`. Fails with one line that names
     * the file. Called by any thread, by one at a time.
     */
    BrumeStatus (*read)(void *context, int index, BrumeVec3 *positions, BrumeError *error);
    void (*destroy)(void *context); ///< called once, with the mesh; NULL: nothing is freed
    void *context;                  ///< passed to both
} BrumeMeshFramesDef;

/** The arguments of brume_mesh_create. */
typedef struct BrumeMeshDef {
    int vertex_count;           ///< 3 to 2^28
    const BrumeVec3 *positions; ///< (vertex_count) [m], each coordinate within 1e7
    int triangle_count;         ///< 1 to 2^28
    const int *corners;         ///< (triangle_count x 3) indices of vertices, counterclockwise seen from outside
    const BrumeVec3 *normals;   ///< (triangle_count x 3) at the corners, of length 1; NULL: from the triangles
                                ///< around, with hard edges where creases are above 60 degrees
    const float *uvs;           ///< (triangle_count x 3 x 2) texture coordinates at the corners; NULL: none
    const BrumeVec3 *colors;    ///< (triangle_count x 3) linear RGB at the corners, the base color; NULL: 1, 1, 1
    int texture_count;          ///< of `textures`
    const BrumeTexture *const *textures; ///< base colors, by which `colors` are multiplied; referenced. NULL: white
    const int *texture_of; ///< (triangle_count) the number of the texture of a triangle; -1, or NULL: none
    const char *file;      ///< path of the file, as a scene names it; NULL for triangles of the caller
    BrumeMeshReadDef read; ///< how they were read from the file, for scenes that are written
    /** Of a body that deforms: `positions` are those of the first frame, which decides which vertices are one and
     * which triangles there are. Its context belongs to the mesh once that is created. NULL: it does not deform. */
    const BrumeMeshFramesDef *frames;
} BrumeMeshDef;

/** What a mesh is. */
typedef struct BrumeMeshInfo {
    int vertices;           ///< of different positions that a triangle uses
    int triangles;          ///< of area above 0
    int degenerate;         ///< triangles that were left out: of area 0, or with two equal corners
    int parts;              ///< connected by shared vertices
    int open_edges;         ///< that belong to one triangle
    int holes;              ///< closed chains of open edges; those that touch are one
    int shared_edges;       ///< that belong to more than two triangles
    int turned_edges;       ///< whose two triangles are seen from outside on opposite sides
    int turned_parts;       ///< of a closed mesh with several: those that are inside out and in no other part
    bool closed;            ///< no open, shared or turned edge
    bool solid;             ///< has an inside: it is closed, or the winding number behind its triangles is .99 or more
                            ///< in the mean by area; else it is a wall without thickness
    double volume;          ///< that a closed mesh encloses, negative where it is inside out [m^3]; else 0
    double area;            ///< [m^2]
    BrumeVec3 lower, upper; ///< corners of the bounding box [m]
} BrumeMeshInfo;

/**
 * Copies triangles into a new mesh, which is freed with brume_mesh_release. Vertices whose positions have equal bits
 * are one vertex (0 and -0 are equal). Fails with BRUME_BAD_INPUT where a number is outside its range (the text names
 * it) or no triangle has an area, and with BRUME_FAILED without memory; `*mesh` is NULL then.
 */
BRUME_API BrumeStatus brume_mesh_create(BrumeMesh **mesh, const BrumeMeshDef *def, BrumeError *error);

/** Adds a reference; NULL is allowed. */
BRUME_API void brume_mesh_retain(const BrumeMesh *mesh);

/** Releases a reference; the last one frees the mesh. NULL is allowed. */
BRUME_API void brume_mesh_release(const BrumeMesh *mesh);

/** What the mesh is; valid as long as the mesh. */
BRUME_API const BrumeMeshInfo *brume_mesh_info(const BrumeMesh *mesh);

/** Bytes allocated. */
BRUME_API size_t brume_mesh_bytes(const BrumeMesh *mesh);

/**
 * Reads the triangles of the mesh file `path`, with this as their `file`. Fails with BRUME_BAD_INPUT where there is no
 * such file or it has no triangles, and with BRUME_FAILED where it cannot be read; the text is one line that names the
 * file, and `*mesh` is NULL. Called by the thread that loads the scene.
 */
typedef BrumeStatus BrumeMeshReader(void *context, const char *path, const BrumeMeshReadDef *def, BrumeMesh **mesh,
                                    BrumeError *error);

BRUME_END_DECLS

#endif
