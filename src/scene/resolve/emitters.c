/*
 * Emitters, bodies, and the kinds of smoke that are in use.
 */
#include "scene/format/derived.h"
#include "scene/format/settings.h"
#include "scene/resolve/resolve.h"
#include "scene/resolve/volume_files.h"
#include "sim/settings/settings.h"

#include <string.h>

static const char *const rate_names[BRUME_SMOKE_KINDS] = {"density_rate", "color_1_rate", "color_2_rate",
                                                          "color_3_rate"};

/** The mode of a source, from which of the keys of its value, which may be NULL, and its rate is present; both exclude
 * each other. */
static BrumeStatus find_mode(const BrumeYamlNode *map, const char *set, const char *rate, BrumeSourceMode *mode,
                             BrumeError *error)
{
    const BrumeYamlNode *const rate_node = brume_yaml_get(map, rate);
    const bool is_set = set && brume_yaml_get(map, set) != NULL;
    *mode = is_set ? BRUME_SOURCE_SET : rate_node ? BRUME_SOURCE_RATE : BRUME_SOURCE_NONE;
    return is_set && rate_node ? brume_yaml_fail_key(rate_node, error, "'%s' and '%s' exclude each other", rate, set)
                               : BRUME_OK;
}

static BrumeStatus resolve_source(const BrumeYamlNode *map, const char *set, const char *rate, BrumeSource *source,
                                  BrumeError *error)
{
    const BrumeStatus status = find_mode(map, set, rate, &source->mode, error);
    source->value = source->mode == BRUME_SOURCE_NONE ? 0.0f : source->value;
    return status;
}

/** Checks that an emitter with the shape of a body has no key of another shape. */
static BrumeStatus check_no_shape(const BrumeYamlNode *map, BrumeError *error)
{
    static const BrumeSetting *const tables[] = {brume_shape_setting_table, brume_scene_shape_setting_table,
                                                 brume_scene_volume_setting_table, brume_scene_mesh_setting_table};
    static const int counts[] = {BRUME_SHAPE_SETTING_COUNT, BRUME_SCENE_SHAPE_SETTING_COUNT,
                                 BRUME_SCENE_VOLUME_SETTING_COUNT, BRUME_SCENE_MESH_SETTING_COUNT};
    for (size_t table = 0; table < sizeof counts / sizeof counts[0]; table++) {
        for (int n = 0; n < counts[table]; n++) {
            const char *const name = brume_setting_name(&tables[table][n]);
            const BrumeYamlNode *const node = brume_yaml_get(map, name);
            if (node) {
                return brume_yaml_fail_key(
                    node, error, "'%s' has no effect on an 'emitter' with a 'body', whose shape it has", name);
            }
        }
    }
    return BRUME_OK;
}

/** The shape of an emitter, or the body that has it; bodies are parsed, but not resolved. */
static BrumeStatus resolve_emitter_shape(const BrumeParsedScene *parsed, const BrumeParsedEmitter *emitter,
                                         const BrumeYamlNode *map, BrumeEmitterDef *def, BrumeError *error)
{
    BrumeStatus status = brume_resolve_body_reference(parsed, emitter->body, map, "body", &def->body, error);
    if (status == BRUME_OK && def->body > 0) {
        status = check_no_shape(map, error);
        def->shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE};
    } else if (status == BRUME_OK) {
        status = brume_resolve_shape(&emitter->shape, map, "emitter", false, &parsed->scene.sim, parsed->files,
                                     &def->shape, error);
    }
    return status == BRUME_OK
               ? brume_resolve_body_reference(parsed, emitter->shape.parent, map, "parent", &def->parent, error)
               : status;
}

/** Checks that a force has the keys of its kind alone, and reads the velocity of a flow. */
static BrumeStatus resolve_force(const BrumeParsedScene *parsed, const BrumeParsedVolume *flow,
                                 const BrumeYamlNode *map, BrumeEmitterDef *def, BrumeError *error)
{
    BrumeForceDef *const force = &def->force;
    const BrumeSetting *const table = brume_emitter_setting_table;
    const BrumeYamlNode *const kind = brume_yaml_get(map, "kind");
    const char *const word = brume_force_name(force->kind);
    if (!kind) {
        return brume_yaml_fail(map, error, "this 'force' needs a 'kind', such as wind, turbulence or attraction");
    }
    for (int n = BRUME_EMITTER_FORCE_KIND + 1; n < BRUME_EMITTER_SETTING_COUNT; n++) {
        const BrumeYamlNode *const node = brume_yaml_get(map, brume_setting_name(&table[n]));
        if (node && !brume_setting_is_used(&table[n], def)) {
            return brume_yaml_fail_key(node, error, "'%s' has no effect on a 'force' of the kind '%s'",
                                       brume_setting_name(&table[n]), word);
        }
    }
    const bool is_flow = force->kind == BRUME_FORCE_FLOW;
    const BrumeYamlNode *const file = brume_yaml_get(map, "file");
    if (is_flow != (file != NULL)) {
        return brume_yaml_fail(file ? file : map, error,
                               is_flow ? "a 'force' of the kind 'flow' needs the 'file' of a volume"
                                       : "'file' has no effect on a 'force' of the kind '%s'",
                               word);
    }
    const BrumeVolumeRequest request = {
        .volume = flow, .map = map, .default_grid = "velocity", .count = 3, .may_vary = true};
    return is_flow ? brume_volume_files_get(parsed->files, &request, force->samples, error) : BRUME_OK;
}

