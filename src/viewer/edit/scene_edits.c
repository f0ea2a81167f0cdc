#include "viewer/edit/scene_edits.h"

#include "core/shape.h"
#include "core/vec3.h"
#include "scene/format/animation.h"
#include "scene/format/derived.h"
#include "viewer/edit/gizmo.h"
#include "viewer/edit/object_keys.h"
#include "viewer/edit/screen.h"
#include "viewer/edit/select_drag.h"

#include <string.h>

static const BrumeSurface new_surface = {.albedo = {0.6f, 0.6f, 0.6f}}; // of bodies, without its shape

bool brume_object_has_room(const BrumeControls *controls, BrumeObjectKind kind)
{
    static const int most[] = {0, BRUME_MAX_EMITTERS, BRUME_MAX_BODIES, BRUME_MAX_LIGHTS, BRUME_MAX_RAKES};
    return brume_object_count(controls, kind) < most[kind] &&
           (kind != BRUME_OBJECT_BODY || brume_controls_edited_look(controls)->surface_count < BRUME_MAX_SURFACES);
}

static float longest_side(const BrumeControls *controls)
{
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_controls_box(controls, &lower, &upper);
    const BrumeVec3 sides = brume_sub(upper, lower);
    return fmaxf(sides.x, fmaxf(sides.y, sides.z));
}

// returns a point of the box, given as fractions of its sides
static BrumeVec3 point_of_box(const BrumeControls *controls, float x, float y, float z)
{
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_controls_box(controls, &lower, &upper);
    return brume_add(lower, brume_mul(brume_sub(upper, lower), brume_vec3(x, y, z)));
}

static bool is_in_box(const BrumeControls *controls, BrumeVec3 point)
{
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_controls_box(controls, &lower, &upper);
    return point.x >= lower.x && point.x <= upper.x && point.y >= lower.y && point.y <= upper.y && point.z >= lower.z &&
           point.z <= upper.z;
}

// whether the middle of an object of this kind is at a point, or so close that the two could not be told apart
static bool is_taken(const BrumeControls *controls, BrumeObjectKind kind, BrumeVec3 point)
{
    const float close = 0.02f * longest_side(controls);
    for (int n = 0; n < brume_object_count(controls, kind); n++) {
        const BrumeObject object = {kind, n};
        if (!brume_object_exists(controls, object)) {
            continue;
        }
        const BrumePose pose = brume_object_pose(controls, object);
        if (brume_length(brume_sub(brume_pose_center(controls, &pose), point)) < close) {
            return true;
        }
    }
    return false;
}

// returns the first point near `middle`, along x and z, in the box and without an object of this kind; else `middle`
static BrumeVec3 free_point(const BrumeControls *controls, BrumeObjectKind kind, BrumeVec3 middle)
{
    static const float offsets[] = {0.0f, 1.0f, -1.0f, 2.0f, -2.0f, 3.0f, -3.0f};
    enum { OFFSETS = sizeof offsets / sizeof offsets[0] };
    const float step = 2.0f * brume_snap_step(longest_side(controls));
    for (int n = 0; n < OFFSETS * OFFSETS; n++) {
        const BrumeVec3 by = {step * offsets[n % OFFSETS], 0.0f, step * offsets[n / OFFSETS]};
        const BrumeVec3 point = brume_add(middle, by);
        if (is_in_box(controls, point) && !is_taken(controls, kind, point)) {
            return point;
        }
    }
    return middle;
}

