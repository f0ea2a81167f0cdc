// Animated values: their evaluation, and which members of the settings they set.
#include "scene/format/animation.h"

#include "brume/shape.h"
#include "core/minmax.h"
#include "raymarch/settings.h"
#include "scene/format/derived.h"
#include "sim/lifecycle/lifecycle.h"
#include "sim/settings/settings.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

/** The settings of one struct that can be animated, by their indices in its table. */
typedef struct Group {
    BrumeAnimatedOwner owner;
    const BrumeSetting *table;
    int count;
    const int *ids;
} Group;

static const int sim_ids[] = {
    BRUME_SIM_THERMAL_EXPANSION,
    BRUME_SIM_VORTICITY_CONFINEMENT,
    BRUME_SIM_VISCOSITY,
    BRUME_SIM_THERMAL_DIFFUSIVITY,
    BRUME_SIM_COOLING,
    BRUME_SIM_WIND,
    BRUME_SIM_DRAG,
    BRUME_SIM_GRAVITY,
};
static const int smoke_ids[] = {BRUME_SMOKE_WEIGHT, BRUME_SMOKE_DISSIPATION, BRUME_SMOKE_DIFFUSIVITY};
static const int emitter_ids[] = {
    BRUME_EMITTER_DENSITY,          BRUME_EMITTER_DENSITY + 1,
    BRUME_EMITTER_DENSITY + 2,      BRUME_EMITTER_DENSITY + 3,
    BRUME_EMITTER_TEMPERATURE,      BRUME_EMITTER_VELOCITY,
    BRUME_EMITTER_DENSITY_RATE,     BRUME_EMITTER_DENSITY_RATE + 1,
    BRUME_EMITTER_DENSITY_RATE + 2, BRUME_EMITTER_DENSITY_RATE + 3,
    BRUME_EMITTER_TEMPERATURE_RATE, BRUME_EMITTER_ACCELERATION,
    BRUME_EMITTER_SOFTNESS,         BRUME_EMITTER_NOISE,
    BRUME_EMITTER_NOISE_SCALE,      BRUME_EMITTER_NOISE_SPEED,
};
static const int shape_ids[] = {BRUME_SHAPE_CENTER, BRUME_SHAPE_RADIUS, BRUME_SHAPE_FROM, BRUME_SHAPE_TO};
static const int obstacle_ids[] = {BRUME_OBSTACLE_TEMPERATURE};
static const int look_ids[] = {
    BRUME_RENDER_EXPOSURE,        BRUME_RENDER_ANISOTROPY,         BRUME_RENDER_SKY_ZENITH,
    BRUME_RENDER_SKY_HORIZON,     BRUME_RENDER_GROUND_ALBEDO,      BRUME_RENDER_GROUND_ALBEDO_2,
    BRUME_RENDER_WALL_ALBEDO,     BRUME_RENDER_SKY_RADIANCE,       BRUME_RENDER_SKY_TURBIDITY,
    BRUME_RENDER_SKY_ROTATION,    BRUME_RENDER_SKY_INTENSITY,      BRUME_RENDER_LOBES_FORWARD,
    BRUME_RENDER_LOBES_BACKWARD,  BRUME_RENDER_LOBES_SHARE,        BRUME_RENDER_DROPLET_DIAMETER,
    BRUME_RENDER_EMISSION_SCALE,  BRUME_RENDER_EMISSION_INTENSITY, BRUME_RENDER_EMISSION_AMBIENT,
    BRUME_RENDER_DETAIL_STRENGTH,
};
static const int medium_ids[] = {BRUME_MEDIUM_EXTINCTION, BRUME_MEDIUM_ALBEDO};
static const int light_ids[] = {
    BRUME_LIGHT_INTENSITY, BRUME_LIGHT_COLOR, BRUME_LIGHT_TEMPERATURE, BRUME_LIGHT_POSITION, BRUME_LIGHT_DIRECTION,
    BRUME_LIGHT_ANGLE,     BRUME_LIGHT_BLEND, BRUME_LIGHT_WIDTH,       BRUME_LIGHT_HEIGHT,
};

static const int surface_ids[] = {BRUME_SURFACE_ALBEDO};

