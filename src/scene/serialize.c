#include "scene/serialize.h"

#include "core/elementary.h"
#include "core/mesh.h"
#include "core/minmax.h"
#include "core/samples.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "raymarch/settings.h"
#include "scene/format/defaults.h"
#include "scene/format/derived.h"
#include "scene/format/settings.h"
#include "sim/initial/initial_settings.h"
#include "sim/settings/settings.h"
#include "yaml/numbers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/** The mark of an absent vector. */
static BrumeVec3 absent_vector(void) { return brume_vec3(NAN, NAN, NAN); }

static bool is_same_vector(BrumeVec3 a, BrumeVec3 b) { return memcmp(&a, &b, sizeof a) == 0; }

static bool is_same_number(float a, float b) { return memcmp(&a, &b, sizeof a) == 0; }

/** Marks a key as absent; words and whole numbers are left as they are. */
static void mark_absent(const BrumeSetting *setting, void *keys)
{
    static const double mark[3] = {(double)NAN, (double)NAN, (double)NAN};
    if (setting->type == BRUME_VALUE_FLOAT || setting->type == BRUME_VALUE_VECTOR ||
        setting->type == BRUME_VALUE_COLOR) {
        brume_setting_set_numbers(setting, (char *)keys + setting->offset, mark);
    }
}

/** Marks the settings `first` to `last` of a table as absent where they equal the ones of `defaults`. */
static void mark_equal(const BrumeSetting *table, int first, int last, void *keys, const void *defaults)
{
    for (int n = first; n <= last; n++) {
        if (brume_setting_equal(&table[n], keys, defaults)) {
            mark_absent(&table[n], keys);
        }
    }
}

static void serialize_box(BrumeParsedScene *parsed, const BrumeSimDef *sim, bool keep_origin)
{
    const int cells[3] = {sim->nx, sim->ny, sim->nz};
    const double lengths[3] = {sim->nx, sim->ny, sim->nz};
    const int longest = brume_largest_of(lengths);
    const bool thin = cells[0] == 1 || cells[1] == 1 || cells[2] == 1; // one number would make it thicker
    const double min_side = brume_scene_setting_table[BRUME_SCENE_SIZE].min;
    const double longest_side = brume_shortest_dividend(sim->dx, cells[longest]);
    for (int axis = 0; axis < 3; axis++) {
        // the reader ignores the side along an axis of one cell, and rounds the others to whole cells
        parsed->size[axis] =
            cells[axis] == 1 ? longest_side : brume_fmax(brume_shortest_dividend(sim->dx, cells[axis]), min_side);
        parsed->resolution[axis] = thin ? cells[axis] : axis == 0 ? cells[longest] : 0;
    }
    const BrumeVec3 defaults = brume_default_origin(cells, parsed->size[longest] / cells[longest]);
    if (!keep_origin && is_same_vector(sim->origin, defaults)) {
        parsed->scene.sim.origin = absent_vector();
    }
}

static BrumeFaceDef serialize_face(const BrumeFaceDef *face)
{
    BrumeFaceDef parsed = {
        .kind = face->kind,
        .velocity = absent_vector(),
        .temperature = NAN,
        .thickness = NAN,
        .opening = {.center = absent_vector(), .radius = NAN, .size = absent_vector()},
    };
    if (face->kind == BRUME_WALL) {
        parsed.no_slip = face->no_slip;
        parsed.velocity = face->no_slip && brume_length(face->velocity) > 0.0f ? face->velocity : absent_vector();
        parsed.temperature = face->fixed_temperature ? face->temperature : NAN;
        parsed.heat_flux = face->fixed_temperature ? 0.0f : face->heat_flux;
    } else if (face->kind == BRUME_INFLOW) {
        parsed.velocity = face->velocity;
        parsed.temperature = face->temperature != 0.0f ? face->temperature : NAN;
        memcpy(parsed.smoke, face->smoke, sizeof parsed.smoke);
        parsed.profile = face->profile;
        parsed.thickness = face->profile == BRUME_INFLOW_TANH ? face->thickness : NAN;
        if (face->opening.kind != BRUME_OPENING_FACE) {
            const bool round = face->opening.kind == BRUME_OPENING_ROUND;
            parsed.no_slip = face->no_slip;
            parsed.opening.center = face->opening.center;
            parsed.opening.radius = round ? face->opening.radius : NAN;
            parsed.opening.size = round ? absent_vector() : face->opening.size;
        }
    }
    return parsed;
}