// Returns the position for a new light: in the upper part of the picture, at the depth of the middle of the box; if
// possible not at another light, outside the box and above its lower side.
static BrumeVec3 point_for_light(const BrumeControls *controls)
{
    // fractions of the picture; on the right, the HUD covers the uppermost part
    static const BrumeScreenPoint points[] = {{0.3f, 0.15f},  {0.5f, 0.12f}, {0.16f, 0.18f}, {0.06f, 0.3f},
                                              {0.94f, 0.45f}, {0.4f, 0.3f},  {0.6f, 0.3f},   {0.2f, 0.35f},
                                              {0.5f, 0.42f},  {0.1f, 0.48f}, {0.3f, 0.48f},  {0.7f, 0.48f}};
    const float aspect = controls->select.aspect > 0.0f ? controls->select.aspect : 1.0f;
    const BrumeScreen screen = {controls->camera, aspect, 1.0f, 1.0f};
    const BrumeVec3 middle = point_of_box(controls, 0.5f, 0.5f, 0.5f);
    BrumeVec3 right;
    BrumeVec3 up;
    BrumeVec3 forward;
    brume_camera_axes(&controls->camera, &right, &up, &forward);
    const float to_middle = brume_dot(brume_sub(middle, controls->camera.position), forward);
    const float depth = to_middle > 0.0f ? to_middle : longest_side(controls);
    BrumeVec3 best = middle;
    int best_rank = -1;
    for (size_t n = 0; n < sizeof points / sizeof points[0]; n++) {
        const BrumeRay ray = brume_screen_ray(&screen, (BrumeScreenPoint){points[n].x * aspect, points[n].y});
        const BrumeVec3 point = brume_ray_at(&ray, depth / brume_dot(ray.direction, forward));
        const bool is_free = !is_taken(controls, BRUME_OBJECT_LIGHT, point);
        const bool is_outside = !is_in_box(controls, point) && point.y > point_of_box(controls, 0.5f, 0.0f, 0.5f).y;
        const int rank = 2 * (int)is_free + (int)is_outside;
        if (rank > best_rank) {
            best = point;
            best_rank = rank;
        }
    }
    return best;
}

static BrumeShape new_shape(BrumeShapeKind kind, BrumeVec3 center, float radius)
{
    BrumeShape shape = {.kind = kind, .a = center, .b = center};
    const BrumeVec3 half =
        kind == BRUME_SHAPE_BOX ? brume_vec3(radius, radius, radius) : brume_vec3(0.0f, radius, 0.0f);
    const bool has_one_point = brume_shape_has_one_point(&shape);
    if (!has_one_point) {
        shape.a = brume_sub(center, half);
        shape.b = brume_add(center, half);
    }
    shape.radius = kind == BRUME_SHAPE_BOX ? 0.0f : has_one_point ? radius : 0.6f * radius;
    shape.second_radius = kind == BRUME_SHAPE_TORUS ? 0.3f * radius : 0.0f;
    return shape;
}

static void select_last(BrumeControls *controls, BrumeObjectKind kind)
{
    const BrumeObject last = {kind, brume_object_count(controls, kind) - 1};
    brume_select(controls, last);
}

static void add_emitter(BrumeControls *controls, const BrumeEmitterDef *emitter)
{
    BrumeSimDef *sim = brume_controls_sim(controls);
    sim->emitters[sim->emitter_count++] = *emitter;
    select_last(controls, BRUME_OBJECT_EMITTER);
}

static void hide_surface(BrumeRenderSettings *look, int n, bool hidden)
{
    const uint64_t bit = (uint64_t)1 << n;
    look->hidden_surfaces = hidden ? look->hidden_surfaces | bit : look->hidden_surfaces & ~bit;
}

static void set_surface(BrumeRenderSettings *look, int n, const BrumeSurface *surface)
{
    look->surface_count = n < look->surface_count ? look->surface_count : n + 1;
    look->surfaces[n] = *surface;
    hide_surface(look, n, false);
}

// gives a body a surface that looks like another one: the next one, or the one that it had before
static void give_surface(BrumeControls *controls, int n, const BrumeSurface *like)
{
    const BrumeRenderSettings *look = brume_controls_edited_look(controls);
    if (controls->surface_of[n] < 0 || controls->surface_of[n] >= look->surface_count) {
        controls->surface_of[n] = look->surface_count;
    }
    BrumeSurface surface = *like;
    surface.shape = controls->present.bodies[n].shape;
    set_surface(&controls->render_settings, controls->surface_of[n], &surface);
    set_surface(&controls->other_look, controls->surface_of[n], &surface);
}

// adds a body with the next surface, or the surface that an undone body with its number had
static void add_body(BrumeControls *controls, const BrumeBodyDef *body, const BrumeSurface *like)
{
    BrumePresentBodies *present = &controls->present;
    const int n = present->count++;
    present->bodies[n] = *body;
    present->placed |= (uint64_t)1 << n;
    present->deleted &= ~((uint64_t)1 << n);
    give_surface(controls, n, like);
    select_last(controls, BRUME_OBJECT_BODY);
}

