// Animated values: their evaluation, and which members of the settings they set.
#include "scene/format/animation.h"

#include "brume/shape.h"
#include "core/minmax.h"
#include "core/suggest.h"
#include "core/texture.h"
#include "raymarch/settings.h"
#include "scene/format/derived.h"
#include "sim/lifecycle/lifecycle.h"
#include "sim/settings/settings.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

/** The structs of an owner: their settings, and their place in the settings of the simulation or of the picture. */
typedef struct Group {
    const BrumeSetting *table;
    int count; ///< of settings
    bool is_look;
    int length;            ///< of the array of structs
    size_t offset, stride; ///< of the structs [bytes]
    bool counted;          ///< whether an int has the number of structs in use
    size_t count_offset;   ///< of that int [bytes]
} Group;

#define SIM(member) offsetof(BrumeSimDef, member)
#define LOOK(member) offsetof(BrumeRenderSettings, member)
#define SETTINGS(name, NAME) brume_##name##_setting_table, BRUME_##NAME##_SETTING_COUNT
#define EMITTERS BRUME_MAX_EMITTERS, SIM(emitters[0]), sizeof(BrumeEmitterDef), true, SIM(emitter_count)
#define BODIES BRUME_MAX_BODIES, SIM(bodies[0]), sizeof(BrumeBodyDef), true, SIM(body_count)
static const Group groups[] = {
    [BRUME_ANIMATED_SIM] = {SETTINGS(sim, SIM), false, 1, 0, sizeof(BrumeSimDef), false, 0},
    [BRUME_ANIMATED_SMOKE] = {SETTINGS(smoke, SMOKE), false, BRUME_SMOKE_KINDS, SIM(smoke), sizeof(BrumeSmokeDef), true,
                              SIM(color_count)},
    [BRUME_ANIMATED_EMITTER] = {SETTINGS(emitter, EMITTER), false, EMITTERS},
    [BRUME_ANIMATED_SHAPE] = {SETTINGS(shape, SHAPE), false, EMITTERS}, // the first member
    [BRUME_ANIMATED_SOLID] = {SETTINGS(shape, SHAPE), false, BODIES},
    [BRUME_ANIMATED_BODY] = {SETTINGS(body, BODY), false, BODIES},
    [BRUME_ANIMATED_LOOK] = {SETTINGS(render, RENDER), true, 1, 0, sizeof(BrumeRenderSettings), false, 0},
    [BRUME_ANIMATED_MEDIUM] = {SETTINGS(medium, MEDIUM), true, BRUME_SMOKE_KINDS, LOOK(smoke), sizeof(BrumeSmokeMedium),
                               false, 0},
    [BRUME_ANIMATED_LIGHT] = {SETTINGS(light, LIGHT), true, BRUME_MAX_LIGHTS, LOOK(lights), sizeof(BrumeLight), true,
                              LOOK(light_count)},
    [BRUME_ANIMATED_SURFACE] = {SETTINGS(surface, SURFACE), true, BRUME_MAX_SURFACES, LOOK(surfaces),
                                sizeof(BrumeSurface), true, LOOK(surface_count)},
};

/*
 * Evaluation.
 */