static bool is_same_face(const BrumeFaceDef *a, const BrumeFaceDef *b)
{
    return brume_members_equal(&brume_face_members, a, b);
}

static const BrumeFaceKind no_face = (BrumeFaceKind)-1; // the mark of an absent word

static void serialize_faces(BrumeParsedScene *parsed, const BrumeSimDef *sim)
{
    for (int key = 0; key < BRUME_BOUNDARY_COUNT; key++) {
        parsed->boundaries[key].kind = no_face;
    }
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        parsed->boundaries[BRUME_BOUNDARY_FACES + face] = serialize_face(&sim->faces[face]);
    }
}

/** Replaces equal faces by a shorthand, and marks faces that equal the default as absent. */
static void combine_faces(BrumeParsedScene *parsed)
{
    const BrumeSimDef defaults = brume_default_sim_def();
    BrumeFaceDef *const faces = &parsed->boundaries[BRUME_BOUNDARY_FACES];
    bool all_same = true;
    for (int face = 1; face < BRUME_FACE_COUNT; face++) {
        all_same = all_same && is_same_face(&faces[face], &faces[0]);
    }
    if (all_same) {
        parsed->boundaries[BRUME_BOUNDARY_ALL] = faces[0];
    }
    for (int axis = 0; axis < 3; axis++) {
        BrumeFaceDef *const pair = &faces[2 * axis];
        const BrumeFaceDef default_pair[2] = {serialize_face(&defaults.faces[2 * axis]),
                                              serialize_face(&defaults.faces[2 * axis + 1])};
        const bool is_default[2] = {is_same_face(&pair[0], &default_pair[0]), is_same_face(&pair[1], &default_pair[1])};
        const bool combined = is_same_face(&pair[0], &pair[1]) && !(is_default[0] && is_default[1]) && !all_same;
        if (combined) {
            parsed->boundaries[BRUME_BOUNDARY_AXES + axis] = pair[0];
        }
        for (int end = 0; end < 2; end++) {
            pair[end].kind = all_same || combined || is_default[end] ? no_face : pair[end].kind;
        }
    }
}

/** The file, the grid and the hash of `count` samples; empty texts where they have no file. */
static void serialize_volume(BrumeParsedVolume *parsed, const BrumeSamples *const *samples, int count)
{
    *parsed = (BrumeParsedVolume){0};
    if (samples[0] && samples[0]->file) {
        (void)snprintf(parsed->file, sizeof parsed->file, "%s", samples[0]->file);
        (void)snprintf(parsed->grid, sizeof parsed->grid, "%s", samples[0]->grid ? samples[0]->grid : "");
        (void)snprintf(parsed->hash, sizeof parsed->hash, "%016" PRIx64, brume_samples_hash(samples, count));
    }
}

/** Whether a volume lies where its file places it, or that is not known. */
static bool has_own_place(const BrumeShape *shape)
{
    double lower[3];
    double upper[3];
    if (!brume_samples_have_values(shape->samples)) {
        return is_same_vector(shape->a, shape->b);
    }
    brume_samples_bounds(&shape->samples, 1, lower, upper);
    return is_same_vector(shape->a, brume_vec3((float)lower[0], (float)lower[1], (float)lower[2])) &&
           is_same_vector(shape->b, brume_vec3((float)upper[0], (float)upper[1], (float)upper[2]));
}

/** The file of a mesh, how it is read, the hash of its triangles, and its place; no file where it has none. */
static void serialize_mesh(BrumeParsedShape *parsed, const BrumeShape *shape)
{
    const BrumeMesh *const mesh = shape->mesh;
    parsed->center = brume_is_zero(shape->a) ? absent_vector() : shape->a;
    if (mesh && brume_mesh_file(mesh)) {
        parsed->read = *brume_mesh_read_def(mesh);
        parsed->read.unit = parsed->read.unit > 0.0f ? parsed->read.unit : NAN;
        (void)snprintf(parsed->volume.file, sizeof parsed->volume.file, "%s", brume_mesh_file(mesh));
        (void)snprintf(parsed->volume.hash, sizeof parsed->volume.hash, "%016" PRIx64, brume_mesh_hash(mesh));
    }
}