static const Group groups[] = {
    {BRUME_ANIMATED_SIM, brume_sim_setting_table, COUNT(sim_ids), sim_ids},
    {BRUME_ANIMATED_SMOKE, brume_smoke_setting_table, COUNT(smoke_ids), smoke_ids},
    {BRUME_ANIMATED_EMITTER, brume_emitter_setting_table, COUNT(emitter_ids), emitter_ids},
    {BRUME_ANIMATED_SHAPE, brume_shape_setting_table, COUNT(shape_ids), shape_ids},
    {BRUME_ANIMATED_SOLID, brume_shape_setting_table, COUNT(shape_ids), shape_ids},
    {BRUME_ANIMATED_OBSTACLE, brume_obstacle_setting_table, COUNT(obstacle_ids), obstacle_ids},
    {BRUME_ANIMATED_LOOK, brume_render_setting_table, COUNT(look_ids), look_ids},
    {BRUME_ANIMATED_MEDIUM, brume_medium_setting_table, COUNT(medium_ids), medium_ids},
    {BRUME_ANIMATED_LIGHT, brume_light_setting_table, COUNT(light_ids), light_ids},
    {BRUME_ANIMATED_SURFACE, brume_surface_setting_table, COUNT(surface_ids), surface_ids},
};

/*
 * Evaluation.
 */

// the derivative [1/s] of a smooth curve at key `i`, as that of the camera's path
static double slope_at(const BrumeAnimatedValue *value, int i)
{
    const BrumeValueKey *before = &value->keys[i > 0 ? i - 1 : 0];
    const BrumeValueKey *after = &value->keys[i + 1 < value->key_count ? i + 1 : i];
    return (after->value - before->value) / (after->time - before->time);
}

// a part of the curve from one key to the next: v(s) = c[0] + c[1] s + c[2] s^2 + c[3] s^3, s from 0 to 1
typedef struct Segment {
    double start, length; // [s]
    double c[4];
} Segment;

static Segment segment_at(const BrumeAnimatedValue *value, int i)
{
    const BrumeValueKey *keys = value->keys;
    const double length = keys[i + 1].time - keys[i].time;
    const double rise = keys[i + 1].value - keys[i].value;
    Segment segment = {keys[i].time, length, {keys[i].value, 0.0, 0.0, 0.0}};
    if (value->interpolation == BRUME_KEYS_LINEAR) {
        segment.c[1] = rise;
    } else if (value->interpolation == BRUME_KEYS_SMOOTH) {
        segment.c[1] = length * slope_at(value, i);
        segment.c[2] = 3.0 * rise - 2.0 * segment.c[1] - length * slope_at(value, i + 1);
        segment.c[3] = rise - segment.c[1] - segment.c[2];
    }
    return segment;
}

double brume_animated_value_at(const BrumeAnimatedValue *value, double time)
{
    const BrumeValueKey *keys = value->keys;
    const int last = value->key_count - 1;
    assert(last >= 0);
    if (!(time > keys[0].time)) {
        return keys[0].value;
    }
    if (time >= keys[last].time) {
        return keys[last].value;
    }
    int i = 0;
    while (time >= keys[i + 1].time) {
        i++;
    }
    const Segment segment = segment_at(value, i);
    const double s = (time - segment.start) / segment.length;
    const double *c = segment.c;
    return c[0] + s * (c[1] + s * (c[2] + s * c[3]));
}

// the integral over the part of a segment that is within `from` to `to` [s]
static double integral_of(const Segment *segment, double from, double to)
{
    const double a = brume_fmax(from - segment->start, 0.0) / segment->length;
    const double b = brume_fmin(to - segment->start, segment->length) / segment->length;
    double sum = 0.0;
    double a_power = a; // a^(n+1), b^(n+1)
    double b_power = b;
    for (int n = 0; n < 4 && b > a; n++) {
        sum += segment->c[n] * (b_power - a_power) / (n + 1);
        a_power *= a;
        b_power *= b;
    }
    return segment->length * sum;
}

double brume_animated_mean(const BrumeAnimatedValue *value, double from, double to)
{
    const BrumeValueKey *first = &value->keys[0];
    const BrumeValueKey *last = &value->keys[value->key_count - 1];
    if (!(to > from) || to <= first->time || from >= last->time) {
        return brume_animated_value_at(value, from);
    }
    double sum = first->value * brume_fmax(first->time - from, 0.0) + last->value * brume_fmax(to - last->time, 0.0);
    for (int i = 0; i + 1 < value->key_count; i++) {
        const Segment segment = segment_at(value, i);
        sum += integral_of(&segment, from, to);
    }
    return sum / (to - from);
}

