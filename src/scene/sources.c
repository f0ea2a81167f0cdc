/*
 * Emitters, obstacles and the kinds of smoke that they bring into play.
 */
#include "scene/draft.h"

#include <string.h>

static const char *const smoke_names[BRUME_SMOKE_KINDS] = {"density", "color_1", "color_2", "color_3"};
static const char *const rate_names[BRUME_SMOKE_KINDS] = {"density_rate", "color_1_rate", "color_2_rate",
                                                          "color_3_rate"};

/** Whether a quantity is set or fed at a rate; both is a contradiction. */
static BrumeStatus pick_mode(const BrumeYamlNode *map, const char *set, const char *rate, BrumeSourceMode *mode,
                             BrumeError *error)
{
    const BrumeYamlNode *const fed = brume_yaml_get(map, rate);
    const bool is_set = brume_yaml_get(map, set) != NULL;
    *mode = is_set ? BRUME_SOURCE_SET : fed ? BRUME_SOURCE_RATE : BRUME_SOURCE_NONE;
    return is_set && fed ? brume_yaml_fail_key(fed, error, "'%s' and '%s' exclude each other", rate, set) : BRUME_OK;
}

static BrumeStatus finish_source(const BrumeYamlNode *map, const char *set, const char *rate, float set_value,
                                 float rate_value, BrumeSource *source, BrumeError *error)
{
    const BrumeStatus status = pick_mode(map, set, rate, &source->mode, error);
    source->value = source->mode == BRUME_SOURCE_SET    ? set_value
                    : source->mode == BRUME_SOURCE_RATE ? rate_value
                                                        : 0.0f;
    return status;
}

static bool gives_nothing(const BrumeEmitterDef *def)
{
    bool nothing = def->temperature.mode == BRUME_SOURCE_NONE && def->velocity.mode == BRUME_SOURCE_NONE;
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        nothing = nothing && def->smoke[kind].mode == BRUME_SOURCE_NONE;
    }
    return nothing;
}

static BrumeStatus finish_emitter(const BrumeEmitterDraft *emitter, const BrumeYamlNode *map, const BrumeSimDef *sim,
                                  BrumeEmitterDef *def, BrumeError *error)
{
    *def = emitter->def;
    BrumeStatus status = brume_finish_shape(&emitter->shape, map, "emitter", sim, &def->shape, error);
    if (status != BRUME_OK) {
        return status;
    }
    if (def->end <= def->start) {
        return brume_yaml_fail_key(brume_yaml_get(map, "end"), error,
                                   "this 'emitter' ends at %.4g s, but starts only at %.4g s", (double)def->end,
                                   (double)def->start);
    }
    for (int kind = 0; kind < BRUME_SMOKE_KINDS && status == BRUME_OK; kind++) {
        status = finish_source(map, smoke_names[kind], rate_names[kind], emitter->smoke[kind],
                               emitter->smoke_rate[kind], &def->smoke[kind], error);
    }
    if (status == BRUME_OK) {
        status = finish_source(map, "temperature", "temperature_rate", emitter->temperature, emitter->temperature_rate,
                               &def->temperature, error);
    }
    if (status == BRUME_OK) {
        status = pick_mode(map, "velocity", "acceleration", &def->velocity.mode, error);
        def->velocity.value = def->velocity.mode == BRUME_SOURCE_SET ? emitter->velocity : emitter->acceleration;
    }
    if (status == BRUME_OK && gives_nothing(def)) {
        return brume_yaml_fail(map, error,
                               "this 'emitter' gives nothing; it needs one of density, color_1 to color_3, "
                               "temperature, velocity, a rate of these, or acceleration");
    }
    return status;
}

BrumeStatus brume_finish_emitters(BrumeSceneDraft *draft, const BrumeYamlNode *root, BrumeError *error)
{
    BrumeSimDef *const sim = &draft->scene.sim;
    const BrumeYamlNode *const list = brume_yaml_get(root, "emitters");
    const BrumeYamlNode *item = list ? list->first : NULL;
    sim->emitter_count = draft->emitter_count;
    for (int i = 0; i < draft->emitter_count && item; i++, item = item->next) {
        const BrumeStatus status = finish_emitter(&draft->emitters[i], item, sim, &sim->emitters[i], error);
        if (status != BRUME_OK) {
            return status;
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_finish_obstacles(BrumeSceneDraft *draft, const BrumeYamlNode *root, BrumeError *error)
{
    BrumeSimDef *const sim = &draft->scene.sim;
    BrumeRenderSettings *const look = &draft->scene.look;
    const BrumeYamlNode *const list = brume_yaml_get(root, "obstacles");
    const BrumeYamlNode *item = list ? list->first : NULL;
    sim->obstacle_count = draft->obstacle_count;
    for (int i = 0; i < draft->obstacle_count && item; i++, item = item->next) {
        const BrumeObstacleDraft *const obstacle = &draft->obstacles[i];
        BrumeShape *const shape = &sim->obstacles[i].shape;
        const BrumeStatus status = brume_finish_shape(&obstacle->shape, item, "obstacle", sim, shape, error);
        if (status != BRUME_OK) {
            return status;
        }
        draft->scene.surface_of[i] = obstacle->visible ? look->surface_count : -1;
        if (obstacle->visible) {
            look->surfaces[look->surface_count++] = (BrumeSurface){*shape, obstacle->albedo};
        }
    }
    return BRUME_OK;
}

int brume_stroked_colors(const BrumeYamlNode *root)
{
    const BrumeYamlNode *const list = brume_yaml_get(root, "timeline");
    int colors = 0;
    for (const BrumeYamlNode *change = list ? list->first : NULL; change; change = change->next) {
        const BrumeYamlNode *const strokes = brume_yaml_get(change, "strokes");
        for (const BrumeYamlNode *stroke = strokes ? strokes->first : NULL; stroke; stroke = stroke->next) {
            for (int kind = colors + 1; kind < BRUME_SMOKE_KINDS; kind++) {
                colors = brume_yaml_get(stroke, smoke_names[kind]) ? kind : colors;
            }
        }
    }
    return colors;
}

bool brume_is_brought(const BrumeSimDef *sim, int kind)
{
    bool brought = false;
    for (int i = 0; i < sim->emitter_count; i++) {
        brought = brought || sim->emitters[i].smoke[kind].mode != BRUME_SOURCE_NONE;
    }
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        brought = brought || (sim->faces[face].kind == BRUME_INFLOW && sim->faces[face].smoke[kind] > 0.0f);
    }
    return brought;
}

BrumeStatus brume_finish_smoke(BrumeSceneDraft *draft, const BrumeYamlNode *root, BrumeError *error)
{
    (void)error;
    BrumeSimDef *const sim = &draft->scene.sim;
    sim->color_count = draft->least_colors;
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        sim->smoke[kind] = draft->smoke[kind].flow;
        draft->scene.look.smoke[kind] = draft->smoke[kind].look;
        if (brume_yaml_get(brume_yaml_get(root, "smoke"), smoke_names[kind]) || brume_is_brought(sim, kind)) {
            sim->color_count = kind > sim->color_count ? kind : sim->color_count;
        }
    }
    return BRUME_OK;
}
