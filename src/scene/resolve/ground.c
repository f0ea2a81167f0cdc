#include "brume/scene.h"

#include "core/minmax.h"
#include "scene/resolve/resolve.h"
#include "scene/resolve/volume_files.h"

#include <stdlib.h>
#include <unistd.h>

// appends the levels to the values of an image, which are albedos: at most 1
static BrumeStatus make_levels(BrumeScene *scene, float *values, const char *file, BrumeError *error)
{
    BrumeGroundImage *const image = &scene->render_settings.ground_image;
    const size_t entries = brume_ground_image_entries(image->width, image->height);
    float *const levels = realloc(values, entries * sizeof *levels);
    if (!levels) {
        free(values);
        return brume_out_of_memory(error, "%s", file);
    }
    for (size_t n = 0; n < (size_t)3 * (size_t)image->width * (size_t)image->height; n++) {
        levels[n] = brume_fminf(levels[n], 1.0f);
    }
    brume_ground_image_fill_levels(levels, image->width, image->height);
    scene->ground_image = levels;
    image->albedo = levels;
    return BRUME_OK;
}

BrumeStatus brume_resolve_ground(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    BrumeScene *const scene = &parsed->scene;
    const BrumeYamlNode *const ground = brume_yaml_get(brume_yaml_get(root, "render"), "ground");
    const BrumeYamlNode *const map = brume_yaml_get(ground, "image");
    const BrumeYamlNode *const pattern = brume_yaml_get(ground, "pattern");
    if (!map) {
        return BRUME_OK;
    }
    const BrumeYamlNode *const given = brume_yaml_get(map, "file");
    const BrumeYamlNode *const node = given ? given : map; // a word is the file
    if (!parsed->ground_file[0]) {
        return brume_yaml_fail(map, error, "an 'image' of the ground needs a 'file'");
    }
    if (pattern) {
        return brume_yaml_fail_key(pattern, error, "'pattern' in 'ground' excludes 'image'");
    }
    const BrumeSceneReaders *const readers = &parsed->files->readers;
    const bool is_read = parsed->files->which != BRUME_SCENE_FILES_NONE;
    scene->render_settings.ground_pattern = BRUME_GROUND_IMAGE;
    if (is_read && !readers->ground_image) {
        return brume_yaml_fail(node, error, "this program does not read images, such as the 'file' of this ground");
    }
    BrumeStatus status =
        brume_find_scene_file(parsed->files->scene_path, parsed->ground_file, is_read, node, scene->ground_file, error);
    if (status != BRUME_OK || !is_read) {
        return status;
    }
    BrumeGroundImage *const image = &scene->render_settings.ground_image;
    float *values = NULL;
    BrumeError found;
    status =
        readers->ground_image(readers->context, scene->ground_file, &image->width, &image->height, &values, &found);
    if (status == BRUME_OK) {
        const float least = brume_cut_negative_values(values, image->width, image->height);
        if (least < 0.0f) {
            brume_scene_warn(scene, node, "the negative values of %s, down to %.3g, count as 0", scene->ground_file,
                             (double)least);
        }
        return make_levels(scene, values, scene->ground_file, error);
    }
    const bool is_missing = access(scene->ground_file, F_OK) != 0;
    (void)brume_yaml_fail(node, error, "%s%s", found.text, is_missing ? brume_missing_file_cure(node) : "");
    if (error) {
        error->status = status;
    }
    return status;
}