static void add_light(BrumeControls *controls, const BrumeLight *light)
{
    BrumeRenderSettings *look = brume_controls_look(controls);
    controls->select.light_intensity[look->light_count] = 0.0f;
    look->lights[look->light_count++] = *light;
    select_last(controls, BRUME_OBJECT_LIGHT);
}

BrumeEmitterDef *brume_add_emitter_at(BrumeControls *controls, BrumeShapeKind shape, BrumeVec3 place, float radius)
{
    BrumeEmitterDef emitter = brume_default_emitter_def();
    const BrumeVec3 middle = point_of_box(controls, place.x, place.y, place.z);
    emitter.shape = new_shape(shape, free_point(controls, BRUME_OBJECT_EMITTER, middle), radius);
    add_emitter(controls, &emitter);
    BrumeSimDef *sim = brume_controls_sim(controls);
    return &sim->emitters[sim->emitter_count - 1];
}

void brume_object_add_shape(BrumeControls *controls, BrumeObjectKind kind, BrumeShapeKind shape)
{
    const float radius = 0.08f * longest_side(controls);
    if (!brume_object_has_room(controls, kind) || shape == BRUME_SHAPE_VOLUME || shape == BRUME_SHAPE_MESH) {
        return;
    }
    if (kind == BRUME_OBJECT_EMITTER) {
        BrumeEmitterDef *emitter = brume_add_emitter_at(controls, shape, brume_vec3(0.5f, 0.2f, 0.5f), radius);
        emitter->smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
        emitter->temperature = (BrumeSource){BRUME_SOURCE_SET, 40.0f};
    } else {
        const BrumeVec3 center = free_point(controls, kind, point_of_box(controls, 0.5f, 0.5f, 0.5f));
        const BrumeBodyDef body = {.shape = new_shape(shape, center, radius)};
        add_body(controls, &body, &new_surface);
    }
}

float brume_round_factor(float factor)
{
    const float step = powf(10.0f, floorf(log10f(factor)) - 1.0f);
    return step * roundf(factor / step);
}

BrumeShape brume_mesh_shape_at(const BrumeMesh *mesh, BrumeVec3 middle, float factor)
{
    const BrumeMeshInfo *info = brume_mesh_info(mesh);
    const BrumeVec3 own_middle = brume_scale(brume_add(info->lower, info->upper), 0.5f);
    return (BrumeShape){.kind = BRUME_SHAPE_MESH,
                        .mesh = mesh,
                        .a = brume_sub(middle, own_middle),
                        .pivot = own_middle,
                        .scale = {factor, factor, factor}};
}

// returns the factor by which a mesh fits the box: 1 unless it is larger than the box, or tiny in it
static float factor_to_fit(const BrumeControls *controls, const BrumeMesh *mesh)
{
    static const float least_share = 0.04f; // of the extent of the box along any axis
    const BrumeVec3 extent = brume_sub(brume_mesh_info(mesh)->upper, brume_mesh_info(mesh)->lower);
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_controls_box(controls, &lower, &upper);
    const BrumeVec3 sides = brume_sub(upper, lower);
    const float share = fmaxf(extent.x / sides.x, fmaxf(extent.y / sides.y, extent.z / sides.z));
    return share > 1.0f || share < least_share ? brume_round_factor(0.5f / share) : 1.0f;
}

float brume_object_add_mesh(BrumeControls *controls, const BrumeMesh *mesh)
{
    const float factor = factor_to_fit(controls, mesh);
    const BrumeVec3 middle = free_point(controls, BRUME_OBJECT_BODY, point_of_box(controls, 0.5f, 0.5f, 0.5f));
    const BrumeBodyDef body = {.shape = brume_mesh_shape_at(mesh, middle, factor)};
    add_body(controls, &body, &new_surface);
    return factor;
}

