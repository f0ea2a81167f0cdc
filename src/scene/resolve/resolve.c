#include "scene/resolve/resolve.h"

#include "scene/format/derived.h"
#include "scene/format/settings.h"
#include "sim/settings/settings.h"

typedef BrumeStatus (*ResolveStep)(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error);

static BrumeStatus run_steps(const ResolveStep *steps, int count, BrumeParsedScene *parsed, const BrumeYamlNode *root,
                             BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int i = 0; i < count && status == BRUME_OK; i++) {
        status = steps[i](parsed, root, error);
    }
    return status;
}

static BrumeStatus check_steps(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    const BrumeSimDef *const sim = &parsed->scene.sim;
    if (sim->min_steps <= sim->max_steps) {
        return BRUME_OK;
    }
    const BrumeYamlNode *const solver = brume_yaml_get(root, "solver");
    const BrumeYamlNode *const min_steps = brume_yaml_get(solver, "min_steps");
    return brume_yaml_fail(min_steps ? min_steps : solver, error,
                           "'min_steps' in 'solver' is %d, but must be at most 'max_steps', which is %d",
                           sim->min_steps, sim->max_steps);
}

BrumeStatus brume_check_pressure(const BrumeSimDef *sim, const BrumeYamlNode *root, BrumeError *error)
{
    const char *const unmet = brume_pressure_unmet_need(sim->pressure, brume_has_bodies(sim), brume_all_periodic(sim));
    if (!unmet) {
        return BRUME_OK;
    }
    const BrumeYamlNode *const pressure = brume_yaml_get(brume_yaml_get(root, "solver"), "pressure");
    return brume_yaml_fail(pressure ? pressure : root, error,
                           "'pressure' in 'solver' is '%s', which %s; 'auto' selects a solver that fits", sim->pressure,
                           unmet);
}

BrumeStatus brume_check_used_keys(const BrumeSimDef *sim, const BrumeYamlNode *map, int selector, int last,
                                  BrumeError *error)
{
    const BrumeSetting *const kind = &brume_sim_setting_table[selector];
    for (int n = selector + 1; map && n <= last; n++) {
        const BrumeSetting *const setting = &brume_sim_setting_table[n];
        const BrumeYamlNode *const node = brume_yaml_get(map, brume_setting_name(setting));
        if (node && !brume_setting_is_used(setting, sim)) {
            return brume_yaml_fail_key(node, error, "'%s' has no effect on the '%s' '%s' of '%s'",
                                       brume_setting_name(setting), brume_setting_name(kind),
                                       brume_setting_word(kind, *(const int *)((const char *)sim + kind->offset)),
                                       map->key);
        }
    }
    return BRUME_OK;
}

/** An axis of one cell is along y or z, only one, and periodic. */
static BrumeStatus check_thin_axis(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    const BrumeYamlNode *const resolution = brume_yaml_get(brume_yaml_get(root, "solver"), "resolution");
    BrumeError found;
    return brume_sim_check_thin_axis(&parsed->scene.sim, &found) == BRUME_OK
               ? BRUME_OK
               : brume_yaml_fail(resolution ? resolution : root, error, "%s", found.text);
}

static BrumeStatus check_integrator(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    const BrumeYamlNode *const solver = brume_yaml_get(root, "solver");
    const BrumeYamlNode *const integrator = brume_yaml_get(solver, "integrator");
    BrumeError found;
    return brume_sim_check_integrator(&parsed->scene.sim, &found) == BRUME_OK
               ? BRUME_OK
               : brume_yaml_fail(integrator ? integrator : solver, error, "%s", found.text);
}

static BrumeStatus check_settings(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    BrumeStatus status = brume_check_bodies(&parsed->scene.sim, root, error);
    if (status == BRUME_OK) {
        status = brume_check_pressure(&parsed->scene.sim, root, error);
    }
    return status == BRUME_OK ? check_integrator(parsed, root, error) : status;
}

/** A catcher of shadows needs a picture without sky; where the sky is chosen instead, it has no effect. */
static BrumeStatus resolve_background(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    const BrumeYamlNode *const ground = brume_yaml_get(brume_yaml_get(root, "render"), "ground");
    const BrumeYamlNode *const catcher = brume_yaml_get(ground, "catcher");
    BrumeRenderSettings *const look = &parsed->scene.render_settings;
    if (look->ground_catcher && !brume_yaml_get(brume_yaml_get(root, "image"), "background")) {
        return brume_yaml_fail_key(catcher, error,
                                   "'catcher' in 'ground' has no effect without 'background: transparent' in 'image'");
    }
    if (look->ground_catcher && !look->ground) {
        return brume_yaml_fail_key(catcher, error, "'catcher' in 'ground' has no effect without 'visible: true'");
    }
    look->ground_catcher = look->ground_catcher && parsed->scene.transparent;
    return BRUME_OK;
}

