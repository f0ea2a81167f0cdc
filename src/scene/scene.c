#include "brume/scene.h"

#include "core/elementary.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/mesh.h"
#include "core/path.h"
#include "core/samples.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "scene/format/animated_bodies.h"
#include "scene/format/animation.h"
#include "scene/format/defaults.h"
#include "scene/format/derived.h"
#include "scene/format/schema.h"
#include "scene/keys/keys.h"
#include "scene/resolve/resolve.h"
#include "scene/resolve/volume_files.h"
#include "scene/timeline_reader.h"
#include "sim/far/window.h"
#include "sim/initial/initial_settings.h"
#include "sim/lifecycle/lifecycle.h"
#include "sim/settings/references.h"
#include "sim/settings/settings.h"
#include "yaml/yaml.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Sets the title to the name of a file, without folder and extension. */
static void set_default_name(BrumeScene *scene, const char *path)
{
    const char *const base = brume_path_name(path);
    const char *const dot = strrchr(base, '.');
    const int size = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
    (void)snprintf(scene->name, sizeof scene->name, "%.*s", size, base);
}

/** Where the text of a scene comes from. */
typedef struct SceneSource {
    const char *name; ///< in errors; the path where `text` is NULL
    const char *text;
    const char *const *overrides;
    int override_count;
    BrumeSceneFiles files;
    const BrumeSceneReaders *readers; ///< NULL: none
} SceneSource;

/** The tree of the file with the overrides applied; `*root` is NULL after a failure. */
static BrumeStatus read_tree(BrumeYamlNode **root, const SceneSource *source, BrumeError *error)
{
    BrumeStatus status = source->text
                             ? brume_yaml_parse(root, source->name, true, source->text, strlen(source->text), error)
                             : brume_yaml_read(root, source->name, error);
    if (status == BRUME_OK && (*root)->kind != BRUME_YAML_MAP) {
        status = brume_yaml_fail(*root, error, "a scene is a map of sections such as 'domain:' and 'emitters:'");
    }
    for (int i = 0; i < source->override_count && status == BRUME_OK; i++) {
        status = brume_yaml_override(*root, source->overrides[i], error);
    }
    if (status != BRUME_OK) {
        brume_yaml_free(*root);
        *root = NULL;
    }
    return status;
}

/** Reads and resolves a tree into `parsed->scene`. */
static BrumeStatus read_scene(BrumeParsedScene *parsed, BrumeYamlNode *root, const char *name, BrumeVolumeFiles *files,
                              BrumeError *error)
{
    brume_parsed_scene_defaults(parsed);
    parsed->files = files;
    BrumeStatus status = brume_section_read(&brume_scene_section, root, parsed, error);
    if (parsed->scene.name[0] == '\0') {
        set_default_name(&parsed->scene, name);
    }
    files->fps = parsed->scene.sim.fps;
    files->first_frame = parsed->scene.first_frame;
    if (status == BRUME_OK) {
        parsed->min_color_count = brume_stroke_color_count(root);
        status = brume_resolve_scene(parsed, root, error);
    }
    if (status == BRUME_OK) {
        brume_warn_of_shapes(&parsed->scene, root); // the timeline changes the tree
    }
    return status == BRUME_OK ? brume_read_timeline(parsed, root, error) : status;
}

/** The images of sky and ground, and the textures. */
static void release_pictures(const BrumeScene *scene)
{
    free(scene->sky_radiance);
    free(scene->ground_image);
    for (int n = 0; n < BRUME_MAX_SURFACES; n++) {
        brume_texture_release(scene->textures[n]);
    }
}

static BrumeStatus make_scene(BrumeScene **scene, const SceneSource *source, BrumeError *error)
{
    BrumeYamlNode *root = NULL;
    BrumeStatus status = read_tree(&root, source, error);
    if (status != BRUME_OK) {
        return status;
    }
    BrumeParsedScene *const parsed = brume_alloc_untouched(1, sizeof *parsed);
    BrumeScene *created = brume_alloc_untouched(1, sizeof *created);
    if (!parsed || !created) {
        status = brume_out_of_memory(error, "%s", source->name);
        goto cleanup;
    }
    BrumeVolumeFiles files = {.scene_path = source->name, .which = source->files};
    if (source->readers) {
        files.readers = *source->readers;
    }
    status = read_scene(parsed, root, source->name, &files, error);
    if (status == BRUME_OK) {
        brume_settings_retain(&parsed->scene.sim);
        *created = parsed->scene;
        *scene = created;
        created = NULL;
    } else {
        release_pictures(&parsed->scene);
    }
    brume_volume_files_destroy(&files);
cleanup:
    brume_free(created);
    brume_free(parsed);
    brume_yaml_free(root);
    return status;
}