void brume_object_add_light(BrumeControls *controls, BrumeLightKind kind)
{
    if (!brume_object_has_room(controls, BRUME_OBJECT_LIGHT)) {
        return;
    }
    const float side = longest_side(controls);
    const BrumeVec3 middle = point_of_box(controls, 0.5f, 0.5f, 0.5f);
    BrumeLight light = brume_default_render_settings().lights[0];
    light.kind = kind;
    light.daylight = false;
    light.temperature = 0.0f;
    light.color = brume_vec3(1.0f, 1.0f, 1.0f);
    light.position = point_for_light(controls);
    const BrumeVec3 to_middle = brume_sub(middle, light.position);
    const float distance = fmaxf(brume_length(to_middle), 0.5f * side); // brightness at the middle is independent of it
    light.angle = kind == BRUME_LIGHT_SPOT ? 40.0f : 0.0f;
    light.blend = kind == BRUME_LIGHT_SPOT ? 0.2f : 0.0f;
    light.intensity = kind == BRUME_LIGHT_DIRECTIONAL ? 1.0f : 6.0f * distance * distance;
    light.width = light.height = kind == BRUME_LIGHT_RECTANGLE ? 0.3f * side : 0.0f;
    light.up = kind == BRUME_LIGHT_RECTANGLE ? brume_vec3(0.0f, 1.0f, 0.0f) : brume_vec3(0.0f, 0.0f, 0.0f);
    if (kind != BRUME_LIGHT_DIRECTIONAL) {
        light.direction = brume_length(to_middle) > 0.0f ? brume_normalize(to_middle) : brume_vec3(0.0f, -1.0f, 0.0f);
    }
    add_light(controls, &light);
}

static void add_rake(BrumeControls *controls, const BrumeRake *rake)
{
    BrumeRenderSettings *look = brume_controls_look(controls);
    controls->select.rake_count[look->rake_count] = 0;
    look->rakes[look->rake_count++] = *rake;
    select_last(controls, BRUME_OBJECT_RAKE);
}

void brume_object_add_rake(BrumeControls *controls)
{
    if (!brume_object_has_room(controls, BRUME_OBJECT_RAKE)) {
        return;
    }
    const BrumeVec3 wind = brume_normalize(brume_velocity_far_away(brume_controls_sim(controls)));
    const bool is_upright = fabsf(wind.y) < 0.7f && brume_length(wind) > 0.0f; // otherwise the air may rise
    const BrumeVec3 place = brume_sub(brume_vec3(0.5f, 0.5f, 0.5f), brume_scale(wind, 0.45f)); // upwind, in the box
    const BrumeVec3 middle = free_point(controls, BRUME_OBJECT_RAKE, point_of_box(controls, place.x, place.y, place.z));
    BrumeRake rake = brume_default_render_settings().rakes[0];
    const BrumeVec3 sides =
        brume_sub(point_of_box(controls, 1.0f, 1.0f, 1.0f), point_of_box(controls, 0.0f, 0.0f, 0.0f));
    const BrumeVec3 to_end =
        is_upright ? brume_vec3(0.0f, 0.35f * sides.y, 0.0f) : brume_vec3(0.35f * sides.x, 0.0f, 0.0f);
    rake.from = brume_sub(middle, to_end);
    rake.to = brume_add(middle, to_end);
    add_rake(controls, &rake);
}

bool brume_object_can_duplicate(const BrumeControls *controls, BrumeObject object)
{
    return brume_object_exists(controls, object) && brume_objects_can_change(controls, object.kind) &&
           brume_object_has_room(controls, object.kind);
}

void brume_object_duplicate_selected(BrumeControls *controls)
{
    const BrumeObject object = controls->select.selected;
    if (!brume_object_can_duplicate(controls, object)) {
        return;
    }
    const BrumeVec3 beside = {2.0f * brume_snap_step(longest_side(controls)), 0.0f, 0.0f};
    const BrumePose pose = brume_object_pose(controls, object);
    if (object.kind == BRUME_OBJECT_EMITTER) {
        const BrumeEmitterDef copy = brume_controls_sim(controls)->emitters[object.index];
        add_emitter(controls, &copy);
    } else if (object.kind == BRUME_OBJECT_BODY) {
        const int surface = controls->surface_of[object.index];
        const BrumeBodyDef copy = controls->present.bodies[object.index];
        const BrumeSurface *surfaces = brume_controls_edited_look(controls)->surfaces;
        add_body(controls, &copy, surface >= 0 ? &surfaces[surface] : &new_surface);
    } else if (object.kind == BRUME_OBJECT_RAKE) {
        const BrumeRake copy = brume_controls_edited_look(controls)->rakes[object.index];
        add_rake(controls, &copy);
    } else {
        const BrumeLight copy = brume_controls_edited_look(controls)->lights[object.index];
        add_light(controls, &copy);
    }
    const BrumePose moved = brume_pose_moved(&pose, beside);
    brume_object_set_pose(controls, controls->select.selected, &moved, false);
}