/*
 * Paths and members.
 */

bool brume_animated_is_look(const BrumeAnimatedMember *member)
{
    return member->owner == BRUME_ANIMATED_LOOK || member->owner == BRUME_ANIMATED_MEDIUM ||
           member->owner == BRUME_ANIMATED_LIGHT || member->owner == BRUME_ANIMATED_SURFACE;
}

static bool has_kind_of_smoke(BrumeAnimatedOwner owner)
{
    return owner == BRUME_ANIMATED_SMOKE || owner == BRUME_ANIMATED_MEDIUM;
}

// reads a whole number without sign and leading zeros; -1 where there is none
static int read_index(const char **text)
{
    const char *at = *text;
    int index = 0;
    int digits = 0;
    for (; *at >= '0' && *at <= '9' && digits < 4; at++, digits++) {
        index = 10 * index + (*at - '0');
    }
    const bool is_valid = digits > 0 && (digits == 1 || **text != '0');
    *text = at;
    return is_valid ? index : -1;
}

static bool is_vector(const BrumeSetting *setting)
{
    return setting->type == BRUME_VALUE_VECTOR || setting->type == BRUME_VALUE_COLOR;
}

// the list of the items of an owner; the table of shapes has the paths of emitters
static int list_name(BrumeAnimatedOwner owner, const BrumeSetting *setting, const char **name)
{
    *name = owner == BRUME_ANIMATED_SOLID ? "obstacles" : setting->path;
    return (int)strcspn(*name, "[");
}

// The part of a path after the pattern of a setting, "emitters[].density" or "smoke.density.weight", and the index in
// it; NULL where the path does not match.
static const char *match(const BrumeSetting *setting, BrumeAnimatedOwner owner, const char *path, int *index)
{
    static const char smoke[] = "smoke.";
    const char *pattern = setting->path;
    *index = 0;
    if (has_kind_of_smoke(owner)) {
        if (strncmp(path, smoke, sizeof smoke - 1) != 0) {
            return NULL;
        }
        path += sizeof smoke - 1;
        const size_t length = strcspn(path, ".");
        int kind = 0;
        while (kind < BRUME_SMOKE_KINDS && (strncmp(path, brume_smoke_key_names[kind], length) != 0 ||
                                            brume_smoke_key_names[kind][length] != '\0')) {
            kind++;
        }
        *index = kind;
        path += length;
        pattern = strrchr(pattern, '.');
    } else if (strstr(pattern, "[]")) {
        const char *list;
        const size_t length = (size_t)list_name(owner, setting, &list);
        if (strncmp(path, list, length) != 0) {
            return NULL;
        }
        path += length;
        pattern = strstr(pattern, "[]");
    }
    while (*pattern) {
        if (strncmp(pattern, "[]", 2) == 0) {
            if (*path++ != '.') {
                return NULL;
            }
            *index = read_index(&path);
            pattern += 2;
        } else if (*pattern++ != *path++) {
            return NULL;
        }
    }
    return path;
}

static int most_items(BrumeAnimatedOwner owner)
{
    switch (owner) {
    case BRUME_ANIMATED_EMITTER:
    case BRUME_ANIMATED_SHAPE:
        return BRUME_MAX_EMITTERS;
    case BRUME_ANIMATED_SOLID:
    case BRUME_ANIMATED_OBSTACLE:
    case BRUME_ANIMATED_SURFACE:
        return BRUME_MAX_OBSTACLES;
    case BRUME_ANIMATED_SMOKE:
    case BRUME_ANIMATED_MEDIUM:
        return BRUME_SMOKE_KINDS;
    case BRUME_ANIMATED_LIGHT:
        return BRUME_MAX_LIGHTS;
    case BRUME_ANIMATED_SIM:
    case BRUME_ANIMATED_LOOK:
        break;
    }
    return 1;
}