/** Keys of the path tracer need it; where the ray marcher is chosen instead, they have no effect. */
static BrumeStatus resolve_image(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    static const int path_settings[] = {BRUME_SCENE_NOISE, BRUME_SCENE_DENOISE, BRUME_SCENE_BOUNCES};
    const BrumeYamlNode *const image = brume_yaml_get(root, "image");
    BrumeScene *const scene = &parsed->scene;
    for (size_t n = 0; n < sizeof path_settings / sizeof path_settings[0]; n++) {
        const BrumeSetting *const setting = &brume_scene_setting_table[path_settings[n]];
        const BrumeYamlNode *const value = brume_yaml_get(image, brume_setting_name(setting));
        if (value && !brume_yaml_get(image, "integrator")) {
            return brume_yaml_fail_key(value, error, "'%s' in 'image' has no effect without 'integrator: path'",
                                       brume_setting_name(setting));
        }
    }
    if (scene->integrator == BRUME_INTEGRATOR_MARCH) {
        scene->noise = (float)brume_scene_setting_table[BRUME_SCENE_NOISE].defaults[0];
        scene->denoise = false;
        scene->bounces = (int)brume_scene_setting_table[BRUME_SCENE_BOUNCES].defaults[0];
    }
    if (scene->samples == 0) { // absent
        scene->samples = brume_default_samples(scene->integrator);
    }
    return BRUME_OK;
}

/** Keys of a phase function need its kind. */
static BrumeStatus resolve_phase(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    static const struct {
        const char *key, *word;
    } parts[] = {{"lobes", "two_lobes"}, {"droplet_diameter", "droplets"}};
    const BrumeYamlNode *const render = brume_yaml_get(root, "render");
    for (size_t n = 0; n < sizeof parts / sizeof parts[0] && !brume_yaml_get(render, "phase"); n++) {
        const BrumeYamlNode *const value = brume_yaml_get(render, parts[n].key);
        if (value) {
            return brume_yaml_fail_key(value, error, "'%s' in 'render' has no effect without 'phase: %s'", parts[n].key,
                                       parts[n].word);
        }
    }
    brume_reset_unused_phase(&parsed->scene.render_settings);
    return BRUME_OK;
}

/** Detail needs a factor, and follows the flow only with texture coordinates. */
static BrumeStatus resolve_detail(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    static const char *const keys[] = {"strength", "scale"};
    BrumeScene *const scene = &parsed->scene;
    const BrumeYamlNode *const detail = brume_yaml_get(brume_yaml_get(root, "render"), "detail");
    const bool is_on = scene->render_settings.detail.factor > 1;
    (void)error;
    for (size_t n = 0; n < sizeof keys / sizeof keys[0] && detail && !brume_yaml_get(detail, "factor"); n++) {
        const BrumeYamlNode *const value = brume_yaml_get(detail, keys[n]);
        if (value) {
            brume_scene_warn(scene, value, "'%s' in 'detail' has no effect without 'factor'", keys[n]);
        }
    }
    const bool moves = scene->render_settings.detail.strength > 0.0f; // otherwise it only interpolates
    if (is_on && moves && !(scene->sim.texture_period > 0.0f)) {
        brume_scene_warn(scene, detail,
                         "'detail' stays in place while the smoke moves: 'texture_period' in 'solver' lets it follow");
    }
    return BRUME_OK;
}

/** A rake needs both ends. */
static BrumeStatus check_rakes(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    const BrumeYamlNode *const list = brume_yaml_get(brume_yaml_get(root, "render"), "streamlines");
    (void)parsed;
    for (const BrumeYamlNode *item = list ? list->first : NULL; item; item = item->next) {
        if (!brume_yaml_get(item, "from") || !brume_yaml_get(item, "to")) {
            return brume_yaml_fail(item, error,
                                   "this 'streamlines' needs '%s', an end of the line that they start from",
                                   brume_yaml_get(item, "from") ? "to" : "from");
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_resolve_settings(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    static const ResolveStep steps[] = {
        check_steps,         brume_resolve_box,      brume_resolve_boundaries,
        check_thin_axis,     brume_resolve_emitters, brume_resolve_initial,
        brume_resolve_fire,  brume_resolve_vapor,    brume_resolve_particles,
        brume_resolve_smoke,
    };
    return run_steps(steps, sizeof steps / sizeof steps[0], parsed, root, error);
}

BrumeStatus brume_resolve_scene(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    static const ResolveStep steps[] = {
        brume_resolve_settings, brume_resolve_bodies, brume_resolve_textures,  check_settings,
        brume_resolve_lights,   brume_resolve_sky,    brume_resolve_ground,    brume_resolve_camera,
        brume_resolve_probes,   resolve_image,        resolve_phase,           brume_resolve_curves,
        resolve_background,     resolve_detail,       brume_resolve_animation, check_rakes,
    };
    return run_steps(steps, sizeof steps / sizeof steps[0], parsed, root, error);
}