static BrumeParsedShape serialize_shape(const BrumeShape *shape)
{
    BrumeParsedShape parsed = {.kind = (int)shape->kind,
                               .center = absent_vector(),
                               .size = absent_vector(),
                               .from = absent_vector(),
                               .to = absent_vector(),
                               .axis = absent_vector(),
                               .radius_to = shape->kind == BRUME_SHAPE_CONE ? shape->second_radius : NAN,
                               .tube_radius = shape->kind == BRUME_SHAPE_TORUS ? shape->second_radius : NAN,
                               .position = shape->position,
                               .rotation = shape->rotation,
                               .scale = brume_shape_scale(shape),
                               .pivot = shape->pivot};
    const bool is_volume = shape->kind == BRUME_SHAPE_VOLUME;
    const bool is_plane = shape->kind == BRUME_SHAPE_PLANE;
    const bool is_mesh = shape->kind == BRUME_SHAPE_MESH;
    parsed.radius = shape->kind == BRUME_SHAPE_BOX || is_plane || is_mesh ? NAN : shape->radius;
    parsed.threshold = is_volume ? shape->threshold : NAN;
    if (is_volume) {
        serialize_volume(&parsed.volume, &shape->samples, 1);
        parsed.radius = NAN;
    }
    parsed.read.unit = NAN;
    if (is_mesh) {
        serialize_mesh(&parsed, shape);
    } else if (brume_shape_has_one_point(shape)) {
        parsed.center = shape->a;
    } else if (!is_volume || !has_own_place(shape)) {
        parsed.from = shape->a;
        parsed.to = shape->b;
    }
    return parsed;
}

/** The name or the number of a body by 1 + its number; empty for 0. */
static void serialize_reference(char text[BRUME_BODY_NAME_SIZE], const BrumeSimDef *sim, int body)
{
    text[0] = '\0';
    if (body > 0 && sim->bodies[body - 1].name[0] != '\0') {
        (void)snprintf(text, BRUME_BODY_NAME_SIZE, "%s", sim->bodies[body - 1].name);
    } else if (body > 0) {
        (void)snprintf(text, BRUME_BODY_NAME_SIZE, "%d", body - 1);
    }
}

/** The keys of an emitter that has the shape of a body. */
static BrumeParsedShape absent_shape(void)
{
    BrumeParsedShape parsed = serialize_shape(&(BrumeShape){.kind = BRUME_SHAPE_SPHERE});
    parsed.kind = -1;
    parsed.center = absent_vector();
    parsed.radius = NAN;
    return parsed;
}

static void serialize_emitters(BrumeParsedScene *parsed, const BrumeSimDef *sim)
{
    parsed->emitter_count = sim->emitter_count;
    for (int i = 0; i < sim->emitter_count; i++) {
        const BrumeEmitterDef *const def = &sim->emitters[i];
        BrumeParsedEmitter *const emitter = &parsed->emitters[i];
        emitter->shape = def->body > 0 ? absent_shape() : serialize_shape(&def->shape);
        serialize_reference(emitter->shape.parent, sim, def->parent);
        serialize_reference(emitter->body, sim, def->body);
        emitter->def = *def; // an infinite end is the mark of an absent one
        if (def->force.kind == BRUME_FORCE_FLOW) {
            serialize_volume(&emitter->flow, def->force.samples, 3);
        }
        emitter->def.thickness = def->from != BRUME_EMIT_VOLUME ? def->thickness : NAN;
    }
}

/** Kinds that are not in use are marked absent, because a kind that a scene lists is in use. */
/** A curve without points has no other keys. */
static BrumeCurve written_curve(const BrumeCurve *curve)
{
    return curve && curve->count > 0 ? *curve : (BrumeCurve){.count = 0};
}

static void serialize_smoke(BrumeParsedScene *parsed, const BrumeSimDef *sim, const BrumeRenderSettings *render)
{
    const BrumeRenderSettings defaults = brume_default_render_settings();
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        parsed->smoke[kind].flow = kind <= sim->color_count ? sim->smoke[kind] : (BrumeSmokeDef){NAN, NAN, NAN};
        parsed->smoke[kind].medium =
            kind <= sim->color_count ? render->smoke[kind] : (BrumeSmokeMedium){NAN, absent_vector()};
        parsed->smoke[kind].curve = written_curve(kind <= sim->color_count ? &render->density_curve[kind] : NULL);
        if (is_same_vector(render->smoke[kind].albedo, defaults.smoke[kind].albedo)) {
            parsed->smoke[kind].medium.albedo = absent_vector();
        }
    }
}