static bool find_in_group(const Group *group, const char *path, BrumeAnimatedMember *member)
{
    for (int n = 0; n < group->count; n++) {
        const BrumeSetting *setting = &group->table[group->ids[n]];
        int index = 0;
        const char *rest = match(setting, group->owner, path, &index);
        if (!rest || index < 0 || index >= most_items(group->owner)) {
            continue;
        }
        const bool vector = is_vector(setting);
        const bool ends = vector ? rest[0] == '.' && rest[1] >= '0' && rest[1] <= '2' && rest[2] == '\0' : !rest[0];
        if (ends) {
            *member = (BrumeAnimatedMember){.owner = group->owner,
                                            .index = index,
                                            .setting = setting,
                                            .component = vector ? rest[1] - '0' : 0,
                                            .is_vector = vector};
            return true;
        }
    }
    return false;
}

bool brume_animated_find(const char *path, BrumeAnimatedMember *member)
{
    bool found = false;
    for (int n = 0; n < COUNT(groups) && !found; n++) {
        found = find_in_group(&groups[n], path, member);
    }
    return found;
}

// the struct to which a member belongs; NULL where the settings have no such item
static char *owner_of(const BrumeAnimatedMember *member, BrumeSimDef *sim, BrumeRenderSettings *look,
                      const int *surface_of)
{
    const int index = member->index;
    const int surface = member->owner == BRUME_ANIMATED_SURFACE && surface_of ? surface_of[index] : -1;
    switch (member->owner) {
    case BRUME_ANIMATED_SIM:
        return (char *)sim;
    case BRUME_ANIMATED_SMOKE:
        return sim && index <= sim->color_count ? (char *)&sim->smoke[index] : NULL;
    case BRUME_ANIMATED_EMITTER:
        return sim && index < sim->emitter_count ? (char *)&sim->emitters[index] : NULL;
    case BRUME_ANIMATED_SHAPE:
        return sim && index < sim->emitter_count ? (char *)&sim->emitters[index].shape : NULL;
    case BRUME_ANIMATED_SOLID:
        return sim && index < sim->obstacle_count ? (char *)&sim->obstacles[index].shape : NULL;
    case BRUME_ANIMATED_OBSTACLE:
        return sim && index < sim->obstacle_count ? (char *)&sim->obstacles[index] : NULL;
    case BRUME_ANIMATED_LOOK:
        return (char *)look;
    case BRUME_ANIMATED_MEDIUM:
        return look ? (char *)&look->smoke[index] : NULL;
    case BRUME_ANIMATED_LIGHT:
        return look && index < look->light_count ? (char *)&look->lights[index] : NULL;
    case BRUME_ANIMATED_SURFACE:
        return look && surface >= 0 && surface < look->surface_count ? (char *)&look->surfaces[surface] : NULL;
    }
    return NULL;
}

// the mode that a source must have for a setting of an emitter to be in effect; BRUME_SOURCE_NONE for other settings
static BrumeSourceMode mode_for(const BrumeSetting *setting)
{
    const ptrdiff_t id = setting - brume_emitter_setting_table;
    if (id >= BRUME_EMITTER_DENSITY && id <= BRUME_EMITTER_VELOCITY) {
        return BRUME_SOURCE_SET;
    }
    return id >= BRUME_EMITTER_DENSITY_RATE && id <= BRUME_EMITTER_ACCELERATION ? BRUME_SOURCE_RATE : BRUME_SOURCE_NONE;
}

static bool has_source(const BrumeEmitterDef *emitter, const BrumeSetting *setting)
{
    const BrumeSourceMode mode = mode_for(setting);
    if (mode == BRUME_SOURCE_NONE) {
        return true;
    }
    if (setting->offset == offsetof(BrumeEmitterDef, velocity.value)) {
        return emitter->velocity.mode == mode;
    }
    if (setting->offset == offsetof(BrumeEmitterDef, temperature.value)) {
        return emitter->temperature.mode == mode;
    }
    for (int kind = 0; kind < BRUME_SMOKE_KINDS; kind++) {
        const size_t offset = offsetof(BrumeEmitterDef, smoke[0].value) + (size_t)kind * sizeof emitter->smoke[0];
        if (setting->offset == offset) {
            return emitter->smoke[kind].mode == mode;
        }
    }
    return false;
}

// a sphere has a centre, the other shapes have two ends or corners
static bool has_part(const BrumeShape *shape, const BrumeSetting *setting)
{
    switch (setting - brume_shape_setting_table) {
    case BRUME_SHAPE_CENTER:
        return shape->kind == BRUME_SHAPE_SPHERE;
    case BRUME_SHAPE_RADIUS:
        return shape->kind != BRUME_SHAPE_BOX && shape->kind != BRUME_SHAPE_VOLUME;
    default:
        return shape->kind != BRUME_SHAPE_SPHERE;
    }
}