// the derivative [1/s] of a smooth curve at key `i`, as for the camera's path
static double slope_at(const BrumeAnimatedValue *value, int i)
{
    const BrumeValueKey *previous_key = &value->keys[i > 0 ? i - 1 : 0];
    const BrumeValueKey *next_key = &value->keys[i + 1 < value->key_count ? i + 1 : i];
    return (next_key->value - previous_key->value) / (next_key->time - previous_key->time);
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

bool brume_animated_is_look(const BrumeAnimatedMember *member) { return groups[member->owner].is_look; }

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
    *name = owner == BRUME_ANIMATED_SOLID ? "bodies" : setting->path;
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

// the component that the end of a path names, ".0" to ".2"; -1 for other texts
static int component_of(const char *end)
{
    return end[0] == '.' && end[1] >= '0' && end[1] <= '2' && end[2] == '\0' ? end[1] - '0' : -1;
}

static bool find_in_group(BrumeAnimatedOwner owner, const char *path, BrumeAnimatedMember *member)
{
    const Group *const group = &groups[owner];
    for (int n = 0; n < group->count; n++) {
        const BrumeSetting *setting = &group->table[n];
        int index = 0;
        const char *rest = setting->animated ? match(setting, owner, path, &index) : NULL;
        if (!rest || index < 0 || index >= group->length) {
            continue;
        }
        const bool vector = is_vector(setting);
        const int component = vector ? component_of(rest) : 0;
        if (vector ? component >= 0 : !rest[0]) {
            *member = (BrumeAnimatedMember){
                .owner = owner, .index = index, .setting = setting, .component = component, .is_vector = vector};
            return true;
        }
    }
    return false;
}

bool brume_animated_find(const char *path, BrumeAnimatedMember *member)
{
    bool found = false;
    for (int n = 0; n < COUNT(groups) && !found; n++) {
        found = find_in_group((BrumeAnimatedOwner)n, path, member);
    }
    return found;
}

// the struct to which a member belongs; NULL where the settings have no such item
static char *owner_of(const BrumeAnimatedMember *member, BrumeSimDef *sim, BrumeRenderSettings *look,
                      const int *surface_of)
{
    const Group *const group = &groups[member->owner];
    char *const settings = group->is_look ? (char *)look : (char *)sim;
    const bool is_surface = member->owner == BRUME_ANIMATED_SURFACE;
    const int index = !is_surface ? member->index : surface_of ? surface_of[member->index] : -1;
    if (!settings || index < 0) {
        return NULL;
    }
    int count = group->counted ? *(int *)(void *)(settings + group->count_offset) : group->length;
    count += member->owner == BRUME_ANIMATED_SMOKE; // plain smoke is not counted
    return index < count ? settings + group->offset + (size_t)index * group->stride : NULL;
}

static float *number_at(const BrumeAnimatedMember *member, void *owner)
{
    return (float *)(void *)((char *)owner + member->setting->offset) + member->component;
}

float *brume_animated_shape_number(const BrumeAnimatedMember *member, BrumeShape *shape)
{
    return brume_setting_is_used(member->setting, shape) ? number_at(member, shape) : NULL;
}

float *brume_animated_number(const BrumeAnimatedMember *member, BrumeSimDef *sim, BrumeRenderSettings *look,
                             const int *surface_of)
{
    char *owner = owner_of(member, sim, look, surface_of);
    if (!owner || (member->owner == BRUME_ANIMATED_EMITTER && !brume_setting_is_used(member->setting, owner)) ||
        (member->owner == BRUME_ANIMATED_BODY &&
         ((const BrumeBodyDef *)(const void *)owner)->fixed_temperature !=
             (member->setting == &brume_body_setting_table[BRUME_BODY_TEMPERATURE]))) {
        return NULL;
    }
    const bool is_shape = member->owner == BRUME_ANIMATED_SHAPE || member->owner == BRUME_ANIMATED_SOLID;
    return is_shape ? brume_animated_shape_number(member, (BrumeShape *)(void *)owner) : number_at(member, owner);
}

bool brume_animated_find_in_shape(BrumeAnimatedOwner owner, int index, const BrumeShape *shape, size_t offset,
                                  BrumeAnimatedMember *member)
{
    for (int n = 0; n < BRUME_SHAPE_SETTING_COUNT; n++) {
        const BrumeSetting *setting = &brume_shape_setting_table[n];
        if (setting->animated && setting->offset == offset && brume_setting_is_used(setting, shape)) {
            *member = (BrumeAnimatedMember){
                .owner = owner, .index = index, .setting = setting, .is_vector = is_vector(setting)};
            return true;
        }
    }
    return false;
}

// the body that a surface shows; -1 for none
static int body_of(int surface, const int *surface_of)
{
    int body = surface >= 0 && surface_of ? BRUME_MAX_BODIES - 1 : -1;
    while (body >= 0 && surface_of[body] != surface) {
        body--;
    }
    return body;
}

// the index of the struct in which an address is; -1 where it is outside
static int index_at(BrumeAnimatedOwner owner, const void *address, const BrumeSimDef *sim,
                    const BrumeRenderSettings *look, const int *surface_of)
{
    const Group *const group = &groups[owner];
    const char *const settings = group->is_look ? (const char *)look : (const char *)sim;
    const ptrdiff_t offset = (const char *)address - settings - (ptrdiff_t)group->offset;
    const bool inside = offset >= 0 && offset < (ptrdiff_t)(group->stride * (size_t)group->length);
    const int index = inside ? (int)(offset / (ptrdiff_t)group->stride) : -1;
    return owner == BRUME_ANIMATED_SURFACE ? body_of(index, surface_of) : index;
}

bool brume_animated_find_address(const void *address, const BrumeSimDef *sim, const BrumeRenderSettings *look,
                                 const int *surface_of, BrumeAnimatedMember *member)
{
    for (int n = 0; n < COUNT(groups); n++) {
        const BrumeAnimatedOwner owner = (BrumeAnimatedOwner)n;
        const int index = index_at(owner, address, sim, look, surface_of);
        for (int i = 0; i < groups[n].count && index >= 0; i++) {
            const BrumeSetting *setting = &groups[n].table[i];
            const BrumeAnimatedMember candidate = {
                .owner = owner, .index = index, .setting = setting, .is_vector = is_vector(setting)};
            // the settings are only read
            if (setting->animated && brume_animated_number(&candidate, (BrumeSimDef *)sim, (BrumeRenderSettings *)look,
                                                           surface_of) == address) {
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

void brume_animated_suggest(const char *path, char closest[BRUME_ANIMATION_PATH])
{
    const char *item = path + strcspn(path, ".");
    item += *item == '.';
    const int index = read_index(&item);
    const char *end = strrchr(path, '.');
    const int component = end ? brume_max_int(component_of(end), 0) : 0;
    char candidate[BRUME_ANIMATION_PATH];
    BrumeSuggestion suggestion = {.word = path};
    closest[0] = '\0';
    for (int n = 0; n < COUNT(groups); n++) {
        BrumeAnimatedMember member = {.owner = (BrumeAnimatedOwner)n, .component = component};
        const bool is_smoke = has_kind_of_smoke(member.owner);
        for (int i = 0; i < (is_smoke ? BRUME_SMOKE_KINDS : 1) * groups[n].count; i++) {
            member.index = is_smoke ? i / groups[n].count : brume_max_int(index, 0);
            member.setting = &groups[n].table[i % groups[n].count];
            member.is_vector = is_vector(member.setting);
            if (member.setting->animated) {
                brume_animated_path(&member, candidate);
                brume_suggest(&suggestion, candidate);
            }
            if (suggestion.name == candidate) {
                memcpy(closest, candidate, sizeof candidate);
                suggestion.name = closest;
            }
        }
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

uint64_t brume_animation_apply_bodies(const BrumeAnimation *animation, double time, BrumeSimDef *settings)
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

bool brume_animation_apply_look(const BrumeAnimation *animation, double time, const int surface_of[BRUME_MAX_BODIES],
                                BrumeRenderSettings *look)
{
    bool changed = apply(animation, time, time, NULL, look, surface_of);
    for (int n = 0; n < look->surface_count; n++) {
        BrumeSurface *const surface = &look->surfaces[n];
        const int frame = surface->texture ? brume_texture_frame(surface->texture, time) : 0;
        changed = changed || frame != surface->texture_frame;
        surface->texture_frame = frame;
    }
    return changed;
}

static void apply_means(const void *context, double from, double to, BrumeSimDef *settings)
{
    (void)apply(context, from, to, settings, NULL, NULL);
}

void brume_sim_animate(BrumeSim *sim, const BrumeAnimation *animation)
{
    brume_sim_set_animation(sim, animation && animation->count > 0 ? apply_means : NULL, animation);
}