static void serialize_particles(BrumeParsedScene *parsed, const BrumeSimDef *sim, const BrumeRenderSettings *render)
{
    const BrumeSimDef defaults = brume_default_sim_def();
    const BrumeRenderSettings looks = brume_default_render_settings();
    for (int kind = 0; kind < BRUME_PARTICLE_KINDS; kind++) {
        BrumeParsedParticle *const keys = &parsed->particles[kind];
        *keys = (BrumeParsedParticle){sim->particles[kind], render->particles[kind]};
        mark_equal(brume_particle_setting_table, 0, BRUME_PARTICLE_SETTING_COUNT - 1, &keys->flow,
                   &defaults.particles[kind]);
        mark_equal(brume_particle_look_setting_table, 0, BRUME_PARTICLE_LOOK_SETTING_COUNT - 1, &keys->look,
                   &looks.particles[kind]);
    }
}

void brume_serialize_bodies(BrumeParsedScene *parsed, const BrumeSimDef *settings)
{
    parsed->body_count = settings->body_count;
    for (int i = 0; i < settings->body_count; i++) {
        BrumeParsedBody *const body = &parsed->bodies[i];
        const BrumeBodyDef *const def = &settings->bodies[i];
        body->shape = serialize_shape(&def->shape);
        serialize_reference(body->shape.parent, settings, def->parent);
        body->def = *def;
        body->def.temperature = def->fixed_temperature ? def->temperature : NAN;
        body->collide = !def->passable;
        body->enabled = !def->disabled;
    }
}

static void serialize_bodies(BrumeParsedScene *parsed, const BrumeScene *scene)
{
    brume_serialize_bodies(parsed, &scene->sim);
    for (int i = 0; i < scene->sim.body_count; i++) {
        BrumeParsedBody *const body = &parsed->bodies[i];
        const int surface = scene->surface_of[i];
        body->visible = surface >= 0 && !brume_surface_is_hidden(&scene->render_settings, surface);
        body->albedo = surface >= 0 ? scene->render_settings.surfaces[surface].albedo : body->albedo;
        const BrumeTexture *const texture = surface >= 0 ? scene->render_settings.surfaces[surface].texture : NULL;
        (void)snprintf(body->texture, sizeof body->texture, "%s", texture ? brume_texture_file(texture) : "");
    }
}

static const float degrees_per_radian = 57.29577951f;

/** Angles with up to so many decimals from which a sun has exactly this direction; false where there are none. */
static bool find_angles(BrumeVec3 direction, int max_digits, float *azimuth, float *elevation)
{
    const float exact_azimuth = brume_atan2f(-direction.x, -direction.z) * degrees_per_radian;
    const float exact_elevation = brume_asinf(brume_fminf(brume_fmaxf(-direction.y, -1.0f), 1.0f)) * degrees_per_radian;
    float scale = 1.0f;
    for (int digits = 0; digits <= max_digits; digits++) {
        scale = digits == 0 ? 1.0f : 10.0f * scale;
        *azimuth = roundf(exact_azimuth * scale) / scale;
        *elevation = roundf(exact_elevation * scale) / scale;
        if (is_same_vector(brume_sun_direction(*azimuth, *elevation), direction)) {
            return true;
        }
    }
    return false;
}

static bool has_default_lights(const BrumeRenderSettings *render)
{
    static const BrumeMembers members = {.setting_count = BRUME_LIGHT_SETTING_COUNT,
                                         .settings = brume_light_setting_table};
    const BrumeRenderSettings defaults = brume_default_render_settings();
    bool same = render->light_count == defaults.light_count;
    for (int n = 0; n < defaults.light_count && same; n++) {
        same = brume_members_equal(&members, &render->lights[n], &defaults.lights[n]);
    }
    return same;
}

