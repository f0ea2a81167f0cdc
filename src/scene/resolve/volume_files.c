#include "scene/resolve/volume_files.h"

#include "core/memory.h"
#include "core/path.h"
#include "core/samples.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// the absolute path of a pattern, from that of its folder; NULL where there is no such folder
static char *find_folder(const char *pattern)
{
    const char *name = brume_path_name(pattern);
    char folder[BRUME_MAX_PATH];
    (void)brume_path_folder(pattern, folder, sizeof folder);
    char *const found = realpath(folder, NULL);
    char *const absolute = found ? malloc(strlen(found) + strlen(name) + 2) : NULL;
    if (absolute) {
        (void)sprintf(absolute, "%s/%s", found, name);
    }
    free(found);
    return absolute;
}

BrumeStatus brume_find_scene_file(const char *scene_path, const char *file, bool is_read, const BrumeYamlNode *node,
                                  char path[BRUME_MAX_PATH], BrumeError *error)
{
    const char *const slash = strrchr(scene_path, '/');
    const bool from_folder = file[0] != '/' && slash && !brume_yaml_is_override(node);
    const int folder = from_folder ? (int)(slash - scene_path) + 1 : 0;
    const size_t size = (size_t)folder + strlen(file) + 1;
    char *joined = brume_alloc_untouched(size, 1);
    if (!joined) {
        return brume_out_of_memory(error, "%s", file);
    }
    (void)snprintf(joined, size, "%.*s%s", folder, scene_path, file);
    char *absolute = is_read ? realpath(joined, NULL) : NULL;
    if (is_read && !absolute && strpbrk(file, "#%")) {
        absolute = find_folder(joined);
    }
    if (is_read && !absolute && (errno == EIO || errno == ENOMEM)) { // of other errors, the reader says more
        const BrumeStatus status = brume_fail(error, BRUME_FAILED, "%s: cannot be found: %s", joined, strerror(errno));
        brume_free(joined);
        return status;
    }
    const int length = snprintf(path, BRUME_MAX_PATH, "%s", absolute ? absolute : joined);
    free(absolute);
    brume_free(joined);
    return length < BRUME_MAX_PATH ? BRUME_OK
                                   : brume_yaml_fail(node, error,
                                                     "the path of 'file' has %d bytes with its folders, but must have "
                                                     "at most %d",
                                                     length, BRUME_MAX_PATH - 1);
}

const char *brume_missing_file_cure(const BrumeYamlNode *node)
{
    return brume_yaml_is_override(node) ? " (a relative path of -D starts at the working folder)"
                                        : " (a relative path starts at the folder of the scene)";
}

static const BrumeVolumeGrid *find_grid(const BrumeVolumeFiles *files, const BrumeVolumeRequest *request,
                                        const char *path, const char *grid, const char *hash)
{
    for (int n = 0; n < files->count; n++) {
        const BrumeVolumeGrid *const found = &files->grids[n];
        const bool is_same = strcmp(found->path, path) == 0 && strcmp(found->grid, grid) == 0 &&
                             found->count == request->count && found->are_points == request->are_points;
        if (is_same && (!hash || strtoull(hash, NULL, 16) == found->samples[0]->hash)) {
            return found;
        }
    }
    return NULL;
}

/** Reserves the next grid of the list; NULL without memory. */
static BrumeVolumeGrid *add_grid(BrumeVolumeFiles *files, const BrumeVolumeRequest *request, const char *path,
                                 const char *grid)
{
    BrumeVolumeGrid *const grids = brume_make_room(files->grids, files->count, &files->capacity, sizeof *grids);
    if (!grids) {
        return NULL;
    }
    files->grids = grids;
    BrumeVolumeGrid *const added = &files->grids[files->count];
    *added =
        (BrumeVolumeGrid){.path = brume_copy_text(path), .are_points = request->are_points, .count = request->count};
    (void)snprintf(added->grid, sizeof added->grid, "%s", grid);
    return added->path ? added : NULL;
}

bool brume_scene_file_is_read(const BrumeVolumeFiles *files, bool is_surface)
{
    return files->which == BRUME_SCENE_FILES_ALL || (files->which == BRUME_SCENE_FILES_OF_SURFACES && is_surface);
}

BrumeStatus brume_fail_scene_file(const BrumeVolumeFiles *files, const BrumeYamlNode *map, const char *path,
                                  const BrumeError *found, BrumeError *error)
{
    const BrumeYamlNode *const file = brume_yaml_get(map, "file");
    const bool is_missing = brume_yaml_is_override(file) && access(path, F_OK) != 0;
    const char *cure = is_missing ? brume_missing_file_cure(file) : "";
    if (files->which == BRUME_SCENE_FILES_OF_SURFACES) {
        cure = " (restore the file, or leave the body out of the picture: -D bodies.N.visible=false)";
    }
    (void)brume_yaml_fail(file, error, "%s%s", found->text, cure);
    if (error) {
        error->status = found->status;
    }
    return found->status;
}