static float *number_at(const BrumeAnimatedMember *member, void *owner)
{
    return (float *)(void *)((char *)owner + member->setting->offset) + member->component;
}

float *brume_animated_shape_number(const BrumeAnimatedMember *member, BrumeShape *shape)
{
    return has_part(shape, member->setting) ? number_at(member, shape) : NULL;
}

float *brume_animated_number(const BrumeAnimatedMember *member, BrumeSimDef *sim, BrumeRenderSettings *look,
                             const int *surface_of)
{
    char *owner = owner_of(member, sim, look, surface_of);
    if (!owner ||
        (member->owner == BRUME_ANIMATED_EMITTER && !has_source(&sim->emitters[member->index], member->setting)) ||
        (member->owner == BRUME_ANIMATED_OBSTACLE && !sim->obstacles[member->index].fixed_temperature)) {
        return NULL;
    }
    const bool is_shape = member->owner == BRUME_ANIMATED_SHAPE || member->owner == BRUME_ANIMATED_SOLID;
    return is_shape ? brume_animated_shape_number(member, (BrumeShape *)(void *)owner) : number_at(member, owner);
}

bool brume_animated_find_in_shape(BrumeAnimatedOwner owner, int index, const BrumeShape *shape, size_t offset,
                                  BrumeAnimatedMember *member)
{
    for (int n = 0; n < COUNT(shape_ids); n++) {
        const BrumeSetting *setting = &brume_shape_setting_table[shape_ids[n]];
        if (setting->offset == offset && has_part(shape, setting)) {
            *member = (BrumeAnimatedMember){
                .owner = owner, .index = index, .setting = setting, .is_vector = is_vector(setting)};
            return true;
        }
    }
    return false;
}

// the index of the item of an array in which an address is; -1 where it is outside
static int item_at(const void *address, const void *items, size_t size, int count)
{
    const ptrdiff_t offset = (const char *)address - (const char *)items;
    return offset >= 0 && offset < (ptrdiff_t)(size * (size_t)count) ? (int)(offset / (ptrdiff_t)size) : -1;
}

// the obstacle that a surface shows; -1 for none
static int obstacle_of(int surface, const int *surface_of)
{
    int obstacle = surface >= 0 && surface_of ? BRUME_MAX_OBSTACLES - 1 : -1;
    while (obstacle >= 0 && surface_of[obstacle] != surface) {
        obstacle--;
    }
    return obstacle;
}

static int index_at(BrumeAnimatedOwner owner, const void *address, const BrumeSimDef *sim,
                    const BrumeRenderSettings *look, const int *surface_of)
{
    switch (owner) {
    case BRUME_ANIMATED_SIM:
        return item_at(address, sim, sizeof *sim, 1);
    case BRUME_ANIMATED_SMOKE:
        return item_at(address, sim->smoke, sizeof sim->smoke[0], BRUME_SMOKE_KINDS);
    case BRUME_ANIMATED_EMITTER:
    case BRUME_ANIMATED_SHAPE:
        return item_at(address, sim->emitters, sizeof sim->emitters[0], BRUME_MAX_EMITTERS);
    case BRUME_ANIMATED_SOLID:
    case BRUME_ANIMATED_OBSTACLE:
        return item_at(address, sim->obstacles, sizeof sim->obstacles[0], BRUME_MAX_OBSTACLES);
    case BRUME_ANIMATED_LOOK:
        return item_at(address, look, sizeof *look, 1);
    case BRUME_ANIMATED_MEDIUM:
        return item_at(address, look->smoke, sizeof look->smoke[0], BRUME_SMOKE_KINDS);
    case BRUME_ANIMATED_LIGHT:
        return item_at(address, look->lights, sizeof look->lights[0], BRUME_MAX_LIGHTS);
    case BRUME_ANIMATED_SURFACE:
        return obstacle_of(item_at(address, look->surfaces, sizeof look->surfaces[0], BRUME_MAX_SURFACES), surface_of);
    }
    return -1;
}

