#include "viewer/edit/objects.h"

#include "core/mesh.h"
#include "core/path.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "scene/format/animated_bodies.h"
#include "scene/format/animation.h"
#include "sim/settings/settings.h"

#include <stdio.h>
#include <string.h>

static const float smallest = 1e-3f; // least size of a scaled object, as a fraction of the longest side of the box
static const float least_scale = 1e-6f, most_scale = 1e6f; // limits in a scene
static const float degrees = 57.29577951f;                 // of a radian

static float clamp(float value, float least, float most) { return fminf(fmaxf(value, least), most); }

static const BrumeSimDef *sim_of(const BrumeControls *controls)
{
    return &controls->sim[controls->compare ? controls->edited_variant : 0];
}

int brume_object_count(const BrumeControls *controls, BrumeObjectKind kind)
{
    switch (kind) {
    case BRUME_OBJECT_EMITTER:
        return sim_of(controls)->emitter_count;
    case BRUME_OBJECT_BODY:
        return controls->present.count;
    case BRUME_OBJECT_LIGHT:
        return brume_controls_edited_look(controls)->light_count;
    case BRUME_OBJECT_RAKE:
        return brume_controls_edited_look(controls)->rake_count;
    case BRUME_OBJECT_NONE:
    case BRUME_OBJECT_KINDS:
        break;
    }
    return 0;
}

bool brume_object_exists(const BrumeControls *controls, BrumeObject object)
{
    return object.kind != BRUME_OBJECT_NONE && object.index >= 0 &&
           object.index < brume_object_count(controls, object.kind) &&
           (object.kind >= BRUME_OBJECT_LIGHT || !controls->select.lights_only) &&
           !(object.kind == BRUME_OBJECT_BODY && (controls->present.deleted >> object.index & 1) != 0 &&
             controls->present.bodies[object.index].disabled);
}

BrumeObject brume_object_next(const BrumeControls *controls, BrumeObject object, int step)
{
    BrumeObject all[BRUME_MAX_EMITTERS + BRUME_MAX_BODIES + BRUME_MAX_LIGHTS + BRUME_MAX_RAKES];
    int count = 0;
    int present = step > 0 ? -1 : 0;
    for (int kind = BRUME_OBJECT_EMITTER; kind < BRUME_OBJECT_KINDS; kind++) {
        for (int n = 0; n < brume_object_count(controls, (BrumeObjectKind)kind); n++) {
            const BrumeObject each = {(BrumeObjectKind)kind, n};
            if (brume_object_exists(controls, each)) {
                present = brume_same_object(each, object) ? count : present;
                all[count++] = each;
            }
        }
    }
    return count > 0 ? all[(present + step + count) % count] : (BrumeObject){BRUME_OBJECT_NONE, 0};
}

const char *brume_object_shape_name(const BrumeControls *controls, BrumeObject object)
{
    static const char *const shapes[] = {"sphere", "box",   "cylinder", "capsule", "volume",
                                         "cone",   "torus", "plane",    "mesh"};
    static const char *const lights[] = {"sun", "point light", "spot", "rectangle"};
    const BrumePose pose = brume_object_pose(controls, object);
    const int body = object.kind == BRUME_OBJECT_BODY      ? object.index
                     : object.kind == BRUME_OBJECT_EMITTER ? sim_of(controls)->emitters[object.index].body - 1
                                                           : -1;
    if (body >= 0 && body < controls->present.count && controls->present.bodies[body].name[0]) {
        return controls->present.bodies[body].name;
    }
    const char *file = object.kind < BRUME_OBJECT_LIGHT && pose.shape.mesh ? brume_mesh_file(pose.shape.mesh) : NULL;
    if (file) {
        return brume_path_name(file);
    }
    const BrumeForceKind force =
        object.kind == BRUME_OBJECT_EMITTER ? sim_of(controls)->emitters[object.index].force.kind : BRUME_FORCE_NONE;
    if (force != BRUME_FORCE_NONE) {
        return brume_force_name(force);
    }
    if (object.kind == BRUME_OBJECT_EMITTER && brume_emits_fuel(&sim_of(controls)->emitters[object.index])) {
        return "fire";
    }
    return object.kind == BRUME_OBJECT_LIGHT  ? lights[pose.light.kind]
           : object.kind == BRUME_OBJECT_RAKE ? "streamlines"
                                              : shapes[pose.shape.kind];
}

