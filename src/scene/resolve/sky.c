#include "brume/scene.h"

#include "raymarch/settings.h"
#include "scene/format/derived.h"
#include "scene/resolve/resolve.h"
#include "scene/resolve/volume_files.h"

#include <string.h>
#include <unistd.h>

float brume_cut_negative_values(float *rgb, int width, int height)
{
    const size_t count = (size_t)3 * (size_t)width * (size_t)height;
    float least = 0.0f;
    for (size_t n = 0; n < count; n++) {
        least = rgb[n] < least ? rgb[n] : least;
        rgb[n] = rgb[n] > 0.0f ? rgb[n] : 0.0f;
    }
    return least;
}

// a bit for each kind of sky
enum { OF_CONSTANT = 1 << BRUME_SKY_CONSTANT, OF_DAYLIGHT = 1 << BRUME_SKY_DAYLIGHT, OF_IMAGE = 1 << BRUME_SKY_IMAGE };

// The kinds that each key is for. Another kind is chosen by an override too, which cannot remove keys, so that a key
// without effect is a warning.
static void warn_of_unused_keys(BrumeScene *scene, const BrumeYamlNode *render, const BrumeYamlNode *sky, int kind)
{
    static const struct {
        const char *key;
        int kinds;
    } uses[] = {
        {"radiance", OF_CONSTANT},
        {"turbidity", OF_DAYLIGHT},
        {"sun_azimuth", OF_DAYLIGHT},
        {"sun_elevation", OF_DAYLIGHT},
        {"file", OF_IMAGE},
        {"rotation", OF_IMAGE},
        {"intensity", OF_DAYLIGHT | OF_IMAGE},
    };
    bool has_daylight = false;
    for (int n = 0; n < scene->render_settings.light_count; n++) {
        has_daylight = has_daylight || scene->render_settings.lights[n].daylight;
    }
    const char *const word = brume_setting_word(&brume_render_setting_table[BRUME_RENDER_SKY_KIND], kind);
    for (size_t n = 0; n < sizeof uses / sizeof uses[0]; n++) {
        const BrumeYamlNode *const value = brume_yaml_get(sky, uses[n].key);
        const bool of_sunlight =
            has_daylight && (strcmp(uses[n].key, "turbidity") == 0 || strcmp(uses[n].key, "intensity") == 0);
        if (value && !(uses[n].kinds >> kind & 1) && !of_sunlight) {
            brume_scene_warn(scene, value, "'%s' in 'sky' has no effect with 'kind: %s'", uses[n].key, word);
        }
    }
    static const char *const gradient_keys[] = {"sky_zenith", "sky_horizon"};
    for (int n = 0; n < 2 && kind != BRUME_SKY_GRADIENT; n++) {
        const BrumeYamlNode *const value = brume_yaml_get(render, gradient_keys[n]);
        if (value) {
            brume_scene_warn(scene, value, "'%s' in 'render' has no effect with a sky of 'kind: %s'", gradient_keys[n],
                             word);
        }
    }
}

// the sun's light travels in `direction`
static void warn_of_night(BrumeScene *scene, const BrumeYamlNode *sky, BrumeVec3 direction)
{
    if (direction.y > 0.0f) {
        brume_scene_warn(scene, sky, "this sky is dark: its sun is below the horizon");
    }
}

static BrumeStatus resolve_sun(BrumeParsedScene *parsed, const BrumeYamlNode *sky, BrumeError *error)
{
    BrumeRenderSettings *const render = &parsed->scene.render_settings;
    const BrumeYamlNode *const azimuth = brume_yaml_get(sky, "sun_azimuth");
    if (brume_yaml_get(sky, "sun_elevation")) {
        render->sky.sun = brume_sun_direction(azimuth ? parsed->sky.sun_azimuth : 0.0f, parsed->sky.sun_elevation);
        warn_of_night(&parsed->scene, sky, render->sky.sun);
        return BRUME_OK;
    }
    if (azimuth) {
        return brume_yaml_fail_key(azimuth, error, "'sun_azimuth' in 'sky' needs 'sun_elevation'");
    }
    for (int n = 0; n < render->light_count; n++) {
        if (render->lights[n].kind == BRUME_LIGHT_DIRECTIONAL) {
            warn_of_night(&parsed->scene, sky, render->lights[n].direction);
            return BRUME_OK;
        }
    }
    return brume_yaml_fail(sky, error, "a sky of 'kind: daylight' needs a sun in 'lights' or 'sun_elevation'");
}

static BrumeStatus resolve_image(BrumeParsedScene *parsed, const BrumeYamlNode *sky, BrumeError *error)
{
    BrumeScene *const scene = &parsed->scene;
    const BrumeYamlNode *const node = brume_yaml_get(sky, "file");
    const BrumeVolumeFiles *const files = parsed->files;
    if (!parsed->sky.file[0]) {
        return brume_yaml_fail(node ? node : sky, error, "a sky of 'kind: image' needs a 'file'");
    }
    const bool is_read = files->which != BRUME_SCENE_FILES_NONE;
    if (is_read && !files->readers.sky) {
        return brume_yaml_fail(node, error, "this program does not read images, such as the 'file' of this sky");
    }
    BrumeStatus status =
        brume_find_scene_file(files->scene_path, parsed->sky.file, is_read, node, scene->sky_file, error);
    if (status != BRUME_OK || !is_read) {
        return status;
    }
    BrumeSkyImage image = {0};
    BrumeError found;
    status = files->readers.sky(files->readers.context, scene->sky_file, &image.width, &image.height,
                                &scene->sky_radiance, &found);
    if (status != BRUME_OK) {
        scene->sky_radiance = NULL;
        const char *cure = "";
        if (files->which == BRUME_SCENE_FILES_OF_SURFACES) {
            cure = " (restore the file, or draw another sky: -D render.sky.kind=gradient)";
        } else if (access(scene->sky_file, F_OK) != 0) {
            cure = brume_missing_file_cure(node);
        }
        (void)brume_yaml_fail(node, error, "%s%s", found.text, cure);
        if (error) {
            error->status = status;
        }
        return status;
    }
    const float least = brume_cut_negative_values(scene->sky_radiance, image.width, image.height);
    if (least < 0.0f) {
        brume_scene_warn(scene, node, "the negative values of %s, down to %.3g, count as 0", scene->sky_file,
                         (double)least);
    }
    image.radiance = scene->sky_radiance;
    scene->render_settings.sky.image = image;
    return BRUME_OK;
}

BrumeStatus brume_resolve_sky(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    const BrumeYamlNode *const render = brume_yaml_get(root, "render");
    const BrumeYamlNode *const sky = brume_yaml_get(render, "sky");
    const BrumeSkyKind kind = parsed->scene.render_settings.sky.kind;
    warn_of_unused_keys(&parsed->scene, render, sky, (int)kind);
    switch (kind) {
    case BRUME_SKY_DAYLIGHT:
        return resolve_sun(parsed, sky, error);
    case BRUME_SKY_IMAGE:
        return resolve_image(parsed, sky, error);
    default:
        return BRUME_OK;
    }
}