bool brume_animated_find_address(const void *address, const BrumeSimDef *sim, const BrumeRenderSettings *look,
                                 const int *surface_of, BrumeAnimatedMember *member)
{
    for (int n = 0; n < COUNT(groups); n++) {
        const Group *group = &groups[n];
        const int index = index_at(group->owner, address, sim, look, surface_of);
        for (int i = 0; i < group->count && index >= 0; i++) {
            const BrumeSetting *setting = &group->table[group->ids[i]];
            const BrumeAnimatedMember candidate = {
                .owner = group->owner, .index = index, .setting = setting, .is_vector = is_vector(setting)};
            // the settings are only read
            if (brume_animated_number(&candidate, (BrumeSimDef *)sim, (BrumeRenderSettings *)look, surface_of) ==
                address) {
                *member = candidate;
                return true;
            }
        }
    }
    return false;
}

void brume_animated_path(const BrumeAnimatedMember *member, char path[BRUME_ANIMATION_PATH])
{
    const char *pattern = member->setting->path;
    const char *brackets = strstr(pattern, "[]");
    int used;
    if (has_kind_of_smoke(member->owner)) {
        used = snprintf(path, BRUME_ANIMATION_PATH, "smoke.%s%s", brume_smoke_key_names[member->index],
                        strrchr(pattern, '.'));
    } else if (brackets) {
        const char *list;
        const int length = list_name(member->owner, member->setting, &list);
        used = snprintf(path, BRUME_ANIMATION_PATH, "%.*s.%d%s", length, list, member->index, brackets + 2);
    } else {
        used = snprintf(path, BRUME_ANIMATION_PATH, "%s", pattern);
    }
    if (member->is_vector) {
        (void)snprintf(path + used, (size_t)(BRUME_ANIMATION_PATH - used), ".%d", member->component);
    }
}

/*
 * Application.
 */

// the mean over `from` to `to` [s], or the value where both are equal, within the limits of its setting
static float mean_within(const BrumeAnimatedValue *animated, const BrumeAnimatedMember *member, double from, double to)
{
    double value = brume_animated_mean(animated, from, to);
    value = value > member->setting->min ? value : member->setting->min;
    value = value < member->setting->max ? value : member->setting->max;
    return (float)value;
}

static bool apply(const BrumeAnimation *animation, double from, double to, BrumeSimDef *sim, BrumeRenderSettings *look,
                  const int *surface_of)
{
    bool changed = false;
    for (int n = 0; n < animation->count; n++) {
        BrumeAnimatedMember member;
        if (!brume_animated_find(animation->values[n].path, &member) || member.owner == BRUME_ANIMATED_SOLID ||
            brume_animated_is_look(&member) != (look != NULL)) {
            continue;
        }
        float *number = brume_animated_number(&member, sim, look, surface_of);
        if (!number) {
            continue;
        }
        const float stored = mean_within(&animation->values[n], &member, from, to);
        changed = changed || memcmp(&stored, number, sizeof stored) != 0;
        *number = stored;
    }
    return changed;
}

uint64_t brume_animation_apply_obstacles(const BrumeAnimation *animation, double time, BrumeSimDef *settings)
{
    uint64_t animated = 0;
    for (int n = 0; n < animation->count; n++) {
        BrumeAnimatedMember member;
        float *number = NULL;
        if (brume_animated_find(animation->values[n].path, &member) && member.owner == BRUME_ANIMATED_SOLID) {
            number = brume_animated_number(&member, settings, NULL, NULL);
        }
        if (number) {
            *number = mean_within(&animation->values[n], &member, time, time);
            animated |= (uint64_t)1 << member.index;
        }
    }
    return animated;
}

bool brume_animation_apply_sim(const BrumeAnimation *animation, double time, BrumeSimDef *settings)
{
    return apply(animation, time, time, settings, NULL, NULL);
}

bool brume_animation_apply_look(const BrumeAnimation *animation, double time, const int surface_of[BRUME_MAX_OBSTACLES],
                                BrumeRenderSettings *look)
{
    return apply(animation, time, time, NULL, look, surface_of);
}

static void apply_means(const void *context, double from, double to, BrumeSimDef *settings)
{
    (void)apply(context, from, to, settings, NULL, NULL);
}

void brume_sim_animate(BrumeSim *sim, const BrumeAnimation *animation)
{
    brume_sim_set_animation(sim, animation && animation->count > 0 ? apply_means : NULL, animation);
}