static void serialize_lights(BrumeParsedScene *parsed, const BrumeRenderSettings *render)
{
    parsed->light_count = has_default_lights(render) ? -1 : render->light_count;
    for (int i = 0; i < parsed->light_count; i++) {
        BrumeParsedLight *const light = &parsed->lights[i];
        const BrumeLightKind kind = render->lights[i].kind;
        light->light = render->lights[i];
        light->target = absent_vector();
        if (kind == BRUME_LIGHT_DIRECTIONAL &&
            find_angles(render->lights[i].direction, 2, &light->azimuth, &light->elevation)) {
            light->light.direction = absent_vector();
        } else {
            light->azimuth = light->elevation = NAN;
        }
        const BrumeLight defaults = brume_default_render_settings().lights[0];
        const BrumeVec3 white = {1.0f, 1.0f, 1.0f};
        if (is_same_vector(light->light.color, light->light.daylight ? white : defaults.color)) {
            light->light.color = absent_vector();
        }
        if (is_same_number(light->light.intensity, light->light.daylight ? 1.0f : defaults.intensity)) {
            light->light.intensity = NAN;
        }
        if (is_same_number(light->light.angle, brume_default_light_angle(render->lights[i].kind))) {
            light->light.angle = NAN;
        }
        if (light->light.temperature > 0.0f) {
            light->light.color = absent_vector();
        } else {
            light->light.temperature = NAN;
        }
    }
}

/** The keys that are not for the kind of sky are marked absent; without other keys, `sky` is. */
static void serialize_sky(BrumeParsedScene *parsed, const BrumeScene *scene)
{
    const BrumeSky *const from = &scene->render_settings.sky;
    BrumeRenderSettings *const render = &parsed->scene.render_settings;
    bool has_daylight = from->kind == BRUME_SKY_DAYLIGHT;
    for (int n = 0; n < render->light_count; n++) {
        has_daylight = has_daylight || render->lights[n].daylight;
    }
    parsed->sky = (BrumeParsedSky){.sun_azimuth = NAN, .sun_elevation = NAN};
    if (from->kind == BRUME_SKY_GRADIENT) {
        if (!has_daylight) {
            render->sky.kind = (BrumeSkyKind)-1; // absent
        }
    } else {
        render->sky_zenith = render->sky_horizon = absent_vector();
    }
    if (from->kind != BRUME_SKY_CONSTANT) {
        render->sky.radiance = absent_vector();
    }
    if (!has_daylight) {
        render->sky.turbidity = NAN;
    }
    if (!has_daylight && from->kind != BRUME_SKY_IMAGE) {
        render->sky.intensity = NAN;
    }
    if (from->kind != BRUME_SKY_IMAGE) {
        render->sky.rotation = NAN;
    } else {
        (void)snprintf(parsed->sky.file, sizeof parsed->sky.file, "%s", scene->sky_file);
    }
    const BrumeVec3 none = {0};
    if (from->kind == BRUME_SKY_DAYLIGHT && !is_same_vector(from->sun, none)) {
        (void)find_angles(from->sun, 4, &parsed->sky.sun_azimuth, &parsed->sky.sun_elevation);
    }
}

/** Without other keys, the default word is marked absent. */
static void serialize_surface_colors(BrumeFlowColors *colors)
{
    if (colors->quantity == BRUME_FLOW_NONE && colors->map == BRUME_MAP_AUTO && colors->lower == 0.0f &&
        colors->upper == 0.0f) {
        colors->quantity = (BrumeFlowQuantity)-1;
    }
}

/** A camera whose values are marked absent where they equal the values of `defaults`. */
static BrumeCamera serialize_pose(const BrumeCamera *camera, const BrumeCamera *defaults)
{
    BrumeCamera pose = *camera;
    mark_equal(brume_camera_setting_table, 0, BRUME_CAMERA_SETTING_COUNT - 1, &pose, defaults);
    const int other = camera->projection == BRUME_ORTHOGRAPHIC ? BRUME_CAMERA_FIELD_OF_VIEW : BRUME_CAMERA_HEIGHT;
    mark_absent(&brume_camera_setting_table[other], &pose);
    return pose;
}

/** An image of the ground takes the place of its pattern, whose word is not written. */
static void serialize_ground(BrumeParsedScene *parsed, const BrumeScene *scene)
{
    BrumeRenderSettings *const render = &parsed->scene.render_settings;
    const bool has_image = render->ground_pattern == BRUME_GROUND_IMAGE;
    (void)snprintf(parsed->ground_file, sizeof parsed->ground_file, "%s", has_image ? scene->ground_file : "");
    if (has_image) {
        render->ground_pattern = BRUME_GROUND_PLAIN;
    } else {
        render->ground_image = brume_default_render_settings().ground_image;
    }
}