void brume_object_name(const BrumeControls *controls, BrumeObject object, char *text, size_t size)
{
    static const char *const kinds[] = {"", "emitter", "body", "light", "rake"};
    (void)snprintf(text, size, "%s %d, %s", kinds[object.kind], object.index + 1,
                   brume_object_shape_name(controls, object));
}

bool brume_object_is_on(const BrumeControls *controls, BrumeObject object)
{
    switch (object.kind) {
    case BRUME_OBJECT_EMITTER:
        return sim_of(controls)->emitters[object.index].start < BRUME_NEVER_STARTS;
    case BRUME_OBJECT_LIGHT:
        return brume_controls_edited_look(controls)->lights[object.index].intensity > 0.0f;
    case BRUME_OBJECT_BODY:
        return !controls->present.bodies[object.index].disabled;
    case BRUME_OBJECT_RAKE:
        return brume_controls_edited_look(controls)->rakes[object.index].count > 0;
    case BRUME_OBJECT_NONE:
    case BRUME_OBJECT_KINDS:
        break;
    }
    return false;
}

BrumeSimDef brume_present_settings(const BrumeControls *controls)
{
    BrumeSimDef settings = *sim_of(controls);
    settings.body_count = controls->present.count;
    memcpy(settings.bodies, controls->present.bodies, sizeof settings.bodies);
    return settings;
}

// a capsule around the line of a rake, wide enough to be picked
static BrumeShape shape_of_rake(const BrumeControls *controls, const BrumeRake *rake)
{
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_controls_box(controls, &lower, &upper);
    return (BrumeShape){.kind = BRUME_SHAPE_CAPSULE,
                        .a = rake->from,
                        .b = rake->to,
                        .radius = 0.008f * brume_length(brume_sub(upper, lower))};
}

BrumePose brume_object_pose(const BrumeControls *controls, BrumeObject object)
{
    BrumePose pose = {.kind = object.kind};
    if (object.kind == BRUME_OBJECT_LIGHT) {
        pose.light = brume_controls_edited_look(controls)->lights[object.index];
    } else if (object.kind == BRUME_OBJECT_RAKE) {
        pose.shape = shape_of_rake(controls, &brume_controls_edited_look(controls)->rakes[object.index]);
    } else if (object.kind == BRUME_OBJECT_BODY) {
        const BrumeSimDef present = brume_present_settings(controls);
        pose.shape = brume_body_shape(&present, object.index);
    } else {
        const BrumeSimDef present = brume_present_settings(controls);
        pose.shape = brume_emitter_shape(&present, object.index);
    }
    return pose;
}

BrumeShape brume_shown_shape(const BrumeControls *controls, const BrumeShape *shape)
{
    const BrumePresentBodies *present = &controls->present;
    BrumeShape shown = *shape;
    for (int n = 0; n < present->count && shown.mesh; n++) {
        if ((present->deformed >> n & 1) != 0 && present->bodies[n].shape.mesh == shape->mesh) {
            const BrumeVec3 pivot = brume_add(brume_shape_own_center(shape), shape->pivot);
            shown.kind = BRUME_SHAPE_BOX;
            shown.mesh = NULL;
            shown.a = brume_add(shape->a, present->lower[n]);
            shown.b = brume_add(shape->a, present->upper[n]);
            shown.pivot = brume_sub(pivot, brume_shape_own_center(&shown)); // it turns and scales about the same point
        }
    }
    return shown;
}

