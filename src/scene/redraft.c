/*
 * From a finished scene back to what a file would say: the inverse of the finishing steps. Keys that the file would not
 * have are marked as keys.h tells. Every value is one from which the finishing steps work out the same bits.
 */
#include "core/vec3.h"
#include "scene/draft.h"
#include "yaml/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static BrumeVec3 left_out(void) { return brume_vec3(NAN, NAN, NAN); }

static bool same_vector(BrumeVec3 a, BrumeVec3 b) { return memcmp(&a, &b, sizeof a) == 0; }

static bool same_number(float a, float b) { return memcmp(&a, &b, sizeof a) == 0; }

static int longest_side(const int cells[3])
{
    int longest = 0;
    for (int axis = 1; axis < 3; axis++) {
        longest = cells[axis] > cells[longest] ? axis : longest;
    }
    return longest;
}

static void redraft_box(BrumeSceneDraft *draft, const BrumeSimDef *sim, bool whole_box)
{
    const int cells[3] = {sim->nx, sim->ny, sim->nz};
    const int longest = longest_side(cells);
    for (int axis = 0; axis < 3; axis++) {
        draft->size[axis] = brume_whole_of(sim->dx, cells[axis]);
        draft->resolution[axis] = axis == 0 ? cells[longest] : 0;
    }
    const BrumeVec3 usual = brume_usual_origin(cells, draft->size[longest] / cells[longest]);
    if (!whole_box && same_vector(sim->origin, usual)) {
        draft->scene.sim.origin = left_out();
    }
}

static BrumeFaceDraft redraft_face(const BrumeFaceDef *face)
{
    BrumeFaceDraft side = {.kind = (int)face->kind, .velocity = left_out(), .temperature = NAN};
    if (face->kind == BRUME_WALL) {
        side.slip = face->no_slip ? 1 : 0;
        side.velocity = face->no_slip && brume_length(face->velocity) > 0.0f ? face->velocity : left_out();
        side.temperature = face->fixed_temperature ? face->temperature : NAN;
    } else if (face->kind == BRUME_INFLOW) {
        side.velocity = face->velocity;
        side.temperature = face->temperature != 0.0f ? face->temperature : NAN;
        memcpy(side.smoke, face->smoke, sizeof side.smoke);
    }
    return side;
}

static bool same_side(const BrumeFaceDraft *a, const BrumeFaceDraft *b)
{
    return a->kind == b->kind && a->slip == b->slip && same_vector(a->velocity, b->velocity) &&
           same_number(a->temperature, b->temperature) && memcmp(a->smoke, b->smoke, sizeof a->smoke) == 0;
}

static void redraft_faces(BrumeSceneDraft *draft, const BrumeSimDef *sim)
{
    for (int side = 0; side < BRUME_SIDE_COUNT; side++) {
        draft->sides[side].kind = -1;
    }
    for (int face = 0; face < BRUME_FACE_COUNT; face++) {
        draft->sides[BRUME_SIDE_FACES + face] = redraft_face(&sim->faces[face]);
    }
}

/** Says with one key what several faces have in common, and leaves out faces that are as usual. */
static void gather_faces(BrumeSceneDraft *draft)
{
    const BrumeSimDef usual = brume_default_sim_def();
    BrumeFaceDraft *const faces = &draft->sides[BRUME_SIDE_FACES];
    bool all_same = true;
    for (int face = 1; face < BRUME_FACE_COUNT; face++) {
        all_same = all_same && same_side(&faces[face], &faces[0]);
    }
    if (all_same) {
        draft->sides[BRUME_SIDE_ALL] = faces[0];
    }
    for (int axis = 0; axis < 3; axis++) {
        BrumeFaceDraft *const pair = &faces[2 * axis];
        const BrumeFaceDraft standard[2] = {redraft_face(&usual.faces[2 * axis]),
                                            redraft_face(&usual.faces[2 * axis + 1])};
        const bool is_usual[2] = {same_side(&pair[0], &standard[0]), same_side(&pair[1], &standard[1])};
        const bool together = same_side(&pair[0], &pair[1]) && !(is_usual[0] && is_usual[1]) && !all_same;
        if (together) {
            draft->sides[BRUME_SIDE_AXES + axis] = pair[0];
        }
        for (int end = 0; end < 2; end++) {
            pair[end].kind = all_same || together || is_usual[end] ? -1 : pair[end].kind;
        }
    }
}