// takes bodies and emitters from a body that is deleted; they stay where they are
static void release_followers(BrumeControls *controls, int body)
{
    for (int kind = BRUME_OBJECT_EMITTER; kind <= BRUME_OBJECT_BODY; kind++) {
        for (int n = 0; n < brume_object_count(controls, (BrumeObjectKind)kind); n++) {
            const BrumeObject object = {(BrumeObjectKind)kind, n};
            if (brume_object_exists(controls, object) && brume_object_parent(controls, object) == body + 1) {
                brume_object_follow(controls, object, 0);
            }
        }
    }
}

// removes an emitter from the settings of a variant; its keys, which both variants share, belong to the edited one
static void remove_emitter(BrumeControls *controls, BrumeSimDef *sim, int n)
{
    sim->emitter_count--;
    memmove(&sim->emitters[n], &sim->emitters[n + 1], (size_t)(sim->emitter_count - n) * sizeof sim->emitters[0]);
    memset(&sim->emitters[sim->emitter_count], 0, sizeof sim->emitters[0]);
    if (sim == brume_controls_sim(controls)) {
        brume_keys_remove_item(&controls->animation, "emitters", n);
    }
}

// deletes a body with the emitters that have its shape; its number stays
static void delete_body(BrumeControls *controls, int body)
{
    release_followers(controls, body);
    for (int variant = 0; variant <= (int)controls->compare; variant++) {
        BrumeSimDef *sim = &controls->sim[variant];
        for (int n = sim->emitter_count - 1; n >= 0; n--) {
            if (sim->emitters[n].body == body + 1) {
                remove_emitter(controls, sim, n);
            }
        }
    }
    controls->present.bodies[body].disabled = true;
    controls->present.placed |= (uint64_t)1 << body;
    controls->present.deleted |= (uint64_t)1 << body;
}

void brume_object_delete_selected(BrumeControls *controls)
{
    const BrumeObject object = controls->select.selected;
    const int n = object.index;
    if (!brume_object_exists(controls, object) || !brume_objects_can_change(controls, object.kind)) {
        return;
    }
    if (object.kind == BRUME_OBJECT_EMITTER) {
        remove_emitter(controls, brume_controls_sim(controls), n);
    } else if (object.kind == BRUME_OBJECT_BODY) {
        delete_body(controls, n);
    } else if (object.kind == BRUME_OBJECT_RAKE) {
        BrumeRenderSettings *look = brume_controls_look(controls);
        int *before = controls->select.rake_count;
        look->rake_count--;
        memmove(&look->rakes[n], &look->rakes[n + 1], (size_t)(look->rake_count - n) * sizeof look->rakes[0]);
        memmove(&before[n], &before[n + 1], (size_t)(look->rake_count - n) * sizeof before[0]);
        look->rakes[look->rake_count] = brume_default_render_settings().rakes[0];
    } else {
        BrumeRenderSettings *look = brume_controls_look(controls);
        float *intensity = controls->select.light_intensity;
        look->light_count--;
        memmove(&look->lights[n], &look->lights[n + 1], (size_t)(look->light_count - n) * sizeof look->lights[0]);
        memmove(&intensity[n], &intensity[n + 1], (size_t)(look->light_count - n) * sizeof intensity[0]);
        memset(&look->lights[look->light_count], 0, sizeof look->lights[0]);
        brume_keys_remove_item(&controls->animation, "lights", n);
    }
    brume_select(controls, (BrumeObject){BRUME_OBJECT_NONE, 0});
}

static void switch_light(BrumeLight *light, float *before, bool on)
{
    if (on) {
        light->intensity = *before > 0.0f ? *before : 1.0f;
    } else {
        *before = light->intensity;
        light->intensity = 0.0f;
    }
}