/** As make_scene, in the "C" locale: numbers have a decimal point in every locale. */
static BrumeStatus make_scene_in_c_locale(BrumeScene **scene, const SceneSource *source, BrumeError *error)
{
    *scene = NULL;
    const locale_t c_locale = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    if (c_locale == (locale_t)0) {
        return brume_out_of_memory(error, "%s", source->name);
    }
    const locale_t old_locale = uselocale(c_locale);
    const BrumeStatus status = make_scene(scene, source, error);
    (void)uselocale(old_locale);
    freelocale(c_locale);
    return status;
}

BrumeStatus brume_scene_load(BrumeScene **scene, const char *path, const char *const *overrides, int count,
                             const BrumeSceneReaders *readers, BrumeError *error)
{
    const SceneSource source = {.name = path, .overrides = overrides, .override_count = count, .readers = readers};
    return make_scene_in_c_locale(scene, &source, error);
}

BrumeStatus brume_scene_parse(BrumeScene **scene, const char *text, const char *name, const char *const *overrides,
                              int count, const BrumeSceneReaders *readers, BrumeError *error)
{
    return brume_scene_parse_written(scene, text, name, overrides, count, BRUME_SCENE_FILES_ALL, readers, error);
}

BrumeStatus brume_scene_parse_written(BrumeScene **scene, const char *text, const char *name,
                                      const char *const *overrides, int count, BrumeSceneFiles files,
                                      const BrumeSceneReaders *readers, BrumeError *error)
{
    const SceneSource source = {.name = name,
                                .text = text,
                                .overrides = overrides,
                                .override_count = count,
                                .files = files,
                                .readers = readers};
    return make_scene_in_c_locale(scene, &source, error);
}

// the change at the beginning of a frame, and what it refers to
typedef struct FrameChange {
    BrumeChange change;
    BrumeSimDef settings;
    BrumeMove moves[2 * BRUME_MAX_BODIES];
} FrameChange;

// The scheduled change after `frame` frames, at a `time` [s], with the moves of bodies that follow keys; `now` are the
// settings before it. Returns whether there is any.
static bool find_change(FrameChange *found, const BrumeScene *scene, const BrumeSimDef *now, int frame, double time)
{
    const BrumeChange *const scheduled = brume_timeline_find(&scene->timeline, frame);
    BrumeChange *change = &found->change;
    *change = scheduled ? *scheduled : (BrumeChange){.frame = frame};
    found->settings = change->settings ? *change->settings : *now;
    for (int n = 0; n < change->move_count; n++) {
        found->moves[n] = change->moves[n];
    }
    brume_move_animated_bodies(&scene->animation, time, now, &found->settings, change, found->moves);
    return scheduled || change->settings || change->move_count > 0;
}

void brume_scene_move_surfaces(const BrumeScene *scene, const BrumeSimDef *now, int frame, double time,
                               BrumeRenderSettings *render)
{
    FrameChange found;
    (void)find_change(&found, scene, now, frame, time);
    const float fps = now->fps;
    BrumeSimDef end = *now; // of the frame
    for (int n = 0; n < found.change.move_count; n++) {
        const BrumeMove *move = &found.change.moves[n];
        const int surface = scene->surface_of[move->body];
        if (surface >= 0) {
            render->surface_velocities[surface] = move->velocity;
            render->surface_rotation_rates[surface] = move->rotation_rate;
        }
        BrumeShape *shape = &end.bodies[move->body].shape;
        *shape = brume_shape_moved(shape, brume_scale(move->velocity, 1.0f / fps));
        shape->rotation = brume_add(shape->rotation, brume_scale(move->rotation_rate, 1.0f / fps));
    }
    for (int n = 0; n < now->body_count && found.change.move_count > 0; n++) { // those that follow others
        const int surface = scene->surface_of[n];
        if (surface >= 0 && now->bodies[n].parent > 0) {
            const BrumeShape from = brume_body_shape(now, n);
            const BrumeShape to = brume_body_shape(&end, n);
            const BrumeVec3 turn = brume_sub(brume_rotation_near(to.rotation, from.rotation), from.rotation);
            render->surface_velocities[surface] =
                brume_scale(brume_sub(brume_shape_pivot(&to), brume_shape_pivot(&from)), fps);
            render->surface_rotation_rates[surface] = brume_scale(turn, fps);
        }
    }
}

