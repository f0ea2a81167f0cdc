#include "viewer/edit/object_keys.h"

#include "viewer/edit/objects.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

static int components_of(const BrumeAnimatedMember *member) { return member->is_vector ? 3 : 1; }

float *brume_controls_number(BrumeControls *controls, const BrumeAnimatedMember *member)
{
    BrumePresentBodies *present = &controls->present;
    const bool is_there = member->index < present->count;
    switch (member->owner) {
    case BRUME_ANIMATED_SOLID:
        return is_there ? brume_animated_shape_number(member, &present->bodies[member->index].shape) : NULL;
    case BRUME_ANIMATED_BODY:
        return is_there ? &present->bodies[member->index].temperature : NULL;
    default:
        return brume_animated_number(member, brume_controls_sim(controls), brume_controls_look(controls),
                                     controls->surface_of);
    }
}

static int animated_components(const BrumeControls *controls, const BrumeAnimatedMember *member)
{
    int found = 0;
    for (int n = 0; n < components_of(member); n++) {
        BrumeAnimatedMember component = *member;
        char path[BRUME_ANIMATION_PATH];
        component.component = n;
        brume_animated_path(&component, path);
        found += brume_keys_find((BrumeAnimation *)&controls->animation, path) != NULL; // the value is only read
    }
    return found;
}

bool brume_controls_animate_any(const BrumeControls *controls, const BrumeAnimatedMember *member)
{
    return animated_components(controls, member) > 0;
}

bool brume_controls_animate_all(const BrumeControls *controls, const BrumeAnimatedMember *member)
{
    return animated_components(controls, member) == components_of(member);
}

void brume_controls_set_keys(BrumeControls *controls, const BrumeAnimatedMember *member, double time)
{
    for (int n = 0; n < components_of(member); n++) {
        BrumeAnimatedMember component = *member;
        component.component = n;
        const float *number = brume_controls_number(controls, &component);
        char path[BRUME_ANIMATION_PATH];
        brume_animated_path(&component, path);
        if (number) {
            (void)brume_keys_set(&controls->animation, path, time, (double)*number);
        }
    }
}

enum { ALL_MODES = BRUME_GIZMO_MODES };

// lists the values of a shape that a mode of the gizmo changes, or those of its place, rotation and size together
static int shape_members(const BrumeControls *controls, BrumeObject object, int mode,
                         BrumeAnimatedMember members[BRUME_POSE_MEMBERS])
{
    const BrumePose pose = brume_object_pose(controls, object);
    const BrumeAnimatedOwner owner = object.kind == BRUME_OBJECT_BODY ? BRUME_ANIMATED_SOLID : BRUME_ANIMATED_SHAPE;
    const bool has_ends = pose.shape.kind != BRUME_SHAPE_SPHERE && pose.shape.kind != BRUME_SHAPE_TORUS;
    const bool all = mode == ALL_MODES;
    const bool factors = mode == BRUME_GIZMO_SCALE && brume_shape_scales_by_factors(&pose.shape);
    const bool sizes = mode == BRUME_GIZMO_SCALE && !factors;
    const bool by_position = mode == BRUME_GIZMO_MOVE && brume_position_is_keyed(controls, object);
    const bool ends = (mode == BRUME_GIZMO_MOVE && !by_position) || (sizes && has_ends);
    const struct {
        bool changes;
        size_t offset;
    } values[BRUME_POSE_MEMBERS] = {
        {all || ends, offsetof(BrumeShape, a)},
        {all || ends, offsetof(BrumeShape, b)},
        {all || sizes, offsetof(BrumeShape, radius)},
        {all || sizes, offsetof(BrumeShape, second_radius)},
        {all || mode == BRUME_GIZMO_TURN, offsetof(BrumeShape, rotation)},
        {all || factors, offsetof(BrumeShape, scale)},
        {all || by_position, offsetof(BrumeShape, position)},
    };
    int count = 0;
    for (int n = 0; n < BRUME_POSE_MEMBERS; n++) {
        count += values[n].changes &&
                 brume_animated_find_in_shape(owner, object.index, &pose.shape, values[n].offset, &members[count]);
    }
    return count;
}

int brume_object_members(const BrumeControls *controls, BrumeObject object, BrumeGizmoMode mode,
                         BrumeAnimatedMember members[BRUME_POSE_MEMBERS])
{
    if (object.kind == BRUME_OBJECT_RAKE) { // is not animated
        return 0;
    }
    if (object.kind != BRUME_OBJECT_LIGHT) {
        return shape_members(controls, object, (int)mode, members);
    }
    const BrumeRenderSettings *look = brume_controls_edited_look(controls);
    const BrumeLight *light = &look->lights[object.index];
    const bool is_sun = light->kind == BRUME_LIGHT_DIRECTIONAL;
    const void *const of_mode[][2] = {{is_sun ? &light->direction : &light->position, NULL},
                                      {&light->direction, NULL},
                                      {&light->width, &light->height}};
    int count = 0;
    for (int n = 0; n < 2 && of_mode[mode][n]; n++) {
        count += brume_animated_find_address(of_mode[mode][n], &controls->sim[0], look, controls->surface_of,
                                             &members[count]);
    }
    return count;
}

bool brume_object_can_change(const BrumeControls *controls, BrumeObject object, BrumeGizmoMode mode)
{
    BrumeAnimatedMember members[BRUME_POSE_MEMBERS];
    bool can = true;
    if (!brume_objects_can_change(controls, object.kind)) {
        const int count = brume_object_members(controls, object, mode, members);
        for (int n = 0; n < count; n++) {
            can = can && brume_controls_animate_all(controls, &members[n]);
        }
    }
    return can;
}