void brume_controls_box(const BrumeControls *controls, BrumeVec3 *lower, BrumeVec3 *upper)
{
    const BrumeSimDef *sim = sim_of(controls);
    *lower = sim->origin;
    *upper = brume_add(*lower, brume_scale(brume_vec3((float)sim->nx, (float)sim->ny, (float)sim->nz), sim->dx));
}

// returns the shape with its middle in the box: a scene with a shape outside the box is not valid
static BrumeShape kept_in_box(const BrumeControls *controls, const BrumeShape *shape)
{
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_controls_box(controls, &lower, &upper);
    BrumeVec3 center;
    float radius;
    brume_shape_sphere(shape, &center, &radius);
    const BrumeVec3 inside = {clamp(center.x, lower.x, upper.x), clamp(center.y, lower.y, upper.y),
                              clamp(center.z, lower.z, upper.z)};
    const BrumeVec3 by = brume_sub(inside, center);
    return brume_is_zero(by) ? *shape : brume_shape_moved(shape, by);
}

bool brume_position_is_keyed(const BrumeControls *controls, BrumeObject object)
{
    bool found = false;
    for (int n = 0; n < controls->animation.count; n++) {
        BrumeAnimatedMember member;
        const bool is_shape =
            brume_animated_find(controls->animation.values[n].path, &member) &&
            member.owner == (object.kind == BRUME_OBJECT_BODY ? BRUME_ANIMATED_SOLID : BRUME_ANIMATED_SHAPE);
        found = found ||
                (is_shape && member.index == object.index && member.setting->offset == offsetof(BrumeShape, position));
    }
    return found;
}

// the middle of a shape in its own frame
static BrumeVec3 own_center(const BrumeShape *shape)
{
    return brume_sub(brume_sub(brume_shape_pivot(shape), shape->position), shape->pivot);
}

BrumeShape brume_follower_shape(const BrumeSimDef *settings, BrumeObject object, const BrumeShape *shape,
                                bool by_position)
{
    const bool is_body = object.kind == BRUME_OBJECT_BODY;
    const int parent = is_body ? settings->bodies[object.index].parent : settings->emitters[object.index].parent;
    const BrumeShape *former =
        is_body ? &settings->bodies[object.index].shape : &settings->emitters[object.index].shape;
    BrumeShape own = *shape;
    if (parent > 0) {
        const BrumeShape outer = brume_body_shape(settings, parent - 1);
        own = brume_shape_into(&outer, shape);
        own.rotation = brume_rotation_near(own.rotation, former->rotation);
    }
    const BrumeVec3 by =
        by_position ? brume_sub(own_center(former), own_center(&own)) : brume_sub(own.position, former->position);
    own.position = brume_sub(own.position, by);
    return brume_shape_moved(&own, by);
}

// whether a body is the parent of another one, or of an emitter
static bool is_followed(const BrumeControls *controls, int body)
{
    bool found = false;
    for (int n = 0; n < controls->present.count; n++) {
        found = found || controls->present.bodies[n].parent == body + 1;
    }
    for (int n = 0; n < sim_of(controls)->emitter_count; n++) {
        found = found || sim_of(controls)->emitters[n].parent == body + 1;
    }
    return found;
}

static void set_body(BrumeControls *controls, int n, const BrumeShape *shape, bool moves)
{
    BrumePresentBodies *present = &controls->present;
    BrumeShape *now = &present->bodies[n].shape;
    if (controls->select.keys_only) { // an earlier frame is shown: the present body does not change
        *now = *shape;
        return;
    }
    if (moves) {
        const bool moved = (present->moved >> n & 1) != 0;
        const BrumeVec3 none = {0.0f, 0.0f, 0.0f};
        const BrumeVec3 by = brume_add(brume_sub(shape->a, now->a), brume_sub(shape->position, now->position));
        const BrumeVec3 lasting = brume_displacement_without_keys(&controls->animation, n, by);
        present->displacement[n] = brume_add(moved ? present->displacement[n] : none, lasting);
        present->turn[n] = brume_add(moved ? present->turn[n] : none, brume_sub(shape->rotation, now->rotation));
        present->moved |= (uint64_t)1 << n;
    } else {
        present->placed |= (uint64_t)1 << n;
    }
    *now = *shape;
}