static BrumeShapeDraft redraft_shape(const BrumeShape *shape)
{
    BrumeShapeDraft draft = {.kind = (int)shape->kind,
                             .center = left_out(),
                             .size = left_out(),
                             .from = left_out(),
                             .to = left_out(),
                             .radius = shape->kind == BRUME_SHAPE_BOX ? NAN : shape->radius};
    if (shape->kind == BRUME_SHAPE_SPHERE) {
        draft.center = shape->a;
    } else {
        draft.from = shape->a;
        draft.to = shape->b;
    }
    return draft;
}

static void redraft_source(const BrumeSource *source, float *set, float *rate)
{
    *set = source->mode == BRUME_SOURCE_SET ? source->value : NAN;
    *rate = source->mode == BRUME_SOURCE_RATE ? source->value : NAN;
}

static void redraft_emitters(BrumeSceneDraft *draft, const BrumeSimDef *sim)
{
    draft->emitter_count = sim->emitter_count;
    for (int i = 0; i < sim->emitter_count; i++) {
        const BrumeEmitterDef *const def = &sim->emitters[i];
        BrumeEmitterDraft *const emitter = &draft->emitters[i];
        emitter->shape = redraft_shape(&def->shape);
        emitter->def = *def; // an end at infinity is one left out
        for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
            redraft_source(&def->smoke[kind], &emitter->smoke[kind], &emitter->smoke_rate[kind]);
        }
        redraft_source(&def->temperature, &emitter->temperature, &emitter->temperature_rate);
        emitter->velocity = def->velocity.mode == BRUME_SOURCE_SET ? def->velocity.value : left_out();
        emitter->acceleration = def->velocity.mode == BRUME_SOURCE_RATE ? def->velocity.value : left_out();
    }
}

/** Kinds that take no part are left out; naming them would let them in. */
static void redraft_smoke(BrumeSceneDraft *draft, const BrumeSimDef *sim, const BrumeRenderSettings *look)
{
    const BrumeRenderSettings usual = brume_default_render_settings();
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        draft->smoke[kind].flow = kind <= sim->color_count ? sim->smoke[kind] : (BrumeSmokeDef){NAN, NAN, NAN};
        draft->smoke[kind].look = kind <= sim->color_count ? look->smoke[kind] : (BrumeSmokeMedium){NAN, left_out()};
        if (same_vector(look->smoke[kind].albedo, usual.smoke[kind].albedo)) {
            draft->smoke[kind].look.albedo = left_out();
        }
    }
}

static void redraft_obstacles(BrumeSceneDraft *draft, const BrumeScene *scene)
{
    draft->obstacle_count = scene->sim.obstacle_count;
    for (int i = 0; i < scene->sim.obstacle_count; i++) {
        BrumeObstacleDraft *const obstacle = &draft->obstacles[i];
        const int surface = scene->surface_of[i];
        obstacle->shape = redraft_shape(&scene->sim.obstacles[i].shape);
        obstacle->visible = surface >= 0;
        obstacle->albedo = surface >= 0 ? scene->look.surfaces[surface].albedo : obstacle->albedo;
    }
}

static const float degrees_per_radian = 57.29577951f;

/** Angles of a few digits from which a sun has just this direction; false where there are none. */
static bool find_angles(BrumeVec3 direction, float *azimuth, float *elevation)
{
    const float across = atan2f(-direction.x, -direction.z) * degrees_per_radian;
    const float up = asinf(fminf(fmaxf(-direction.y, -1.0f), 1.0f)) * degrees_per_radian;
    float scale = 1.0f;
    for (int digits = 0; digits <= 2; digits++) {
        scale = digits == 0 ? 1.0f : 10.0f * scale;
        *azimuth = roundf(across * scale) / scale;
        *elevation = roundf(up * scale) / scale;
        if (same_vector(brume_sun_direction(*azimuth, *elevation), direction)) {
            return true;
        }
    }
    return false;
}

static bool has_usual_lights(const BrumeRenderSettings *look)
{
    const BrumeRenderSettings usual = brume_default_render_settings();
    return look->light_count == usual.light_count &&
           memcmp(look->lights, usual.lights, (size_t)usual.light_count * sizeof usual.lights[0]) == 0;
}

