// Animated values: each path names a number that the scene has, and its keys are in order and within its range.
#include "scene/format/animation.h"

#include "core/error.h"
#include "core/text.h"
#include "scene/resolve/resolve.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static BrumeStatus check_keys(const BrumeAnimatedValue *value, const BrumeAnimatedMember *member,
                              const BrumeYamlNode *list, BrumeError *error)
{
    int n = 0;
    for (const BrumeYamlNode *item = list->first; item && n < value->key_count; item = item->next, n++) {
        const BrumeYamlNode *const time = brume_yaml_get(item, "time");
        const BrumeYamlNode *const number = brume_yaml_get(item, "value");
        if (!time || !number) {
            return brume_yaml_fail(item, error, "this 'key' needs a 'time' and a 'value'");
        }
        if (n > 0 && !(value->keys[n].time > value->keys[n - 1].time)) {
            return brume_yaml_fail(time, error,
                                   "'time' in 'key' is %.7g s, but must be above that of the previous key, %.7g s",
                                   value->keys[n].time, value->keys[n - 1].time);
        }
        if (!brume_setting_allows(member->setting, value->keys[n].value)) {
            BrumeError message;
            (void)brume_setting_fail(member->setting, "'keys'", brume_quote(number->text).text, &message);
            return brume_yaml_fail(number, error, "%s", message.text);
        }
    }
    return BRUME_OK;
}

static bool is_named_before(const BrumeAnimation *animation, int index)
{
    bool found = false;
    for (int n = 0; n < index; n++) {
        found = found || strcmp(animation->values[n].path, animation->values[index].path) == 0;
    }
    return found;
}

/** Replaces the name of a body in a path, as 'bodies.fan.rotation.1', by its number. */
static BrumeStatus use_number_of_body(const BrumeParsedScene *parsed, const BrumeYamlNode *node,
                                      char path[BRUME_ANIMATION_PATH], BrumeError *error)
{
    static const char list[] = "bodies.";
    if (strncmp(path, list, sizeof list - 1) != 0) {
        return BRUME_OK;
    }
    const char *const item = path + sizeof list - 1;
    const size_t length = strcspn(item, ".");
    char name[BRUME_ANIMATION_PATH];
    (void)snprintf(name, sizeof name, "%.*s", (int)length, item);
    const int body = brume_find_named_body(parsed, name, length);
    if (body < 0 && isdigit((unsigned char)name[0])) {
        return BRUME_OK; // a number
    }
    if (body < 0) {
        return brume_fail_body_name(parsed, name, node, "path", error);
    }
    char numbered[BRUME_ANIMATION_PATH];
    (void)snprintf(numbered, sizeof numbered, "%s%d%s", list, body, item + length);
    memcpy(path, numbered, sizeof numbered);
    return BRUME_OK;
}

static BrumeStatus fail_path(const BrumeYamlNode *node, const char *path, BrumeError *error)
{
    char component[BRUME_ANIMATION_PATH + 2];
    BrumeAnimatedMember member;
    (void)snprintf(component, sizeof component, "%s.1", path);
    if (brume_animated_find(component, &member)) {
        return brume_yaml_fail(node, error,
                               "'%s' has three components, each of which is animated by itself: '%s.0', '.1' and '.2'",
                               brume_quote(node->text).text, brume_quote(node->text).text);
    }
    char closest[BRUME_ANIMATION_PATH];
    brume_animated_suggest(path, closest);
    if (closest[0]) {
        return brume_yaml_fail(node, error, "'%s' cannot be animated (did you mean '%s'?)",
                               brume_quote(node->text).text, closest);
    }
    return brume_yaml_fail(
        node, error,
        "'%s' cannot be animated; a number as 'emitters.0.density' or a component as "
        "'bodies.0.rotation.1' can (items, which may also be named by their 'name', and components are "
        "numbered from 0)",
        brume_quote(node->text).text);
}