void brume_object_set_pose(BrumeControls *controls, BrumeObject object, const BrumePose *pose, bool moves)
{
    if (object.kind == BRUME_OBJECT_LIGHT) {
        brume_controls_look(controls)->lights[object.index] = pose->light;
        return;
    }
    if (object.kind == BRUME_OBJECT_EMITTER && sim_of(controls)->emitters[object.index].body > 0) {
        return; // its shape is that of a body
    }
    BrumeShape shape = kept_in_box(controls, &pose->shape);
    if (object.kind == BRUME_OBJECT_RAKE) {
        BrumeRake *rake = &brume_controls_look(controls)->rakes[object.index];
        const BrumeShapeFrame frame = brume_shape_frame(&shape); // a pose may be turned and scaled
        rake->from = brume_frame_point(&frame, shape.a);
        rake->to = brume_frame_point(&frame, shape.b);
        return;
    }
    const BrumeSimDef present = brume_present_settings(controls);
    shape = brume_follower_shape(&present, object, &shape, brume_position_is_keyed(controls, object));
    if (object.kind == BRUME_OBJECT_BODY) {
        if (is_followed(controls, object.index)) { // the frame of its followers has one factor
            const float factor = cbrtf(shape.scale.x * shape.scale.y * shape.scale.z);
            shape.scale = brume_vec3(factor, factor, factor);
        }
        set_body(controls, object.index, &shape, moves);
    } else {
        brume_controls_sim(controls)->emitters[object.index].shape = shape;
    }
}

BrumeVec3 brume_light_place(const BrumeControls *controls, const BrumeLight *light)
{
    if (light->kind != BRUME_LIGHT_DIRECTIONAL) {
        return light->position;
    }
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_controls_box(controls, &lower, &upper);
    const BrumeVec3 middle = brume_scale(brume_add(lower, upper), 0.5f);
    const float distance = 0.6f * brume_length(brume_sub(upper, lower));
    return brume_sub(middle, brume_scale(brume_normalize(light->direction), distance));
}

BrumeVec3 brume_pose_center(const BrumeControls *controls, const BrumePose *pose)
{
    if (pose->kind != BRUME_OBJECT_LIGHT) {
        return brume_shape_pivot(&pose->shape);
    }
    if (pose->light.kind != BRUME_LIGHT_DIRECTIONAL) {
        return pose->light.position;
    }
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_controls_box(controls, &lower, &upper);
    return brume_scale(brume_add(lower, upper), 0.5f);
}

// whether a shape has two ends
static bool has_axis(const BrumeShape *shape)
{
    return shape->kind == BRUME_SHAPE_CYLINDER || shape->kind == BRUME_SHAPE_CAPSULE || shape->kind == BRUME_SHAPE_CONE;
}

bool brume_pose_can(const BrumePose *pose, BrumeGizmoMode mode)
{
    const bool is_light = pose->kind == BRUME_OBJECT_LIGHT;
    const BrumeLightKind light = pose->light.kind;
    // an emitter has no surface that the air follows
    const bool looks_the_same = pose->kind == BRUME_OBJECT_EMITTER && pose->shape.kind == BRUME_SHAPE_SPHERE &&
                                !brume_shape_is_placed(&pose->shape);
    switch (mode) {
    case BRUME_GIZMO_MOVE:
        return !is_light || light != BRUME_LIGHT_DIRECTIONAL;
    case BRUME_GIZMO_TURN:
        return is_light ? light != BRUME_LIGHT_POINT : !looks_the_same;
    case BRUME_GIZMO_SCALE:
        return is_light ? light == BRUME_LIGHT_RECTANGLE : pose->shape.kind != BRUME_SHAPE_PLANE;
    case BRUME_GIZMO_MODES:
        break;
    }
    return false;
}

