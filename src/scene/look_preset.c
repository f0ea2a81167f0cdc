#include "scene/look_preset.h"

#include "core/memory.h"
#include "core/minmax.h"
#include "core/text.h"
#include "core/vec3.h"
#include "yaml/yaml.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_KEYS = 24, MAX_KEY_PATH = 128 };

// the keys that a preset may have, with all keys below them
static const struct {
    const char *folder, *title;
    const char *keys[MAX_KEYS];
} parts[BRUME_LOOK_PARTS] = {
    [BRUME_LOOK_MEDIUM] = {"media",
                           "a medium",
                           {"name",
                            "description",
                            "domain.size",
                            "domain.origin",
                            "smoke.density.extinction",
                            "smoke.density.albedo",
                            "smoke.density.curve",
                            "smoke.color_1.extinction",
                            "smoke.color_1.albedo",
                            "smoke.color_1.curve",
                            "smoke.color_2.extinction",
                            "smoke.color_2.albedo",
                            "smoke.color_2.curve",
                            "smoke.color_3.extinction",
                            "smoke.color_3.albedo",
                            "smoke.color_3.curve",
                            "render.anisotropy",
                            "render.phase",
                            "render.lobes",
                            "render.droplet_diameter",
                            "render.emission",
                            NULL}},
    [BRUME_LOOK_LIGHTS] = {"lights",
                           "lights",
                           {"name", "description", "domain.size", "domain.origin", "lights", "render.sky",
                            "render.sky_zenith", "render.sky_horizon", "render.exposure", "render.tone", NULL}},
};

const char *brume_look_part_folder(BrumeLookPart part) { return parts[part].folder; }

BrumeLookBox brume_look_box(const BrumeSimDef *sim)
{
    const BrumeVec3 size = brume_scale(brume_vec3((float)sim->nx, (float)sim->ny, (float)sim->nz), sim->dx);
    return (BrumeLookBox){
        .floor = brume_add(sim->origin, brume_vec3(0.5f * size.x, 0.0f, 0.5f * size.z)),
        .side = brume_largest(size),
    };
}

// whether a preset may have the key, or keys below it
static bool is_allowed(BrumeLookPart part, const char *path, bool *is_parent)
{
    const size_t length = strlen(path);
    bool allowed = false;
    *is_parent = false;
    for (const char *const *key = parts[part].keys; *key; key++) {
        allowed = allowed || strcmp(*key, path) == 0;
        *is_parent = *is_parent || (strncmp(*key, path, length) == 0 && (*key)[length] == '.');
    }
    return allowed;
}