static BrumeStatus check_value(BrumeParsedScene *parsed, int index, const BrumeYamlNode *root,
                               const BrumeYamlNode *item, BrumeError *error)
{
    BrumeScene *const scene = &parsed->scene;
    BrumeAnimatedValue *const value = &scene->animation.values[index];
    const BrumeYamlNode *const path = brume_yaml_get(item, "path");
    const BrumeYamlNode *const keys = brume_yaml_get(item, "keys");
    BrumeAnimatedMember member;
    if (!path) {
        return brume_yaml_fail(item, error, "this 'animated value' needs a 'path'");
    }
    const BrumeStatus status = use_number_of_body(parsed, path, value->path, error);
    if (status != BRUME_OK) {
        return status;
    }
    if (!brume_animated_find(value->path, &member)) {
        return fail_path(path, value->path, error);
    }
    const bool may_come = brume_yaml_get(root, "timeline") && !brume_animated_is_look(&member); // with a change
    if (!may_come && !brume_animated_number(&member, &scene->sim, &scene->render_settings, scene->surface_of)) {
        return brume_yaml_fail(path, error, "'%s' cannot be animated, because the scene has no such value",
                               brume_quote(value->path).text);
    }
    if (is_named_before(&scene->animation, index)) {
        return brume_yaml_fail(path, error, "'%s' is animated twice", brume_quote(value->path).text);
    }
    if (value->key_count == 0) {
        return brume_yaml_fail(keys ? keys : item, error, "this 'animated value' needs one of 'keys' or more");
    }
    return check_keys(value, &member, keys, error);
}

/** Whether another value has the same keys for a component of the scale of a body. */
static bool has_same_keys(const BrumeAnimation *animation, const BrumeAnimatedValue *value, int body, int component)
{
    char path[BRUME_ANIMATION_PATH];
    (void)snprintf(path, sizeof path, "bodies.%d.scale.%d", body, component);
    bool same = false;
    for (int n = 0; n < animation->count; n++) {
        const BrumeAnimatedValue *const other = &animation->values[n];
        same = same || (strcmp(other->path, path) == 0 && other->interpolation == value->interpolation &&
                        other->key_count == value->key_count &&
                        memcmp(other->keys, value->keys, (size_t)value->key_count * sizeof *value->keys) == 0);
    }
    return same;
}

/** Checks that the animated scale of a parent is the same along its axes. */
static BrumeStatus check_scale(const BrumeScene *scene, const BrumeAnimatedValue *value, const BrumeYamlNode *item,
                               BrumeError *error)
{
    BrumeAnimatedMember member;
    (void)brume_animated_find(value->path, &member);
    bool is_parent = false;
    for (int n = 0; n < scene->sim.body_count; n++) {
        is_parent = is_parent || scene->sim.bodies[n].parent == member.index + 1;
    }
    for (int n = 0; n < scene->sim.emitter_count; n++) {
        is_parent = is_parent || scene->sim.emitters[n].parent == member.index + 1;
    }
    const bool is_scale = member.owner == BRUME_ANIMATED_SOLID && strstr(value->path, ".scale.");
    bool same = true;
    for (int component = 0; component < 3 && is_scale && is_parent; component++) {
        same = same && has_same_keys(&scene->animation, value, member.index, component);
    }
    return same ? BRUME_OK
                : brume_yaml_fail(brume_yaml_get(item, "path"), error,
                                  "body %d is a 'parent', whose 'scale' must be the same along its axes: give "
                                  "'bodies.%d.scale.0', '.1' and '.2' equal 'keys'",
                                  member.index, member.index);
}

BrumeStatus brume_resolve_animation(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    BrumeScene *const scene = &parsed->scene;
    const BrumeYamlNode *const list = brume_yaml_get(root, "animation");
    int n = 0;
    for (const BrumeYamlNode *item = list ? list->first : NULL; item; item = item->next, n++) {
        BrumeStatus status = check_value(parsed, n, root, item, error);
        if (status == BRUME_OK) {
            status = check_scale(scene, &scene->animation.values[n], item, error);
        }
        if (status != BRUME_OK) {
            return status;
        }
    }
    (void)brume_animation_apply_sim(&scene->animation, 0.0, &scene->sim);
    (void)brume_animation_apply_bodies(&scene->animation, 0.0, &scene->sim);
    (void)brume_animation_apply_look(&scene->animation, 0.0, scene->surface_of, &scene->render_settings);
    return BRUME_OK;
}