static void serialize_camera(BrumeParsedScene *parsed, const BrumeScene *scene)
{
    const float default_angle = parsed->camera.camera.field_of_view;
    const BrumeCameraKey *const keys = scene->camera_keys;
    const BrumeProjection projection = keys[0].camera.projection;
    // a scene cannot give the field of view of an orthographic camera: the default is the one of the default camera
    const float first_angle = projection == BRUME_ORTHOGRAPHIC ? default_angle : keys[0].camera.field_of_view;
    BrumeCamera defaults = brume_default_camera(scene, projection, first_angle);
    parsed->camera.focus_on = absent_vector();
    parsed->camera.focal_length = NAN;
    parsed->camera.f_number = NAN;
    defaults.field_of_view = default_angle;
    if (scene->camera_key_count == 1 && keys[0].time == 0.0) {
        parsed->camera.camera = serialize_pose(&keys[0].camera, &defaults);
        return;
    }
    parsed->camera.camera = serialize_pose(&defaults, &defaults);
    parsed->camera_key_count = scene->camera_key_count;
    for (int i = 0; i < scene->camera_key_count; i++) {
        parsed->camera_keys[i].time = keys[i].time;
        parsed->camera_keys[i].focus_on = absent_vector();
        parsed->camera_keys[i].focal_length = NAN;
        parsed->camera_keys[i].f_number = NAN;
        parsed->camera_keys[i].camera = serialize_pose(&keys[i].camera, i > 0 ? &keys[i - 1].camera : &defaults);
    }
}

void brume_mark_needed_keys(BrumeParsedScene *defaults, const BrumeSimDef *sim)
{
    for (int i = 0; i < sim->initial_count; i++) {
        for (int n = 0; n < BRUME_INITIAL_SETTING_COUNT; n++) {
            if (brume_initial_use(sim->initial[i].kind, sim->initial[i].quantity, n) == BRUME_INITIAL_REQUIRED) {
                mark_absent(&brume_initial_setting_table[n], &defaults->initials[i].def);
            }
        }
    }
}

/** The keys of an initial field that its kind does not use, or that equal the default of the kind, are absent. */
static void serialize_initial(BrumeParsedScene *parsed, const BrumeSimDef *sim)
{
    const BrumeInitialDef defaults = brume_default_initial_def();
    const int none = -1; // the mark of an absent word
    parsed->initial_count = sim->initial_count;
    for (int i = 0; i < sim->initial_count; i++) {
        const BrumeInitialDef *const def = &sim->initial[i];
        BrumeInitialDef *const keys = &parsed->initials[i].def;
        *keys = *def;
        for (int n = 0; n < BRUME_INITIAL_SETTING_COUNT; n++) {
            if (brume_initial_use(def->kind, def->quantity, n) == BRUME_INITIAL_UNUSED) {
                const BrumeSetting *const setting = &brume_initial_setting_table[n]; // a default is not written either
                memcpy((char *)keys + setting->offset, (const char *)&defaults + setting->offset,
                       brume_setting_size(setting));
                mark_absent(setting, keys);
            }
        }
        if (def->kind != BRUME_INITIAL_FORMULA && def->quantity == brume_initial_default_quantity(def->kind)) {
            keys->quantity = none;
        }
        if (brume_initial_use(def->kind, def->quantity, BRUME_INITIAL_SETTING_PROFILE) == BRUME_INITIAL_UNUSED ||
            def->profile == brume_initial_default_profile(def->kind)) {
            memcpy(&keys->profile, &none, sizeof none);
        }
        if (def->kind == BRUME_INITIAL_VOLUME) {
            serialize_volume(&parsed->initials[i].volume, def->samples,
                             brume_initial_has_components(def->quantity) ? 3 : 1);
            keys->center = def->placed ? def->center : absent_vector();
            keys->size = def->placed ? def->size : absent_vector();
        }
        if (def->kind == BRUME_INITIAL_POINTS) {
            serialize_volume(&parsed->initials[i].volume, def->samples, 1);
        } else {
            memcpy(&keys->particles, &none, sizeof none);
        }
    }
}