BrumeStatus brume_scene_frame(const BrumeScene *scene, BrumeSim *sim, BrumeFrameStats *stats, BrumeError *error)
{
    FrameChange found;
    const bool has_change =
        find_change(&found, scene, brume_sim_settings(sim), brume_sim_frames(sim), brume_sim_time(sim));
    BrumeStatus status = has_change ? brume_change_apply(&found.change, sim, error) : BRUME_OK;
    if (status == BRUME_OK) {
        brume_sim_animate(sim, &scene->animation);
        status = brume_sim_frame(sim, stats, error);
        brume_sim_animate(sim, NULL);
    }
    return status;
}

BrumeStatus brume_scene_restore_meshes(const BrumeScene *scene, BrumeSim *sim, BrumeError *error)
{
    BrumeStatus status = brume_sim_share_samples(sim, &scene->sim, error);
    for (int n = 0; n < scene->timeline.count && status == BRUME_OK; n++) {
        const BrumeSimDef *const settings = scene->timeline.changes[n].settings;
        status = settings ? brume_sim_share_samples(sim, settings, error) : status;
    }
    return status;
}

static int larger(int a, int b) { return a > b ? a : b; }

BrumeGrid brume_scene_largest_grid(const BrumeScene *scene)
{
    BrumeGrid grid = brume_first_grid(&scene->sim);
    for (int n = 0; n < scene->timeline.count; n++) {
        const BrumeSimDef *const settings = scene->timeline.changes[n].settings;
        if (settings) {
            const BrumeGrid next = brume_first_grid(settings);
            grid = brume_grid(larger(grid.nx, next.nx), larger(grid.ny, next.ny), larger(grid.nz, next.nz));
        }
    }
    return grid;
}

static bool any_above_0(const float rates[BRUME_PARTICLE_KINDS])
{
    bool found = false;
    for (int kind = 0; kind < BRUME_PARTICLE_KINDS; kind++) {
        found = found || rates[kind] > 0.0f;
    }
    return found;
}

bool brume_scene_has_particles(const BrumeScene *scene)
{
    const BrumeSetting *const births = &brume_emitter_setting_table[BRUME_EMITTER_DUST];
    bool found = false;
    for (int n = 0; n < scene->animation.count; n++) { // of births, which may be 0 at first
        BrumeAnimatedMember member;
        found = found || (brume_animated_find(scene->animation.values[n].path, &member) &&
                          member.owner == BRUME_ANIMATED_EMITTER && member.setting >= births &&
                          member.setting < births + BRUME_PARTICLE_KINDS);
    }
    for (int n = -1; n < scene->timeline.count; n++) {
        const BrumeSimDef *const settings = n < 0 ? &scene->sim : scene->timeline.changes[n].settings;
        for (int i = 0; settings && i < settings->initial_count; i++) {
            found = found || settings->initial[i].kind == BRUME_INITIAL_POINTS;
        }
        for (int e = 0; settings && e < settings->emitter_count; e++) {
            found = found || any_above_0(settings->emitters[e].particles);
        }
        const int strokes = n < 0 ? 0 : scene->timeline.changes[n].stroke_count;
        for (int s = 0; s < strokes; s++) {
            found = found || any_above_0(scene->timeline.changes[n].strokes[s].particles);
        }
    }
    return found;
}

static bool has_moves(const BrumeTimeline *timeline)
{
    bool found = false;
    for (int n = 0; n < timeline->count; n++) {
        found = found || timeline->changes[n].move_count > 0 || timeline->changes[n].placed != 0;
    }
    return found;
}

static bool has_deforming_bodies(const BrumeSimDef *def)
{
    bool found = false;
    for (int n = 0; n < def->body_count; n++) {
        found = found || brume_mesh_deforms(def->bodies[n].shape.mesh);
    }
    return found;
}

/** Bytes of the samples and the meshes of settings, each counted once; of one that deforms, also at both ends of a
 * step, of one that varies, also of two frames and of two times between them. */
