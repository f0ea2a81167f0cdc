#include "core/memory.h"
#include "core/mesh.h"
#include "scene/resolve/volume_files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static BrumeMesh *find_mesh(const BrumeVolumeFiles *files, const char *path, const BrumeMeshReadDef *def,
                            const char *hash)
{
    for (int n = 0; n < files->mesh_count; n++) {
        BrumeMesh *const mesh = files->meshes[n].mesh;
        const BrumeMeshReadDef *const read = brume_mesh_read_def(mesh);
        const bool is_same = strcmp(files->meshes[n].path, path) == 0 && read->unit == def->unit &&
                             read->up == def->up && read->flip == def->flip && read->fps == def->fps &&
                             read->frame == def->frame && strcmp(read->animation, def->animation) == 0;
        if (is_same && (hash ? strtoull(hash, NULL, 16) == brume_mesh_hash(mesh) : brume_mesh_has_triangles(mesh))) {
            return mesh;
        }
    }
    return NULL;
}

/** Adds a mesh to the list, with its triangles or, where it is left out, without. */
static BrumeStatus load_mesh(BrumeVolumeFiles *files, const char *path, const BrumeMeshReadDef *def, bool is_read,
                             const char *hash, const BrumeYamlNode *map, BrumeError *error)
{
    BrumeMeshOfFile *const meshes =
        brume_make_room(files->meshes, files->mesh_count, &files->mesh_capacity, sizeof *meshes);
    if (!meshes) {
        return brume_out_of_memory(error, "%s", path);
    }
    files->meshes = meshes;
    BrumeMeshOfFile added = {.path = brume_copy_text(path)};
    BrumeError found = {0};
    if (is_read && added.path) {
        found.status = files->readers.mesh(files->readers.context, path, def, &added.mesh, &found);
    } else if (added.path) {
        added.mesh = brume_mesh_create_unread(path, def, strtoull(hash, NULL, 16));
    }
    if (added.mesh) {
        files->meshes[files->mesh_count++] = added;
        return BRUME_OK;
    }
    brume_free(added.path);
    return found.status == BRUME_OK ? brume_out_of_memory(error, "%s", path)
                                    : brume_fail_scene_file(files, map, path, &found, error);
}

BrumeStatus brume_mesh_files_get(BrumeVolumeFiles *files, const BrumeParsedShape *parsed, const BrumeYamlNode *map,
                                 bool is_surface, bool of_body, const BrumeMesh **mesh, BrumeError *error)
{
    const bool is_read = brume_scene_file_is_read(files, is_surface);
    const BrumeYamlNode *const file = brume_yaml_get(map, "file");
    BrumeMeshReadDef def = parsed->read;
    const bool plays = of_body && strcmp(def.animation, "none") != 0;
    def.unit = isnan(def.unit) ? 0.0f : def.unit;
    def.frame = files->first_frame - 1;
    def.fps = plays ? files->fps : 0.0f;
    if (is_read && !files->readers.mesh) {
        return brume_yaml_fail(file, error, "this program does not read mesh files, such as the 'file' of this scene");
    }
    char path[BRUME_MAX_PATH];
    BrumeStatus status = brume_find_scene_file(files->scene_path, parsed->volume.file, is_read, file, path, error);
    if (status != BRUME_OK) {
        return status;
    }
    const char *const hash = parsed->volume.hash;
    *mesh = find_mesh(files, path, &def, is_read ? NULL : hash);
    if (!*mesh) {
        status = load_mesh(files, path, &def, is_read, hash, map, error);
        *mesh = status == BRUME_OK ? files->meshes[files->mesh_count - 1].mesh : NULL;
    }
    return status == BRUME_OK && is_read
               ? brume_check_scene_hash(brume_mesh_hash(*mesh), hash, path, "the mesh", map, error)
               : status;
}