static void serialize_probe(BrumeParsedProbe *parsed, const BrumeProbe *probe)
{
    const int default_counts[3] = {0, 0, 0};
    parsed->def = *probe;
    parsed->kind = (int)probe->kind;
    parsed->quantity_count = 0;
    for (int quantity = 0; quantity < BRUME_PROBE_QUANTITY_COUNT; quantity++) {
        if (probe->quantities >> quantity & 1U) {
            parsed->quantities[parsed->quantity_count++] = quantity;
        }
    }
    parsed->quantity_count = probe->quantities == BRUME_DEFAULT_PROBE_QUANTITIES ? -1 : parsed->quantity_count;
    const bool has_corners = probe->kind == BRUME_PROBE_LINE || (probe->kind != BRUME_PROBE_POINTS && !probe->whole);
    parsed->def.from = has_corners ? probe->from : absent_vector();
    parsed->def.to = has_corners ? probe->to : absent_vector();
    parsed->def.axis = probe->kind == BRUME_PROBE_PLANE ? probe->axis : -1;
    parsed->def.position = probe->kind == BRUME_PROBE_PLANE ? probe->position : NAN;
    if (probe->kind == BRUME_PROBE_POINTS || probe->kind == BRUME_PROBE_BOX) {
        memcpy(parsed->def.counts, default_counts, sizeof default_counts);
    }
}

static void serialize_probes(BrumeParsedScene *parsed, const BrumeScene *scene)
{
    parsed->probe_count = scene->probe_count;
    for (int i = 0; i < scene->probe_count; i++) {
        serialize_probe(&parsed->probes[i], &scene->probes[i]);
    }
}

void brume_serialize_settings(BrumeParsedScene *parsed, const BrumeSimDef *settings)
{
    brume_parsed_scene_defaults(parsed);
    parsed->scene.sim = *settings;
    serialize_box(parsed, settings, true);
    serialize_faces(parsed, settings);
    serialize_smoke(parsed, settings, &parsed->scene.render_settings);
    serialize_particles(parsed, settings, &parsed->scene.render_settings);
    serialize_emitters(parsed, settings);
}

void brume_serialize_scene(BrumeParsedScene *parsed, const BrumeScene *scene, bool keep_origin)
{
    brume_parsed_scene_defaults(parsed);
    parsed->scene = *scene;
    brume_reset_unused_phase(&parsed->scene.render_settings);
    parsed->scene.render_settings.emission.curve = written_curve(&scene->render_settings.emission.curve);
    if (scene->samples == brume_default_samples(scene->integrator)) {
        parsed->scene.samples = 0; // absent
    }
    serialize_box(parsed, &scene->sim, keep_origin);
    serialize_faces(parsed, &scene->sim);
    combine_faces(parsed);
    serialize_smoke(parsed, &scene->sim, &scene->render_settings);
    serialize_particles(parsed, &scene->sim, &scene->render_settings);
    serialize_emitters(parsed, &scene->sim);
    serialize_initial(parsed, &scene->sim);
    serialize_bodies(parsed, scene);
    serialize_lights(parsed, &scene->render_settings);
    serialize_sky(parsed, scene);
    serialize_surface_colors(&parsed->scene.render_settings.surface_colors);
    serialize_ground(parsed, scene);
    serialize_camera(parsed, scene);
    serialize_probes(parsed, scene);
    if (is_same_number(scene->render_settings.ground_height, scene->sim.origin.y)) {
        parsed->scene.render_settings.ground_height = NAN;
    }
}

BrumeStroke brume_serialize_stroke(const BrumeStroke *stroke, const BrumeStroke *previous)
{
    static const BrumeStroke zero;
    const BrumeStroke *const defaults = previous ? previous : &zero;
    BrumeStroke key_values = *stroke;
    const BrumeVec3 straight = brume_sub(stroke->to, stroke->from);
    if (previous && stroke->start == previous->end) {
        key_values.start = (double)NAN;
    }
    if (previous && is_same_vector(stroke->from, previous->to)) {
        key_values.from = absent_vector();
    }
    if (is_same_vector(stroke->from_slope, previous ? previous->to_slope : straight)) {
        key_values.from_slope = absent_vector();
    }
    if (is_same_vector(stroke->to_slope, straight)) {
        key_values.to_slope = absent_vector();
    }
    mark_equal(brume_stroke_setting_table, BRUME_STROKE_RADIUS, BRUME_STROKE_AXIS, &key_values, defaults);
    return key_values;
}