static BrumeStatus resolve_emitter(const BrumeParsedScene *parsed, const BrumeParsedEmitter *emitter,
                                   const BrumeYamlNode *map, BrumeEmitterDef *def, BrumeError *error)
{
    *def = emitter->def;
    BrumeStatus status = resolve_emitter_shape(parsed, emitter, map, def, error);
    if (status != BRUME_OK) {
        return status;
    }
    if (def->shape.kind == BRUME_SHAPE_VOLUME && !(def->shape.threshold > 0.0f)) {
        return brume_yaml_fail(brume_yaml_get(map, "threshold"), error,
                               "'threshold' in 'emitter' is %g, but must be above 0", (double)def->shape.threshold);
    }
    if (def->shape.kind == BRUME_SHAPE_VOLUME && def->softness > 0.0f) {
        return brume_yaml_fail_key(brume_yaml_get(map, "softness"), error,
                                   "'softness' has no effect on an emitter from a volume, whose values are its edge");
    }
    if (def->end <= def->start) {
        return brume_yaml_fail_key(brume_yaml_get(map, "end"), error,
                                   "this 'emitter' ends at %.4g s, before it starts at %.4g s", (double)def->end,
                                   (double)def->start);
    }
    for (int kind = 0; kind < BRUME_SMOKE_KINDS && status == BRUME_OK; kind++) {
        status = resolve_source(map, brume_smoke_key_names[kind], rate_names[kind], &def->smoke[kind], error);
    }
    if (status == BRUME_OK) {
        status = resolve_source(map, "temperature", "temperature_rate", &def->temperature, error);
    }
    if (status == BRUME_OK) {
        status = resolve_source(map, "fuel", "fuel_rate", &def->fuel, error);
    }
    if (status == BRUME_OK) {
        status = resolve_source(map, NULL, "power", &def->power, error);
    }
    if (status == BRUME_OK) {
        status = find_mode(map, "velocity", "acceleration", &def->velocity.mode, error);
        const bool adds = def->source_velocity != 0.0f || def->normal_velocity != 0.0f;
        if (adds && def->velocity.mode == BRUME_SOURCE_NONE) {
            def->velocity = (BrumeVectorSource){.mode = BRUME_SOURCE_SET};
        }
    }
    if (status == BRUME_OK && def->from != BRUME_EMIT_VOLUME && !brume_yaml_get(map, "thickness")) {
        return brume_yaml_fail(map, error, "this 'emitter' emits from its %s, so it needs a 'thickness'",
                               def->from == BRUME_EMIT_SURFACE ? "surface" : "vertices");
    }
    if (status == BRUME_OK && def->from == BRUME_EMIT_VOLUME && brume_yaml_get(map, "thickness")) {
        return brume_yaml_fail_key(brume_yaml_get(map, "thickness"), error,
                                   "'thickness' has no effect without 'emit_from: surface' or 'vertices'");
    }
    const BrumeYamlNode *const force = brume_yaml_get(map, "force");
    if (status == BRUME_OK && force) {
        status = resolve_force(parsed, &emitter->flow, force, def, error);
    }
    if (status == BRUME_OK && !brume_emitter_has_source(def)) {
        return brume_yaml_fail(map, error,
                               "this 'emitter' has no source; it needs one of density, color_1 to color_3, "
                               "temperature, fuel, velocity, a rate of these, power, acceleration, dust, embers, "
                               "leaves, flakes, or force");
    }
    return status;
}