bool brume_objects_can_change(const BrumeControls *controls, BrumeObjectKind kind)
{
    return kind >= BRUME_OBJECT_LIGHT || !(controls->select.lights_only || controls->select.keys_only);
}

void brume_object_set_keys(BrumeControls *controls, BrumeObject object)
{
    const bool has_shape = object.kind < BRUME_OBJECT_LIGHT;
    if (!controls->auto_key && !controls->select.keys_only) {
        return;
    }
    for (int mode = 0; mode < (has_shape ? 1 : BRUME_GIZMO_MODES); mode++) {
        BrumeAnimatedMember members[BRUME_POSE_MEMBERS];
        const int count = has_shape ? shape_members(controls, object, ALL_MODES, members)
                                    : brume_object_members(controls, object, (BrumeGizmoMode)mode, members);
        for (int n = 0; n < count; n++) {
            if (brume_controls_animate_any(controls, &members[n])) {
                brume_controls_set_keys(controls, &members[n], controls->select.time);
            }
        }
    }
}

// adds the times of the keys of all components of a member to a list of different times
static int add_times(const BrumeAnimation *animation, const BrumeAnimatedMember *member, double *times, int count)
{
    for (int n = 0; n < components_of(member); n++) {
        BrumeAnimatedMember component = *member;
        char path[BRUME_ANIMATION_PATH];
        component.component = n;
        brume_animated_path(&component, path);
        const BrumeAnimatedValue *value = brume_keys_find((BrumeAnimation *)animation, path); // is only read
        for (int key = 0; value && key < value->key_count; key++) {
            int same = count - 1;
            while (same >= 0 && fabs(times[same] - value->keys[key].time) > BRUME_KEY_DISTANCE) {
                same--;
            }
            if (same < 0) {
                times[count++] = value->keys[key].time;
            }
        }
    }
    return count;
}

static int compare_times(const void *a, const void *b)
{
    const double first = *(const double *)a;
    const double second = *(const double *)b;
    return (first > second) - (first < second);
}

// the present settings at a time [s]
static BrumeSimDef settings_at(const BrumeSimDef *present, const BrumeAnimation *animation, double time)
{
    BrumeSimDef settings = *present;
    (void)brume_animation_apply_bodies(animation, time, &settings);
    (void)brume_animation_apply_sim(animation, time, &settings);
    return settings;
}

// sets the keys of a member at a time [s] to those of a shape
static void set_shape_keys(BrumeControls *controls, const BrumeAnimatedMember *member, double time, BrumeShape *shape)
{
    for (int n = 0; n < components_of(member); n++) {
        BrumeAnimatedMember component = *member;
        char path[BRUME_ANIMATION_PATH];
        component.component = n;
        brume_animated_path(&component, path);
        (void)brume_keys_set(&controls->animation, path, time, (double)*brume_animated_shape_number(&component, shape));
    }
}

void brume_move_keys_into(BrumeControls *controls, BrumeObject object, int parent)
{
    double times[3 * BRUME_POSE_MEMBERS * BRUME_MAX_VALUE_KEYS];
    int time_count = 0;
    BrumeAnimatedMember members[BRUME_POSE_MEMBERS];
    const int count = shape_members(controls, object, ALL_MODES, members);
    for (int n = 0; n < count; n++) {
        time_count = add_times(&controls->animation, &members[n], times, time_count);
    }
    qsort(times, (size_t)time_count, sizeof times[0], compare_times);
    const bool is_body = object.kind == BRUME_OBJECT_BODY;
    const bool by_position = brume_position_is_keyed(controls, object);
    const BrumeSimDef present = brume_present_settings(controls);
    const BrumeAnimation former = controls->animation;
    for (int t = 0; t < time_count; t++) {
        BrumeSimDef settings = settings_at(&present, &former, times[t]);
        const BrumeShape world =
            is_body ? brume_body_shape(&settings, object.index) : brume_emitter_shape(&settings, object.index);
        *(is_body ? &settings.bodies[object.index].parent : &settings.emitters[object.index].parent) = parent;
        BrumeShape shape = brume_follower_shape(&settings, object, &world, by_position);
        for (int n = 0; n < count; n++) {
            if (brume_controls_animate_any(controls, &members[n])) {
                set_shape_keys(controls, &members[n], times[t], &shape);
            }
        }
    }
}

// whether a value of an emitter has a key up to a time [s], so that the emitter has a position at that time
static bool has_earlier_key(const BrumeAnimation *animation, int emitter, double time)
{
    for (int n = 0; n < animation->count; n++) {
        BrumeAnimatedMember member;
        const BrumeAnimatedValue *value = &animation->values[n];
        if (brume_animated_find(value->path, &member) && member.index == emitter && value->keys[0].time <= time &&
            (member.owner == BRUME_ANIMATED_EMITTER || member.owner == BRUME_ANIMATED_SHAPE)) {
            return true;
        }
    }
    return false;
}

void brume_keep_keyed_emitters(BrumeSimDef *sim, const BrumeSimDef *present, const BrumeAnimation *animation,
                               double time)
{
    while (sim->emitter_count < present->emitter_count && has_earlier_key(animation, sim->emitter_count, time)) {
        sim->emitters[sim->emitter_count] = present->emitters[sim->emitter_count];
        sim->emitter_count++;
        sim->color_count = present->color_count > sim->color_count ? present->color_count : sim->color_count;
    }
}