static void switch_rake(BrumeRake *rake, int *before, bool on)
{
    if (on) {
        rake->count = *before > 0 ? *before : brume_default_render_settings().rakes[0].count;
    } else {
        *before = rake->count;
        rake->count = 0;
    }
}

void brume_object_switch(BrumeControls *controls, BrumeObject object, bool on, const BrumeEmitterDef *scene)
{
    const int n = object.index;
    if (!brume_object_exists(controls, object) || !brume_objects_can_change(controls, object.kind) ||
        brume_object_is_on(controls, object) == on) {
        return;
    }
    if (object.kind == BRUME_OBJECT_EMITTER) {
        BrumeEmitterDef *emitter = &brume_controls_sim(controls)->emitters[n];
        emitter->start = !on ? BRUME_NEVER_STARTS : scene && scene->start < BRUME_NEVER_STARTS ? scene->start : 0.0f;
        emitter->end = on && scene ? scene->end : INFINITY;
    } else if (object.kind == BRUME_OBJECT_BODY) {
        controls->present.bodies[n].disabled = !on;
        controls->present.deleted &= ~((uint64_t)1 << n);
        controls->present.placed |= (uint64_t)1 << n;
    } else if (object.kind == BRUME_OBJECT_RAKE) {
        switch_rake(&brume_controls_look(controls)->rakes[n], &controls->select.rake_count[n], on);
    } else {
        switch_light(&brume_controls_look(controls)->lights[n], &controls->select.light_intensity[n], on);
    }
}

bool brume_body_is_visible(const BrumeControls *controls, int n)
{
    const int surface = controls->surface_of[n];
    const BrumeRenderSettings *look = brume_controls_edited_look(controls);
    return surface >= 0 && surface < look->surface_count && !brume_surface_is_hidden(look, surface);
}

void brume_body_show(BrumeControls *controls, int n, bool visible)
{
    const int surface = controls->surface_of[n];
    const int count = brume_controls_edited_look(controls)->surface_count;
    if (surface >= 0 && surface < count) {
        hide_surface(&controls->render_settings, surface, !visible);
        hide_surface(&controls->other_look, surface, !visible);
    } else if (visible && count < BRUME_MAX_SURFACES) {
        give_surface(controls, n, &new_surface);
    }
}

bool brume_body_collides(const BrumeControls *controls, int n) { return !controls->present.bodies[n].passable; }

void brume_body_collide(BrumeControls *controls, int n, bool collides)
{
    controls->present.bodies[n].passable = !collides;
    controls->present.placed |= (uint64_t)1 << n;
}

// where the number of an object's parent is
static int *parent_of(BrumeSimDef *settings, BrumeObject object)
{
    return object.kind == BRUME_OBJECT_BODY ? &settings->bodies[object.index].parent
                                            : &settings->emitters[object.index].parent;
}

int brume_object_parent(const BrumeControls *controls, BrumeObject object)
{
    BrumeSimDef present = brume_present_settings(controls);
    return *parent_of(&present, object);
}

bool brume_object_can_follow(const BrumeControls *controls, BrumeObject object, int parent)
{
    const BrumeSimDef present = brume_present_settings(controls);
    const bool is_body = object.kind == BRUME_OBJECT_BODY;
    const BrumeObject leader = {BRUME_OBJECT_BODY, parent - 1};
    if (!is_body && (object.kind != BRUME_OBJECT_EMITTER || present.emitters[object.index].body > 0)) {
        return false;
    }
    if (parent == 0) {
        return true;
    }
    int next = parent;
    for (int levels = 0; levels < present.body_count && next > 0 && !(is_body && next == object.index + 1); levels++) {
        next = present.bodies[next - 1].parent;
    }
    const BrumeVec3 scale = present.bodies[parent - 1].shape.scale;
    return next == 0 && brume_object_exists(controls, leader) && !(scale.x < scale.y || scale.x > scale.y) &&
           !(scale.y < scale.z || scale.y > scale.z);
}