BrumeStatus brume_resolve_emitters(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    BrumeSimDef *const sim = &parsed->scene.sim;
    const BrumeYamlNode *const list = brume_yaml_get(root, "emitters");
    const BrumeYamlNode *item = list ? list->first : NULL;
    sim->emitter_count = parsed->emitter_count;
    for (int i = 0; i < parsed->emitter_count && item; i++, item = item->next) {
        const BrumeStatus status = resolve_emitter(parsed, &parsed->emitters[i], item, &sim->emitters[i], error);
        if (status != BRUME_OK) {
            return status;
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_resolve_bodies(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    BrumeSimDef *const sim = &parsed->scene.sim;
    BrumeRenderSettings *const render = &parsed->scene.render_settings;
    const BrumeYamlNode *const list = brume_yaml_get(root, "bodies");
    const BrumeYamlNode *item = list ? list->first : NULL;
    sim->body_count = parsed->body_count;
    for (int i = 0; i < parsed->body_count && item; i++, item = item->next) {
        const BrumeParsedBody *const body = &parsed->bodies[i];
        BrumeShape *const shape = &sim->bodies[i].shape;
        const BrumeStatus status =
            brume_resolve_shape(&body->shape, item, "body", body->visible, sim, parsed->files, shape, error);
        if (status != BRUME_OK) {
            return status;
        }
        const BrumeShape resolved = *shape;
        sim->bodies[i] = body->def;
        sim->bodies[i].shape = resolved;
        sim->bodies[i].fixed_temperature = brume_yaml_get(item, "temperature") != NULL;
        sim->bodies[i].passable = !body->collide;
        sim->bodies[i].disabled = !body->enabled;
        parsed->scene.surface_of[i] = i;
        render->surfaces[render->surface_count++] = (BrumeSurface){.albedo = body->albedo};
        render->hidden_surfaces |= (uint64_t)!body->visible << i;
    }
    const BrumeYamlNode *const emitters = brume_yaml_get(root, "emitters");
    item = emitters ? emitters->first : NULL;
    for (int i = 0; i < sim->emitter_count && item; i++, item = item->next) {
        const char *const fault = brume_emitter_fault(&sim->emitters[i], sim->bodies);
        if (fault) {
            return brume_yaml_fail(item, error, "%s in this 'emitter'", fault);
        }
    }
    const BrumeStatus status = brume_resolve_parents(parsed, root, error);
    for (int i = 0; i < sim->body_count && status == BRUME_OK; i++) {
        render->surfaces[i].shape = brume_surface_is_hidden(render, i) ? (BrumeShape){0} : brume_body_shape(sim, i);
    }
    return status;
}

BrumeStatus brume_check_bodies(const BrumeSimDef *sim, const BrumeYamlNode *root, BrumeError *error)
{
    const BrumeYamlNode *const list = brume_yaml_get(root, "bodies");
    for (const BrumeYamlNode *item = list ? list->first : NULL; item; item = item->next) {
        const BrumeYamlNode *const temperature = brume_yaml_get(item, "temperature");
        if (temperature && !(sim->thermal_diffusivity > 0.0f)) {
            return brume_yaml_fail_key(temperature, error,
                                       "the 'temperature' of a 'body' has no effect without a "
                                       "'thermal_diffusivity' above 0 in 'air'");
        }
        const BrumeYamlNode *const flux = brume_yaml_get(item, "heat_flux");
        if (temperature && flux) {
            return brume_yaml_fail_key(flux, error, "a 'body' has either a 'temperature' or a 'heat_flux'");
        }
    }
    return BRUME_OK;
}

// warns of the keys that particles of this shape do not use
static void warn_of_unused(BrumeScene *scene, const BrumeYamlNode *map, const BrumeParticleDef *def)
{
    for (int n = 0; n < BRUME_PARTICLE_SETTING_COUNT; n++) {
        const BrumeSetting *setting = &brume_particle_setting_table[n];
        const BrumeYamlNode *node = brume_yaml_get(map, brume_setting_name(setting));
        if (node && !brume_setting_is_used(setting, def)) {
            brume_scene_warn(scene, node, "'%s' of '%s' has no effect: they have the 'shape' '%s'",
                             brume_setting_name(setting), map->key,
                             brume_setting_word(&brume_particle_setting_table[BRUME_PARTICLE_SHAPE], (int)def->shape));
        }
    }
}

BrumeStatus brume_resolve_particles(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    (void)error;
    const BrumeYamlNode *particles = brume_yaml_get(root, "particles");
    for (int kind = 0; kind < BRUME_PARTICLE_KINDS; kind++) {
        warn_of_unused(&parsed->scene, brume_yaml_get(particles, brume_particle_kind_name((BrumeParticleKind)kind)),
                       &parsed->particles[kind].flow);
        parsed->scene.sim.particles[kind] = parsed->particles[kind].flow;
        parsed->scene.render_settings.particles[kind] = parsed->particles[kind].look;
    }
    return BRUME_OK;
}

BrumeStatus brume_resolve_smoke(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    (void)error;
    BrumeSimDef *const sim = &parsed->scene.sim;
    sim->color_count = parsed->min_color_count;
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        sim->smoke[kind] = parsed->smoke[kind].flow;
        parsed->scene.render_settings.smoke[kind] = parsed->smoke[kind].medium;
        if (brume_yaml_get(brume_yaml_get(root, "smoke"), brume_smoke_key_names[kind]) ||
            brume_emits_smoke(sim, kind)) {
            sim->color_count = kind > sim->color_count ? kind : sim->color_count;
        }
    }
    return BRUME_OK;
}
