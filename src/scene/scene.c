#include "brume/scene.h"
#include "core/error.h"
#include "scene/draft.h"
#include "scene/schema.h"
#include "yaml/yaml.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** A title from the name of the file: without folder and extension. */
static void name_after_file(BrumeScene *scene, const char *path)
{
    const char *const slash = strrchr(path, '/');
    const char *const base = slash ? slash + 1 : path;
    const char *const dot = strrchr(base, '.');
    const int size = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
    (void)snprintf(scene->name, sizeof scene->name, "%.*s", size, base);
}

static BrumeStatus check_steps(BrumeSceneDraft *draft, const BrumeYamlNode *root, BrumeError *error)
{
    const BrumeSimDef *const sim = &draft->scene.sim;
    if (sim->min_steps <= sim->max_steps) {
        return BRUME_OK;
    }
    const BrumeYamlNode *const solver = brume_yaml_get(root, "solver");
    const BrumeYamlNode *const least = brume_yaml_get(solver, "min_steps");
    return brume_yaml_fail(least ? least : solver, error,
                           "'min_steps' in 'solver' is %d, but must be at most 'max_steps', which is %d",
                           sim->min_steps, sim->max_steps);
}

BrumeStatus brume_check_solver(const BrumeSimDef *sim, const BrumeYamlNode *root, BrumeError *error)
{
    const char *const misfit =
        brume_pressure_unmet_need(sim->pressure, sim->obstacle_count > 0, brume_all_periodic(sim));
    if (!misfit) {
        return BRUME_OK;
    }
    const BrumeYamlNode *const pressure = brume_yaml_get(brume_yaml_get(root, "solver"), "pressure");
    return brume_yaml_fail(pressure ? pressure : root, error,
                           "'pressure' in 'solver' is '%s', which %s; 'auto' picks a solver that fits", sim->pressure,
                           misfit);
}

static BrumeStatus check_solver(BrumeSceneDraft *draft, const BrumeYamlNode *root, BrumeError *error)
{
    return brume_check_solver(&draft->scene.sim, root, error);
}

typedef BrumeStatus (*Step)(BrumeSceneDraft *draft, const BrumeYamlNode *root, BrumeError *error);

static BrumeStatus take_steps(const Step *steps, int count, BrumeSceneDraft *draft, const BrumeYamlNode *root,
                              BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int i = 0; i < count && status == BRUME_OK; i++) {
        status = steps[i](draft, root, error);
    }
    return status;
}

BrumeStatus brume_finish_settings(BrumeSceneDraft *draft, const BrumeYamlNode *root, BrumeError *error)
{
    static const Step steps[] = {
        check_steps, brume_finish_box, brume_finish_boundaries, brume_finish_emitters, brume_finish_smoke,
    };
    return take_steps(steps, sizeof steps / sizeof steps[0], draft, root, error);
}

static BrumeStatus finish(BrumeSceneDraft *draft, BrumeYamlNode *root, BrumeError *error)
{
    static const Step steps[] = {
        brume_finish_settings, brume_finish_obstacles, check_solver, brume_finish_lights, brume_finish_camera,
    };
    draft->least_colors = brume_stroked_colors(root);
    draft->scene.look.tone = (BrumeToneCurve)draft->tone;
    const BrumeStatus status = take_steps(steps, sizeof steps / sizeof steps[0], draft, root, error);
    return status == BRUME_OK ? brume_finish_timeline(draft, root, error) : status;
}

static BrumeStatus load(BrumeScene **scene, const char *path, const char *const *overrides, int count,
                        BrumeError *error)
{
    BrumeYamlNode *root = NULL;
    BrumeSceneDraft *draft = NULL;
    BrumeStatus status = brume_yaml_read(&root, path, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    if (root->kind != BRUME_YAML_MAP) {
        status = brume_yaml_fail(root, error, "a scene is a map of sections such as 'domain:' and 'emitters:'");
        goto cleanup;
    }
    for (int i = 0; i < count; i++) {
        status = brume_yaml_override(root, overrides[i], error);
        if (status != BRUME_OK) {
            goto cleanup;
        }
    }
    draft = malloc(sizeof *draft);
    *scene = malloc(sizeof **scene);
    if (!draft || !*scene) {
        status = brume_fail(error, BRUME_FAILED, "%s: out of memory", path);
        goto cleanup;
    }
    brume_draft_defaults(draft);
    name_after_file(&draft->scene, path);
    status = brume_section_read(&brume_scene_section, root, draft, error);
    if (status == BRUME_OK) {
        status = finish(draft, root, error);
    }
    **scene = draft->scene;
cleanup:
    if (status != BRUME_OK) {
        free(*scene);
        *scene = NULL;
    }
    free(draft);
    brume_yaml_free(root);
    return status;
}

BrumeStatus brume_scene_load(BrumeScene **scene, const char *path, const char *const *overrides, int count,
                             BrumeError *error)
{
    *scene = NULL;
    // a decimal point is a point, whatever language the program speaks
    const locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0) {
        return brume_fail(error, BRUME_FAILED, "%s: out of memory", path);
    }
    const locale_t before = uselocale(plain);
    const BrumeStatus status = load(scene, path, overrides, count, error);
    (void)uselocale(before);
    freelocale(plain);
    return status;
}

BrumeStatus brume_scene_frame(const BrumeScene *scene, BrumeSim *sim, BrumeFrameStats *stats, BrumeError *error)
{
    const BrumeChange *const change = brume_timeline_find(&scene->timeline, brume_sim_frames(sim));
    const BrumeStatus status = change ? brume_change_apply(change, sim, error) : BRUME_OK;
    return status == BRUME_OK ? brume_sim_frame(sim, stats, error) : status;
}

static int larger(int a, int b) { return a > b ? a : b; }

BrumeGrid brume_scene_largest_grid(const BrumeScene *scene)
{
    BrumeGrid grid = {scene->sim.nx, scene->sim.ny, scene->sim.nz};
    for (int n = 0; n < scene->timeline.count; n++) {
        const BrumeSimDef *const settings = scene->timeline.changes[n].settings;
        if (settings) {
            grid = (BrumeGrid){larger(grid.nx, settings->nx), larger(grid.ny, settings->ny),
                               larger(grid.nz, settings->nz)};
        }
    }
    return grid;
}

size_t brume_scene_bytes_needed(const BrumeScene *scene)
{
    size_t most = brume_sim_bytes_needed(&scene->sim);
    for (int n = 0; n < scene->timeline.count; n++) {
        const BrumeSimDef *const settings = scene->timeline.changes[n].settings;
        const size_t bytes = settings ? brume_sim_bytes_needed(settings) : 0;
        most = bytes > most ? bytes : most;
    }
    return most;
}

BrumeRenderSettings brume_scene_render_settings(const BrumeScene *scene, const BrumeSimDef *settings)
{
    BrumeRenderSettings look = scene->look;
    for (int n = 0; n < settings->obstacle_count && n < BRUME_MAX_OBSTACLES; n++) {
        if (scene->surface_of[n] >= 0) {
            look.surfaces[scene->surface_of[n]].shape = settings->obstacles[n].shape;
        }
    }
    return look;
}

void brume_scene_destroy(BrumeScene *scene)
{
    if (scene) {
        brume_timeline_clear(&scene->timeline);
    }
    free(scene);
}