static size_t shared_bytes(const BrumeSimDef *def)
{
    const BrumeSamples **samples[BRUME_MAX_SETTINGS_SAMPLES];
    const BrumeMesh **meshes[BRUME_MAX_SETTINGS_MESHES];
    const int sample_count = brume_settings_samples((BrumeSimDef *)def, samples); // only read
    const int mesh_count = brume_settings_meshes((BrumeSimDef *)def, meshes);
    const void *counted[BRUME_MAX_SETTINGS_SAMPLES + BRUME_MAX_SETTINGS_MESHES];
    size_t bytes = 0;
    for (int n = 0; n < sample_count + mesh_count; n++) {
        const int mesh = n - sample_count;
        counted[n] = mesh < 0 ? (const void *)*samples[n] : *meshes[mesh];
        bool is_first = counted[n] != NULL;
        for (int earlier = 0; earlier < n && is_first; earlier++) {
            is_first = counted[earlier] != counted[n];
        }
        if (is_first) {
            bytes += mesh < 0 ? brume_samples_bytes(*samples[n]) * (brume_samples_vary(*samples[n]) ? 5 : 1)
                              : brume_mesh_bytes(*meshes[mesh]) * (brume_mesh_deforms(*meshes[mesh]) ? 3 : 1);
        }
    }
    return bytes;
}

size_t brume_scene_bytes_needed(const BrumeScene *scene)
{
    const BrumeTimeline *const timeline = &scene->timeline;
    BrumeSimDef start = scene->sim;
    const bool moves = has_moves(timeline) || has_deforming_bodies(&scene->sim) ||
                       brume_animation_apply_bodies(&scene->animation, 0.0, &start) != 0;
    const BrumeSimDef *current = &scene->sim;
    size_t most = 0;
    for (int n = -1; n < timeline->count; n++) {
        const BrumeSimDef *const settings = n < 0 ? current : timeline->changes[n].settings;
        if (settings) {
            // a change to other fields builds a second simulation, and a step that moves bodies a second geometry
            const bool rebuilt = n >= 0 && !brume_same_fields(current, settings);
            const size_t bytes = brume_settings_bytes(settings) + shared_bytes(settings) +
                                 (rebuilt ? brume_settings_bytes(current) : 0) +
                                 (moves ? brume_geometry_bytes_needed(settings) : 0);
            most = bytes > most ? bytes : most;
            current = settings;
        }
    }
    return most;
}

BrumeRenderSettings brume_scene_render_settings(const BrumeScene *scene, const BrumeSimDef *settings)
{
    BrumeRenderSettings render = scene->render_settings;
    render.shutter = scene->shutter / settings->fps;
    brume_place_surfaces(&render, scene->surface_of, settings);
    return render;
}

void brume_place_surfaces(BrumeRenderSettings *render, const int surface_of[BRUME_MAX_BODIES],
                          const BrumeSimDef *settings)
{
    if (!(render->reference_speed > 0.0f)) {
        render->reference_speed = brume_length(brume_velocity_far_away(settings));
    }
    bool exists[BRUME_MAX_SURFACES] = {false};
    bool refers[BRUME_MAX_SURFACES] = {false};
    for (int n = 0; n < BRUME_MAX_BODIES; n++) {
        const int surface = surface_of[n];
        if (surface < 0 || surface >= render->surface_count) {
            continue;
        }
        refers[surface] = true;
        if (n < settings->body_count && !settings->bodies[n].disabled && !brume_surface_is_hidden(render, surface)) {
            render->surfaces[surface].shape = brume_body_shape(settings, n);
            exists[surface] = true;
        }
    }
    for (int surface = render->surface_count - 1; surface >= 0; surface--) {
        const BrumeVec3 place = render->surfaces[surface].shape.a;
        if (exists[surface] || !refers[surface]) {
            continue;
        }
        if (surface == render->surface_count - 1) {
            render->surface_count--;
        } else { // a point, which no ray hits
            render->surfaces[surface].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = place, .b = place};
        }
    }
}

BrumeRenderSettings brume_scene_render_settings_at(const BrumeScene *scene, const BrumeSimDef *settings, double time)
{
    BrumeRenderSettings render = brume_scene_render_settings(scene, settings);
    (void)brume_animation_apply_look(&scene->animation, time, scene->surface_of, &render);
    render.frame = (float)(time * (double)settings->fps);
    return render;
}

void brume_scene_destroy(BrumeScene *scene)
{
    if (scene) {
        brume_timeline_clear(&scene->timeline);
        brume_settings_release(&scene->sim);
        release_pictures(scene);
        brume_free(scene);
    }
}

const BrumeSimDef *brume_scene_sim_def(const BrumeScene *scene) { return &scene->sim; }

const BrumeRenderSettings *brume_scene_initial_render_settings(const BrumeScene *scene)
{
    return &scene->render_settings;
}

BrumeCamera brume_scene_camera(const BrumeScene *scene, double time)
{
    const BrumeCamera camera = brume_camera_at(scene->camera_keys, scene->camera_key_count, time);
    return scene->turntable != 0.0f ? brume_camera_turned(&camera, 6.283185307179586 * time / (double)scene->turntable)
                                    : camera;
}
