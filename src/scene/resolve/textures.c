#include "core/texture.h"

#include "core/mesh.h"
#include "core/path.h"
#include "scene/resolve/resolve.h"
#include "scene/resolve/volume_files.h"

#include <string.h>
#include <unistd.h>

/** Whether the name of a file has the place of a number, as the patterns of the program. */
static bool is_sequence(const char *path) { return strpbrk(brume_path_name(path), "#%") != NULL; }

/** Reads a texture, or takes that of a surface before it with the same file. */
static BrumeStatus get_texture(BrumeScene *scene, int surface, const BrumeVolumeFiles *files, const char *path,
                               const BrumeYamlNode *node, BrumeError *error)
{
    for (int n = 0; n < surface; n++) {
        if (scene->textures[n] && strcmp(brume_texture_file(scene->textures[n]), path) == 0) {
            scene->textures[surface] = scene->textures[n];
            brume_texture_retain(scene->textures[surface]);
            return BRUME_OK;
        }
    }
    BrumeTexture *texture = NULL;
    BrumeError found = {0};
    if (files->which == BRUME_SCENE_FILES_NONE) {
        texture = brume_texture_create_unread(path);
        found.status = texture ? BRUME_OK : brume_out_of_memory(&found, "%s", path);
    } else {
        found.status = files->readers.texture(files->readers.context, path, &texture, &found);
    }
    if (found.status != BRUME_OK) {
        const bool is_missing = !is_sequence(path) && access(path, F_OK) != 0; // of a sequence, the path says where
        (void)brume_yaml_fail(node, error, "%s%s", found.text, is_missing ? brume_missing_file_cure(node) : "");
        if (error) {
            error->status = found.status;
        }
        return found.status;
    }
    brume_texture_set_rate(texture, scene->first_frame - 1, (double)scene->sim.fps);
    scene->textures[surface] = texture;
    return BRUME_OK;
}

static BrumeStatus resolve_texture(BrumeParsedScene *parsed, int body, const BrumeYamlNode *node, BrumeError *error)
{
    BrumeScene *const scene = &parsed->scene;
    const int surface = scene->surface_of[body];
    const BrumeVolumeFiles *const files = parsed->files;
    const BrumeShape *const shape = &scene->sim.bodies[body].shape;
    if (shape->kind == BRUME_SHAPE_VOLUME) {
        return brume_yaml_fail_key(
            node, error, "a volume has no texture coordinates for a 'texture' (convert its surface to a mesh)");
    }
    if (shape->kind == BRUME_SHAPE_MESH && brume_mesh_has_triangles(shape->mesh) && !brume_mesh_has_uvs(shape->mesh)) {
        return brume_yaml_fail_key(node, error,
                                   "%s has no texture coordinates for a 'texture' (unwrap it where it was made)",
                                   brume_mesh_file(shape->mesh));
    }
    if (files->which != BRUME_SCENE_FILES_NONE && !files->readers.texture) {
        return brume_yaml_fail(node, error, "this program does not read images, such as the 'texture' of this body");
    }
    char path[BRUME_MAX_PATH];
    BrumeStatus status =
        brume_find_scene_file(files->scene_path, parsed->bodies[body].texture, true, node, path, error);
    if (status == BRUME_OK) {
        status = get_texture(scene, surface, files, path, node, error);
    }
    if (status == BRUME_OK) {
        scene->render_settings.surfaces[surface].texture = scene->textures[surface];
    }
    return status;
}

BrumeStatus brume_resolve_textures(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    const BrumeYamlNode *const list = brume_yaml_get(root, "bodies");
    const BrumeYamlNode *item = list ? list->first : NULL;
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < parsed->body_count && item && status == BRUME_OK; n++, item = item->next) {
        if (parsed->bodies[n].texture[0]) {
            status = resolve_texture(parsed, n, brume_yaml_get(item, "texture"), error);
        }
    }
    return status;
}
