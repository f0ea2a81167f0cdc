/**
 * @file mesh_file.h
 * Mesh files: their triangles in meters with y up, and what was found and assumed. The library that reads them, assimp,
 * is in the program brume-files (docs/meshes.md).
 */
#ifndef BRUME_EXCHANGE_MESH_FILE_H
#define BRUME_EXCHANGE_MESH_FILE_H

#include "brume/mesh.h"
#include "io/shared_memory.h"

#include <stdint.h>

BRUME_BEGIN_DECLS

enum {
    BRUME_MESH_NOTES = 8,       ///< most notes of a file
    BRUME_MESH_NOTE_SIZE = 224, ///< bytes of a note with its 0
};

/** What a mesh file has. */
typedef struct BrumeMeshFileInfo {
    char format[68];    ///< name of the format
    int meshes;         ///< placed, each instance counted
    int polygons;       ///< with three corners and more, each instance counted
    double unit;        ///< meters of one unit of the file
    int up;             ///< axis of the file that points up: 0 x, 1 y, 2 z
    bool unit_known;    ///< the file, its format or BrumeMeshReadDef has the unit
    bool up_known;      ///< the same for the axis
    int animations;     ///< of which one is played: the first, or that of BrumeMeshReadDef
    double duration;    ///< of this animation [s]
    char animation[68]; ///< its name; "": none
    uint64_t topology;  ///< hash of the numbers of vertices and of the corners of all polygons
    int note_count;     ///< up to BRUME_MESH_NOTES
    char notes[BRUME_MESH_NOTES][BRUME_MESH_NOTE_SIZE]; ///< what was not read or is missing, each one line
} BrumeMeshFileInfo;

/** The arrays of a mesh file. */
typedef enum BrumeMeshArray {
    BRUME_MESH_POSITIONS,
    BRUME_MESH_CORNERS,
    BRUME_MESH_NORMALS,
    BRUME_MESH_UVS,
    BRUME_MESH_COLORS,
    BRUME_MESH_TEXTURE_OF,
    BRUME_MESH_ARRAYS,
} BrumeMeshArray;

/** Most textures of a file, and the size of their names. */
enum { BRUME_MESH_TEXTURES = 32, BRUME_MESH_TEXTURE_NAME = 512 };

/** A picture that a material names as its base color. */
typedef struct BrumeMeshFileTexture {
    char name[BRUME_MESH_TEXTURE_NAME]; ///< of a file in the folder of the mesh, or of a part of the mesh file
    bool is_embedded;                   ///< in the mesh file
    BrumeSharedBlock block;             ///< its bytes there; size 0: none that can be read
} BrumeMeshFileTexture;

/** A mesh file that was read. All zero: none. */
typedef struct BrumeMeshFile {
    BrumeMeshDef def; ///< for brume_mesh_create, with arrays in `memory`; its `file` and its textures are NULL
    BrumeMeshFileInfo info;
    BrumeSharedMemory memory;
    BrumeSharedBlock blocks[BRUME_MESH_ARRAYS]; ///< size 0: the mesh has no such array
    int texture_count;
    BrumeMeshFileTexture textures[BRUME_MESH_TEXTURES]; ///< that `def.texture_of` refers to
} BrumeMeshFile;

/** The bytes of an array of a mesh with these numbers of vertices and triangles. */
size_t brume_mesh_array_bytes(BrumeMeshArray array, int vertices, int triangles);

/** Maps the blocks and sets the pointers of `def`. False where one cannot be mapped; all are unmapped then. */
bool brume_mesh_file_map(BrumeMeshFile *file);

/** Unmaps the blocks and closes the memory. All zero then. */
void brume_mesh_file_destroy(BrumeMeshFile *file);

/** Whether the extension of a path is one of mesh files, in any case; also in a build that does not read them. */
bool brume_is_mesh_path(const char *path);

/** Whether this build reads mesh files. */
bool brume_reads_mesh_files(void);

/** The extensions of mesh files, without the dot, the usual ones first; NULL at the end. */
extern const char *const brume_mesh_extensions[];

/**
 * Reads a mesh file: polygons with three corners and more, cut into triangles, of all meshes that its nodes place, in
 * meters with y up. With `def->fps` > 0, nodes and bones have the transforms of the animation at `def->frame` /
 * `def->fps` seconds, otherwise those that the file gives without it. The files that it names are read from its folder.
 * BRUME_BAD_INPUT with one line that starts with the path where there is no such file, it is damaged, has no triangles
 * or needs a file that is missing; BRUME_FAILED without memory, where brume-files is missing or fails, and in a build
 * without assimp. `*file` is all zero then. To be freed with brume_mesh_file_destroy.
 */
BrumeStatus brume_mesh_file_read(BrumeMeshFile *file, const char *path, const BrumeMeshReadDef *def, BrumeError *error);

/** Creates the mesh of a file that was read from `path`, with `textures` and `texture_count` of its `def` where these
 * have been set. Fails as brume_mesh_create, with the path before the text. */
BrumeStatus brume_mesh_file_create(BrumeMesh **mesh, const BrumeMeshFile *file, const char *path, BrumeError *error);

/**
 * Reads the positions of a further file of a sequence, or of another frame of an animation, in the order of the
 * vertices of `first`: `positions` is an array (first->def.vertex_count) [m]. BRUME_BAD_INPUT where its polygons are
 * not those of `first`, so that its triangles cannot be kept, and as brume_mesh_file_read.
 */
BrumeStatus brume_mesh_file_read_positions(BrumeVec3 *positions, const BrumeMeshFile *first, const char *path,
                                           const BrumeMeshReadDef *def, BrumeError *error);

BRUME_END_DECLS

#endif