static BrumeStatus check_keys(BrumeLookPart part, const BrumeYamlNode *map, const char *path, BrumeError *error)
{
    for (const BrumeYamlNode *child = map->first; child; child = child->next) {
        char below[MAX_KEY_PATH];
        bool is_parent = false;
        (void)snprintf(below, sizeof below, "%s%s%s", path, path[0] ? "." : "", child->key);
        if (is_allowed(part, below, &is_parent)) {
            continue;
        }
        const bool is_map = child->kind == BRUME_YAML_MAP || brume_yaml_is_null(child);
        if (!is_parent || !is_map) {
            return brume_yaml_fail_key(child, error, "'%s' is not a key of a preset of %s (remove it)",
                                       brume_quote(below).text, parts[part].title);
        }
        const BrumeStatus status = check_keys(part, child, below, error);
        if (status != BRUME_OK) {
            return status;
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_look_preset_parse(BrumeLookPreset *preset, BrumeLookPart part, const char *text, const char *path,
                                    const BrumeSceneReaders *readers, BrumeError *error)
{
    *preset = (BrumeLookPreset){0};
    BrumeYamlNode *root = NULL;
    BrumeScene *scene = NULL;
    // the errors of the scene first: they suggest the correct name of a key
    const BrumeSceneFiles files = readers ? BRUME_SCENE_FILES_ALL : BRUME_SCENE_FILES_NONE;
    BrumeStatus status = brume_scene_parse_written(&scene, text, path, NULL, 0, files, readers, error);
    if (status == BRUME_OK) {
        status = brume_yaml_parse(&root, path, true, text, strlen(text), error);
    }
    if (status == BRUME_OK) {
        status = check_keys(part, root, "", error);
    }
    if (status == BRUME_OK) {
        preset->part = part;
        (void)snprintf(preset->name, sizeof preset->name, "%s", scene->name);
        (void)snprintf(preset->description, sizeof preset->description, "%s", scene->description);
        preset->box = brume_look_box(&scene->sim);
        preset->look = scene->render_settings;
        (void)snprintf(preset->sky_file, sizeof preset->sky_file, "%s", scene->sky_file);
        preset->sky_radiance = scene->sky_radiance;
        scene->sky_radiance = NULL;
    }
    brume_yaml_free(root);
    brume_scene_destroy(scene);
    return status;
}

void brume_look_preset_destroy(BrumeLookPreset *preset)
{
    free(preset->sky_radiance); // allocated by a BrumeSkyReader
    *preset = (BrumeLookPreset){0};
}

// The ratio of the longest sides. Boxes of the same size have one of 1, whatever their cells round to.
static float ratio_of(const BrumeLookBox *box, const BrumeLookBox *to)
{
    const float ratio = to->side / box->side;
    return fabsf(ratio - 1.0f) < 1e-4f ? 1.0f : ratio;
}

static bool is_default_color(const BrumeRenderSettings *look, const BrumeRenderSettings *defaults, int kind)
{
    return look->density_curve[kind].count == 0 &&
           memcmp(&look->smoke[kind], &defaults->smoke[kind], sizeof look->smoke[kind]) == 0;
}

static void apply_medium(const BrumeRenderSettings *from, float ratio, BrumeRenderSettings *look)
{
    const BrumeRenderSettings defaults = brume_default_render_settings();
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        if (kind == 0 || !is_default_color(from, &defaults, kind)) {
            look->smoke[kind] = from->smoke[kind];
            look->smoke[kind].extinction /= ratio;
            look->density_curve[kind] = from->density_curve[kind];
        }
    }
    look->anisotropy = from->anisotropy;
    look->phase = from->phase;
    look->emission = from->emission;
}

static void apply_lights(const BrumeLookPreset *preset, const BrumeLookBox *box, float ratio, BrumeRenderSettings *look)
{
    const BrumeRenderSettings *from = &preset->look;
    const bool moves = ratio != 1.0f || memcmp(&box->floor, &preset->box.floor, sizeof box->floor) != 0;
    look->light_count = from->light_count;
    memcpy(look->lights, from->lights, sizeof look->lights);
    for (int n = 0; n < look->light_count; n++) {
        BrumeLight *light = &look->lights[n];
        if (light->kind == BRUME_LIGHT_DIRECTIONAL || !moves) {
            continue;
        }
        light->position = brume_add(box->floor, brume_scale(brume_sub(light->position, preset->box.floor), ratio));
        light->intensity *= ratio * ratio;
        light->width *= ratio;
        light->height *= ratio;
    }
    look->sky = from->sky;
    look->sky_zenith = from->sky_zenith;
    look->sky_horizon = from->sky_horizon;
    look->exposure = from->exposure;
    look->tone = from->tone;
}

void brume_look_preset_apply(const BrumeLookPreset *preset, const BrumeLookBox *box, BrumeRenderSettings *look)
{
    const float ratio = ratio_of(&preset->box, box);
    if (preset->part == BRUME_LOOK_MEDIUM) {
        apply_medium(&preset->look, ratio, look);
    } else {
        apply_lights(preset, box, ratio, look);
    }
}

// a scene of defaults whose box is a cube with the longest side and the middle of the floor of `box`
static BrumeStatus make_default_scene(BrumeScene **scene, const BrumeLookBox *box, BrumeError *error)
{
    BrumeText text = {0};
    const double half = 0.5 * (double)box->side;
    brume_text_add(&text, "domain: {size: ");
    brume_text_add_exact_number(&text, (double)box->side);
    const double corner[3] = {(double)box->floor.x - half, (double)box->floor.y, (double)box->floor.z - half};
    for (int axis = 0; axis < 3; axis++) {
        brume_text_add(&text, axis == 0 ? ", origin: [" : ", ");
        brume_text_add_exact_number(&text, (double)(float)corner[axis]);
    }
    brume_text_add(&text, "]}\n");
    BrumeStatus status = text.failed ? brume_out_of_memory(error, "a preset")
                                     : brume_scene_parse(scene, text.data, "preset", NULL, 0, NULL, error);
    brume_text_destroy(&text);
    return status;
}

BrumeStatus brume_look_preset_write(BrumeLookPart part, const BrumeRenderSettings *look, const BrumeLookBox *box,
                                    const char *name, const char *sky_file, char **text, BrumeError *error)
{
    *text = NULL;
    BrumeScene *scene = NULL;
    BrumeStatus status = make_default_scene(&scene, box, error);
    if (!scene) {
        return status;
    }
    (void)snprintf(scene->name, sizeof scene->name, "%s", name);
    const BrumeLookPreset preset = {.part = part, .box = *box, .look = *look};
    brume_look_preset_apply(&preset, box, &scene->render_settings);
    if (part == BRUME_LOOK_LIGHTS && look->sky.kind == BRUME_SKY_IMAGE) {
        (void)snprintf(scene->sky_file, sizeof scene->sky_file, "%s", sky_file ? sky_file : "");
    }
    char comment[160];
    (void)snprintf(comment, sizeof comment, "A preset of %s (docs/scene.md), written by brume view.",
                   parts[part].title);
    status = brume_scene_write(scene, comment, text, error);
    scene->sky_radiance = NULL;
    brume_scene_destroy(scene);
    if (status == BRUME_OK) { // the written text can be read, and has nothing else
        BrumeLookPreset read;
        status = brume_look_preset_parse(&read, part, *text, name, false, error);
        brume_look_preset_destroy(&read);
        if (status != BRUME_OK) {
            brume_free(*text);
            *text = NULL;
        }
    }
    return status;
}