static BrumeStatus read_grid(BrumeVolumeGrid *grid, const BrumeVolumeFiles *files, const BrumeVolumeRequest *request,
                             BrumeError *error)
{
    const BrumeSceneReaders *const readers = &files->readers;
    BrumeError found;
    BrumeSamplesReader *const read = grid->are_points ? readers->points : readers->samples;
    found.status =
        read(readers->context, grid->path, grid->grid, grid->count, files->first_frame - 1, grid->samples, &found);
    return found.status == BRUME_OK ? BRUME_OK : brume_fail_scene_file(files, request->map, grid->path, &found, error);
}

BrumeStatus brume_check_scene_hash(uint64_t hash, const char *written, const char *path, const char *what,
                                   const BrumeYamlNode *map, BrumeError *error)
{
    const BrumeYamlNode *const node = brume_yaml_get(map, "hash");
    char digits[17];
    (void)snprintf(digits, sizeof digits, "%016" PRIx64, hash);
    return !node || strcmp(digits, written) == 0
               ? BRUME_OK
               : brume_yaml_fail(node, error,
                                 "%s: %s has the hash %s, so it is not the one that the scene was written with "
                                 "(restore the file, or remove 'hash')",
                                 path, what, digits);
}

/** Adds a grid to the list, with its values or, where it is left out, without. */
static BrumeStatus load_grid(BrumeVolumeFiles *files, const BrumeVolumeRequest *request, const char *path,
                             const char *name, bool is_read, BrumeError *error)
{
    BrumeVolumeGrid *const grid = add_grid(files, request, path, name);
    if (!grid) {
        return brume_out_of_memory(error, "%s", path);
    }
    BrumeStatus status = BRUME_OK;
    if (is_read) {
        status = read_grid(grid, files, request, error);
    } else {
        grid->samples[0] = brume_samples_create_unread(path, name, strtoull(request->volume->hash, NULL, 16));
        status = grid->samples[0] ? BRUME_OK : brume_out_of_memory(error, "%s", path);
    }
    if (status == BRUME_OK) {
        files->count++;
    } else {
        brume_free(grid->path);
    }
    return status;
}

BrumeStatus brume_volume_files_get(BrumeVolumeFiles *files, const BrumeVolumeRequest *request,
                                   const BrumeSamples *samples[3], BrumeError *error)
{
    const bool is_read = brume_scene_file_is_read(files, request->is_surface);
    const bool are_points = request->are_points;
    const char *const name = are_points ? "" : request->volume->grid[0] ? request->volume->grid : request->default_grid;
    if (is_read && !(are_points ? files->readers.points : files->readers.samples)) {
        return brume_yaml_fail(brume_yaml_get(request->map, "file"), error,
                               "this program does not read %s, such as the 'file' of this scene",
                               are_points ? "files with points" : "volume files");
    }
    char path[BRUME_MAX_PATH];
    BrumeStatus status = brume_find_scene_file(files->scene_path, request->volume->file, is_read,
                                               brume_yaml_get(request->map, "file"), path, error);
    if (status != BRUME_OK) {
        return status;
    }
    const char *const hash = is_read ? NULL : request->volume->hash;
    const BrumeVolumeGrid *grid = find_grid(files, request, path, name, hash);
    if (!grid || (is_read && !brume_samples_have_values(grid->samples[0]))) {
        status = load_grid(files, request, path, name, is_read, error);
        grid = status == BRUME_OK ? &files->grids[files->count - 1] : NULL;
    }
    if (status == BRUME_OK && is_read) {
        char what[BRUME_MAX_PATH];
        (void)snprintf(what, sizeof what, are_points ? "its points%s" : "the grid '%s'", name);
        status = brume_check_scene_hash(brume_samples_hash((const BrumeSamples *const *)grid->samples, grid->count),
                                        request->volume->hash, path, what, request->map, error);
    }
    if (status == BRUME_OK && brume_samples_vary(grid->samples[0]) && !request->may_vary) {
        return brume_yaml_fail(brume_yaml_get(request->map, "file"), error,
                               "%s: only emitters and their forces have a sequence of files (name one of its files)",
                               path);
    }
    for (int n = 0; n < 3 && status == BRUME_OK; n++) {
        samples[n] = grid->samples[n];
    }
    return status;
}

void brume_volume_files_destroy(BrumeVolumeFiles *files)
{
    for (int n = 0; n < files->count; n++) {
        for (int component = 0; component < 3; component++) {
            brume_samples_release(files->grids[n].samples[component]);
        }
        brume_free(files->grids[n].path);
    }
    for (int n = 0; n < files->mesh_count; n++) {
        brume_mesh_release(files->meshes[n].mesh);
        brume_free(files->meshes[n].path);
    }
    brume_free(files->grids);
    brume_free(files->meshes);
    *files = (BrumeVolumeFiles){0};
}