static void redraft_lights(BrumeSceneDraft *draft, const BrumeRenderSettings *look)
{
    draft->light_count = has_usual_lights(look) ? -1 : look->light_count;
    for (int i = 0; i < draft->light_count; i++) {
        BrumeLightDraft *const light = &draft->lights[i];
        const bool sun = look->lights[i].kind == BRUME_LIGHT_DIRECTIONAL;
        light->light = look->lights[i];
        light->kind = (int)look->lights[i].kind;
        if (sun && find_angles(look->lights[i].direction, &light->azimuth, &light->elevation)) {
            light->light.direction = left_out();
        } else {
            light->azimuth = light->elevation = NAN;
        }
        if (sun) {
            light->light.position = left_out();
        } else {
            light->light.direction = left_out();
        }
    }
}

/** A view by what it has other than `usual`. */
static BrumeCamera redraft_view(const BrumeCamera *camera, const BrumeCamera *usual)
{
    return (BrumeCamera){
        .position = same_vector(camera->position, usual->position) ? left_out() : camera->position,
        .target = same_vector(camera->target, usual->target) ? left_out() : camera->target,
        .field_of_view = same_number(camera->field_of_view, usual->field_of_view) ? NAN : camera->field_of_view,
    };
}

static void redraft_camera(BrumeSceneDraft *draft, const BrumeScene *scene)
{
    const float usual_angle = draft->camera.field_of_view;
    const BrumeCameraKey *const keys = scene->camera_keys;
    BrumeCamera usual = brume_frame_box(scene, keys[0].camera.field_of_view);
    usual.field_of_view = usual_angle;
    if (scene->camera_key_count == 1 && keys[0].time == 0.0) {
        draft->camera = redraft_view(&keys[0].camera, &usual);
        return;
    }
    draft->camera = (BrumeCamera){left_out(), left_out(), NAN};
    draft->camera_key_count = scene->camera_key_count;
    for (int i = 0; i < scene->camera_key_count; i++) {
        draft->camera_keys[i].time = keys[i].time;
        draft->camera_keys[i].camera = redraft_view(&keys[i].camera, i > 0 ? &keys[i - 1].camera : &usual);
    }
}

void brume_redraft_settings(BrumeSceneDraft *draft, const BrumeSimDef *settings)
{
    brume_draft_defaults(draft);
    draft->scene.sim = *settings;
    redraft_box(draft, settings, true);
    redraft_faces(draft, settings);
    redraft_smoke(draft, settings, &draft->scene.look);
    redraft_emitters(draft, settings);
}

void brume_redraft(BrumeSceneDraft *draft, const BrumeScene *scene, bool whole_box)
{
    brume_draft_defaults(draft);
    draft->scene = *scene;
    draft->tone = (int)scene->look.tone;
    redraft_box(draft, &scene->sim, whole_box);
    redraft_faces(draft, &scene->sim);
    gather_faces(draft);
    redraft_smoke(draft, &scene->sim, &scene->look);
    redraft_emitters(draft, &scene->sim);
    redraft_obstacles(draft, scene);
    redraft_lights(draft, &scene->look);
    redraft_camera(draft, scene);
    if (same_number(scene->look.ground_height, scene->sim.origin.y)) {
        draft->scene.look.ground_height = NAN;
    }
}

BrumeStroke brume_redraft_stroke(const BrumeStroke *stroke, const BrumeStroke *before)
{
    static const BrumeStroke nothing;
    const BrumeStroke *const usual = before ? before : &nothing;
    BrumeStroke draft = *stroke;
    const BrumeVec3 straight = brume_sub(stroke->to, stroke->from);
    if (before && stroke->start == before->end) {
        draft.start = (double)NAN;
    }
    if (before && same_vector(stroke->from, before->to)) {
        draft.from = left_out();
    }
    if (same_vector(stroke->from_slope, before ? before->to_slope : straight)) {
        draft.from_slope = left_out();
    }
    if (same_vector(stroke->to_slope, straight)) {
        draft.to_slope = left_out();
    }
    draft.radius = same_number(stroke->radius, usual->radius) ? NAN : stroke->radius;
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        draft.smoke[kind] = same_number(stroke->smoke[kind], usual->smoke[kind]) ? NAN : stroke->smoke[kind];
    }
    draft.temperature = same_number(stroke->temperature, usual->temperature) ? NAN : stroke->temperature;
    draft.push = same_number(stroke->push, usual->push) ? NAN : stroke->push;
    draft.velocity = same_vector(stroke->velocity, usual->velocity) ? left_out() : stroke->velocity;
    return draft;
}