bool brume_shape_scales_by_factors(const BrumeShape *shape)
{
    return shape->kind == BRUME_SHAPE_MESH || brume_length(shape->pivot) > 0.0f;
}

bool brume_pose_scales_along(const BrumePose *pose, int axis)
{
    if (pose->kind == BRUME_OBJECT_LIGHT) {
        return axis < 2;
    }
    if (brume_shape_scales_by_factors(&pose->shape)) {
        return true;
    }
    return has_axis(&pose->shape) ? axis < 2
                                  : pose->shape.kind == BRUME_SHAPE_BOX || pose->shape.kind == BRUME_SHAPE_VOLUME;
}

static BrumeVec3 any_across(BrumeVec3 direction)
{
    const BrumeVec3 other = fabsf(direction.y) < 0.9f ? brume_vec3(0.0f, 1.0f, 0.0f) : brume_vec3(1.0f, 0.0f, 0.0f);
    return brume_normalize(brume_cross(direction, other));
}

BrumeVec3 brume_pose_axis(const BrumePose *pose, int axis)
{
    BrumeVec3 axes[3] = {{1.0f, 0.0f, 0.0f}, {0.0f, 1.0f, 0.0f}, {0.0f, 0.0f, 1.0f}};
    if (pose->kind == BRUME_OBJECT_LIGHT && pose->light.kind == BRUME_LIGHT_RECTANGLE) {
        brume_rectangle_axes(&pose->light, &axes[0], &axes[1]);
        axes[0] = brume_normalize(axes[0]);
        axes[1] = brume_normalize(axes[1]);
        axes[2] = brume_normalize(pose->light.direction);
    } else if (pose->kind != BRUME_OBJECT_LIGHT && has_axis(&pose->shape) &&
               !brume_shape_scales_by_factors(&pose->shape)) {
        axes[1] = brume_normalize(brume_sub(pose->shape.b, pose->shape.a)); // axis of its length
        axes[0] = any_across(axes[1]);                                      // axis of its radius
        axes[2] = brume_cross(axes[0], axes[1]);
    }
    if (pose->kind != BRUME_OBJECT_LIGHT && brume_shape_is_turned(&pose->shape)) {
        const BrumeShapeFrame frame = brume_shape_frame(&pose->shape);
        const BrumeVec3 end = brume_frame_point(&frame, brume_add(frame.own_pivot, axes[axis]));
        return brume_normalize(brume_sub(end, frame.pivot));
    }
    return axes[axis];
}

BrumePose brume_pose_moved(const BrumePose *pose, BrumeVec3 by)
{
    BrumePose moved = *pose;
    moved.shape = brume_shape_moved(&pose->shape, by);
    moved.light.position = brume_add(pose->light.position, by);
    return moved;
}

// turns a vector about an axis (Rodrigues' formula)
static BrumeVec3 turned(BrumeVec3 vector, BrumeVec3 axis, float angle)
{
    const BrumeVec3 along = brume_scale(axis, brume_dot(axis, vector) * (1.0f - cosf(angle)));
    return brume_add(brume_add(brume_scale(vector, cosf(angle)), brume_scale(brume_cross(axis, vector), sinf(angle))),
                     along);
}

/*
 * Euler angles about x, then y, then z: the columns of the matrix Rz Ry Rx are the axes of the frame.
 */

// returns the angles of these axes; where those about x and z have the same effect, that about z is `z`
static BrumeVec3 angles_of(const BrumeVec3 axes[3], float z)
{
    const float level = hypotf(axes[0].x, axes[0].y);
    const float about_z = level > 1e-5f ? atan2f(axes[0].y, axes[0].x) : z / degrees;
    const float cosine = cosf(about_z);
    const float sine = sinf(about_z);
    const float about_x = atan2f(sine * axes[2].x - cosine * axes[2].y, cosine * axes[1].y - sine * axes[1].x);
    return brume_scale(brume_vec3(about_x, atan2f(-axes[0].z, level), about_z), degrees);
}