void brume_object_follow(BrumeControls *controls, BrumeObject object, int parent)
{
    const BrumePose pose = brume_object_pose(controls, object);
    if (brume_object_parent(controls, object) == parent || !brume_object_can_follow(controls, object, parent)) {
        return;
    }
    brume_move_keys_into(controls, object, parent);
    if (object.kind == BRUME_OBJECT_BODY) {
        controls->present.bodies[object.index].parent = parent;
    } else {
        brume_controls_sim(controls)->emitters[object.index].parent = parent;
    }
    brume_object_set_pose(controls, object, &pose, false);
}

bool brume_object_can_emit_from(const BrumeControls *controls, int body)
{
    const BrumeObject source = {BRUME_OBJECT_BODY, body - 1};
    return body == 0 || (brume_object_exists(controls, source) &&
                         controls->present.bodies[body - 1].shape.kind != BRUME_SHAPE_VOLUME);
}

// removes the keys of the shape of an emitter
static void clear_shape_keys(BrumeControls *controls, int emitter)
{
    for (int n = controls->animation.count - 1; n >= 0; n--) {
        BrumeAnimatedMember member;
        if (brume_animated_find(controls->animation.values[n].path, &member) && member.owner == BRUME_ANIMATED_SHAPE &&
            member.index == emitter) {
            brume_keys_clear(&controls->animation, &controls->animation.values[n]);
        }
    }
}

void brume_object_emit_from(BrumeControls *controls, int emitter, int body)
{
    BrumeSimDef *sim = brume_controls_sim(controls);
    BrumeEmitterDef *def = &sim->emitters[emitter];
    if (def->body == body || !brume_object_can_emit_from(controls, body)) {
        return;
    }
    const BrumeShape former = brume_object_pose(controls, (BrumeObject){BRUME_OBJECT_EMITTER, emitter}).shape;
    BrumeVec3 center;
    float radius;
    brume_shape_sphere(&former, &center, &radius);
    const float most = 0.25f * longest_side(controls);
    const bool is_mesh = body > 0 && controls->present.bodies[body - 1].shape.kind == BRUME_SHAPE_MESH;
    clear_shape_keys(controls, emitter);
    def->shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE}; // not used with a body
    if (body == 0) {
        def->shape = new_shape(BRUME_SHAPE_SPHERE, center, fminf(radius, most));
    }
    if (body > 0 && def->from == BRUME_EMIT_VOLUME) {
        def->thickness = 2.0f * sim->dx;
    }
    if (body > 0 || def->from == BRUME_EMIT_VERTICES) {
        def->from = BRUME_EMIT_SURFACE;
        def->softness = 0.0f;
    }
    def->mesh_color = def->mesh_color && is_mesh;
    def->parent = 0;
    def->body = body;
}

// returns the bodies that the scene itself moves or changes, one bit for each
static uint64_t changed_by_timeline(const BrumeTimeline *timeline)
{
    uint64_t found = 0;
    for (int n = 0; n < timeline->count; n++) {
        const BrumeChange *change = &timeline->changes[n];
        found |= change->settings ? change->placed : 0;
        for (int m = 0; m < change->move_count; m++) {
            found |= (uint64_t)1 << change->moves[m].body;
        }
    }
    return found;
}

// whether two bodies have the same values; padding is ignored
static bool same_body(const BrumeBodyDef *a, const BrumeBodyDef *b)
{
    return brume_shape_equal(&a->shape, &b->shape) && a->slip == b->slip &&
           a->fixed_temperature == b->fixed_temperature && a->temperature == b->temperature && a->parent == b->parent &&
           a->passable == b->passable && a->disabled == b->disabled;
}

void brume_bodies_reset(BrumeControls *controls, const BrumeScene *scene)
{
    BrumePresentBodies *present = &controls->present;
    const uint64_t changed = changed_by_timeline(&scene->timeline);
    for (int n = 0; n < present->count; n++) {
        const uint64_t bit = (uint64_t)1 << n;
        BrumeBodyDef *body = &present->bodies[n];
        if (n >= scene->sim.body_count && !(changed & bit) && !body->disabled) {
            body->disabled = true;
            present->placed |= bit;
            present->deleted |= bit;
        } else if (n < scene->sim.body_count && !(changed & bit) && !same_body(body, &scene->sim.bodies[n])) {
            *body = scene->sim.bodies[n];
            present->placed |= bit;
            present->deleted &= ~bit;
        }
    }
}
