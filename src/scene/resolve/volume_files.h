/**
 * @file volume_files.h
 * The volume and mesh files of a scene, each of which is read once while the scene is loaded, also where a timeline
 * changes settings.
 */
#ifndef BRUME_SCENE_RESOLVE_VOLUME_FILES_H
#define BRUME_SCENE_RESOLVE_VOLUME_FILES_H

#include "scene/format/parsed_scene.h"
#include "yaml/yaml.h"

/** A grid that has been read. */
typedef struct BrumeVolumeGrid {
    char *path;
    char grid[64];
    bool are_points;          ///< of the file, in place of a grid
    int count;                ///< 1, or 3 of a vector
    BrumeSamples *samples[3]; ///< a reference to each
} BrumeVolumeGrid;

/** A mesh file that has been read. */
typedef struct BrumeMeshOfFile {
    char *path;
    BrumeMesh *mesh; ///< a reference
} BrumeMeshOfFile;

/** The grids and meshes of a scene that have been read so far. */
typedef struct BrumeVolumeFiles {
    const char *scene_path; ///< relative paths start at its folder
    BrumeSceneFiles which;
    BrumeSceneReaders readers;
    float fps;       ///< of the scene [1/s]
    int first_frame; ///< number of the first frame of the scene
    int count, capacity;
    BrumeVolumeGrid *grids;
    int mesh_count, mesh_capacity;
    BrumeMeshOfFile *meshes;
} BrumeVolumeFiles;

/** The arguments of brume_volume_files_get. */
typedef struct BrumeVolumeRequest {
    const BrumeParsedVolume *volume;
    const BrumeYamlNode *map; ///< with the keys of the volume
    const char *default_grid;
    bool are_points; ///< of the file, in place of a grid
    int count;       ///< 1, or 3 of a vector
    bool is_surface; ///< of a body that is drawn
    bool may_vary;   ///< with time: the file may be a sequence
} BrumeVolumeRequest;

/**
 * Sets `samples` to the samples of a grid, which `files` holds references to. Where BrumeVolumeFiles.which leaves the
 * file out, only the first is set, to samples without values.
 *
 * BRUME_BAD_INPUT at the key `file` or `hash` where the scene has no reader, the file does not have this grid, is a
 * sequence without `may_vary`, or its values have another hash; as the reader fails otherwise.
 */
BrumeStatus brume_volume_files_get(BrumeVolumeFiles *files, const BrumeVolumeRequest *request,
                                   const BrumeSamples *samples[3], BrumeError *error);

/**
 * Sets `mesh` to the mesh of the file in `parsed`, with the keys of `map`, which `files` holds a reference to; a mesh
 * without triangles where BrumeVolumeFiles.which leaves the file out. That of a body deforms where the file is a
 * sequence or has an animation. Fails as brume_volume_files_get does.
 */
BrumeStatus brume_mesh_files_get(BrumeVolumeFiles *files, const BrumeParsedShape *parsed, const BrumeYamlNode *map,
                                 bool is_surface, bool of_body, const BrumeMesh **mesh, BrumeError *error);

enum { BRUME_MAX_PATH = sizeof((BrumeParsedVolume *)0)->file };

/**
 * The path of a file that a scene names, whose relative path starts at the folder of the scene, or where `node` is that
 * of an override at the working folder: the absolute path of a file that is read, or the path from the working folder
 * where it is not or does not exist. Of a pattern such as body.####.obj, the folder is that of an absolute path.
 * BRUME_BAD_INPUT at `node` where it is too long.
 */
BrumeStatus brume_find_scene_file(const char *scene_path, const char *file, bool is_read, const BrumeYamlNode *node,
                                  char path[BRUME_MAX_PATH], BrumeError *error);

/** The end of a message about such a file where it does not exist. */
const char *brume_missing_file_cure(const BrumeYamlNode *node);

/** Whether a file is read, which may be that of a body that is drawn. */
bool brume_scene_file_is_read(const BrumeVolumeFiles *files, bool is_surface);

/**
 * Fails at the key `hash` of a map, if it has one, where that is not `hash`, of `what` is in the file at `path`;
 * `written` is the text of the key.
 */
BrumeStatus brume_check_scene_hash(uint64_t hash, const char *written, const char *path, const char *what,
                                   const BrumeYamlNode *map, BrumeError *error);

/** Fails at the key `file` of a map with the text and the status of the reader. */
BrumeStatus brume_fail_scene_file(const BrumeVolumeFiles *files, const BrumeYamlNode *map, const char *path,
                                  const BrumeError *found, BrumeError *error);

/** Releases all samples and meshes and frees the lists. */
void brume_volume_files_destroy(BrumeVolumeFiles *files);

#endif