static BrumeShape turned_shape(const BrumeShape *shape, BrumeVec3 axis, float angle)
{
    BrumeShape result = *shape;
    BrumeShapeFrame frame = brume_shape_frame(shape);
    for (int n = 0; n < 3; n++) {
        frame.axes[n] = turned(frame.axes[n], axis, angle);
    }
    result.rotation = brume_rotation_near(angles_of(frame.axes, shape->rotation.z), shape->rotation);
    return result;
}

BrumePose brume_pose_turned(const BrumePose *pose, BrumeVec3 axis, float angle)
{
    BrumePose result = *pose;
    if (pose->kind == BRUME_OBJECT_LIGHT) {
        const float length = brume_length(pose->light.direction);
        BrumeVec3 across;
        BrumeVec3 along;
        brume_rectangle_axes(&pose->light, &across, &along);
        result.light.direction =
            brume_scale(brume_normalize(turned(pose->light.direction, axis, angle)), length > 0.0f ? length : 1.0f);
        if (pose->light.kind == BRUME_LIGHT_RECTANGLE) {
            result.light.up = brume_normalize(turned(along, axis, angle));
        }
        return result;
    }
    result.shape = turned_shape(&pose->shape, axis, angle);
    return result;
}

BrumePose brume_pose_scaled(const BrumePose *pose, BrumeVec3 factors)
{
    BrumePose scaled = *pose;
    BrumeShape *shape = &scaled.shape;
    const BrumeVec3 middle = brume_scale(brume_add(shape->a, shape->b), 0.5f);
    const BrumeVec3 half = brume_scale(brume_sub(shape->b, shape->a), 0.5f);
    if (pose->kind == BRUME_OBJECT_LIGHT) {
        scaled.light.width = fmaxf(pose->light.width * factors.x, smallest);
        scaled.light.height = fmaxf(pose->light.height * factors.y, smallest);
    } else if (brume_shape_scales_by_factors(shape)) {
        const BrumeVec3 product = brume_mul(brume_shape_scale(shape), factors);
        shape->scale = brume_vec3(clamp(product.x, least_scale, most_scale), clamp(product.y, least_scale, most_scale),
                                  clamp(product.z, least_scale, most_scale));
    } else if (shape->kind == BRUME_SHAPE_SPHERE || shape->kind == BRUME_SHAPE_TORUS) {
        const float factor = cbrtf(factors.x * factors.y * factors.z);
        shape->radius = fmaxf(shape->radius * factor, smallest);
        shape->second_radius *= factor;
    } else if (has_axis(shape)) {
        shape->radius = fmaxf(shape->radius * factors.x, smallest);
        shape->second_radius *= factors.x;
        shape->a = brume_sub(middle, brume_scale(half, factors.y));
        shape->b = brume_add(middle, brume_scale(half, factors.y));
    } else {
        shape->a = brume_sub(middle, brume_mul(half, factors));
        shape->b = brume_add(middle, brume_mul(half, factors));
    }
    return scaled;
}

void brume_rectangle_axes(const BrumeLight *light, BrumeVec3 *across, BrumeVec3 *along)
{
    const BrumeVec3 normal = brume_normalize(light->direction);
    BrumeVec3 up = brume_sub(light->up, brume_scale(normal, brume_dot(light->up, normal)));
    if (!(brume_length(up) > 1e-6f * brume_length(light->up))) {
        const BrumeVec3 z = {0.0f, 0.0f, 1.0f};
        up = fabsf(normal.z) < 0.999f ? brume_sub(z, brume_scale(normal, normal.z)) : brume_vec3(1.0f, 0.0f, 0.0f);
    }
    up = brume_normalize(up);
    *along = brume_scale(up, 0.5f * light->height);
    *across = brume_scale(brume_cross(up, normal), 0.5f * light->width);
}
