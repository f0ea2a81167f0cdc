#include "core/elementary.h"
#include "core/vec3.h"
#include "scene/format/derived.h"
#include "scene/resolve/resolve.h"

#include <math.h>
#include <string.h>

static bool has_key(const BrumeYamlNode *map, const char *key) { return brume_yaml_get(map, key) != NULL; }

enum {
    SUN = 1 << BRUME_LIGHT_DIRECTIONAL,
    POINT = 1 << BRUME_LIGHT_POINT,
    SPOT = 1 << BRUME_LIGHT_SPOT,
    RECTANGLE = 1 << BRUME_LIGHT_RECTANGLE,
};

/** Keys of some kinds of lights only. */
static const struct {
    const char *key;
    int kinds;         ///< bits of BrumeLightKind
    const char *names; ///< of these kinds
} special_keys[] = {
    {"azimuth", SUN, "a sun"},
    {"elevation", SUN, "a sun"},
    {"direction", SUN | SPOT | RECTANGLE, "a sun, a spot or a rectangle"},
    {"position", POINT | SPOT | RECTANGLE, "a light that is not a sun"},
    {"target", SPOT | RECTANGLE, "a spot or a rectangle"},
    {"angle", SUN | SPOT, "a sun or a spot"},
    {"blend", SPOT, "a spot"},
    {"width", RECTANGLE, "a rectangle"},
    {"height", RECTANGLE, "a rectangle"},
    {"up", RECTANGLE, "a rectangle"},
    {"daylight", SUN, "a sun"},
};

/** A light of each kind in words, and the keys that place and aim it. */
static const struct {
    const char *name, *place;
} kinds[] = {
    [BRUME_LIGHT_DIRECTIONAL] = {"a sun", "has 'azimuth' and 'elevation'"},
    [BRUME_LIGHT_POINT] = {"a point light", "has a 'position'"},
    [BRUME_LIGHT_SPOT] = {"a spot", "has a 'position', and a 'direction' or a 'target'"},
    [BRUME_LIGHT_RECTANGLE] = {"a rectangle", "has a 'position', and a 'direction' or a 'target'"},
};

static BrumeStatus check_direction(const BrumeParsedLight *light, const BrumeYamlNode *map, BrumeError *error)
{
    const BrumeVec3 direction = light->light.direction;
    const bool no_direction = brume_is_zero(direction);
    if (has_key(map, "direction") && no_direction) {
        return brume_yaml_fail(brume_yaml_get(map, "direction"), error, "'direction' in 'light' has length 0");
    }
    const char *const instead = has_key(map, "azimuth")     ? "azimuth"
                                : has_key(map, "elevation") ? "elevation"
                                : has_key(map, "target")    ? "target"
                                                            : NULL;
    if (instead && has_key(map, "direction")) {
        return brume_yaml_fail_key(brume_yaml_get(map, instead), error, "'%s' in 'light' excludes 'direction'",
                                   instead);
    }
    const BrumeVec3 aim = brume_sub(light->target, light->light.position);
    if (has_key(map, "target") && brume_is_zero(aim)) {
        return brume_yaml_fail(brume_yaml_get(map, "target"), error, "'target' in 'light' is at its 'position'");
    }
    return BRUME_OK;
}

static BrumeStatus check_light_keys(const BrumeParsedLight *light, const BrumeYamlNode *map, BrumeError *error)
{
    for (size_t n = 0; n < sizeof special_keys / sizeof special_keys[0]; n++) {
        const char *const key = special_keys[n].key;
        if (has_key(map, key) && !(special_keys[n].kinds >> light->light.kind & 1)) {
            return brume_yaml_fail_key(brume_yaml_get(map, key), error, "'%s' in 'light' is for %s; %s %s", key,
                                       special_keys[n].names, kinds[light->light.kind].name,
                                       kinds[light->light.kind].place);
        }
    }
    if (light->light.kind != BRUME_LIGHT_DIRECTIONAL && !has_key(map, "position")) {
        return brume_yaml_fail(map, error, "%s needs a 'position'", kinds[light->light.kind].name);
    }
    if (has_key(map, "temperature") && has_key(map, "color")) {
        return brume_yaml_fail_key(brume_yaml_get(map, "temperature"), error,
                                   "'temperature' in 'light' excludes 'color'");
    }
    const bool aimed = light->light.kind == BRUME_LIGHT_SPOT || light->light.kind == BRUME_LIGHT_RECTANGLE;
    if (aimed && !has_key(map, "direction") && !has_key(map, "target")) {
        return brume_yaml_fail(map, error, "%s needs a 'direction' or a 'target'", kinds[light->light.kind].name);
    }
    if (light->light.kind == BRUME_LIGHT_SPOT && has_key(map, "angle") && !(light->light.angle > 0.0f)) {
        return brume_yaml_fail(brume_yaml_get(map, "angle"), error,
                               "'angle' in 'light' is 0, but that of a spot must be above 0 [degrees]");
    }
    return check_direction(light, map, error);
}

static bool has_unit_length(BrumeVec3 direction) { return fabsf(brume_dot(direction, direction) - 1.0f) < 1e-6f; }

/** A direction scaled to unit length; one whose length is 1 up to rounding is returned unchanged. */
static BrumeVec3 unit_length(BrumeVec3 direction)
{
    if (has_unit_length(direction)) {
        return direction;
    }
    const BrumeVec3 unit = brume_normalize(direction);
    if (has_unit_length(unit)) {
        return unit;
    }
    // the squares of very small components are not normal numbers in single precision
    const double x = (double)direction.x;
    const double y = (double)direction.y;
    const double z = (double)direction.z;
    const double length = sqrt(x * x + y * y + z * z);
    return brume_vec3((float)(x / length), (float)(y / length), (float)(z / length));
}

BrumeStatus brume_resolve_lights(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    BrumeRenderSettings *const render = &parsed->scene.render_settings;
    const BrumeYamlNode *const list = brume_yaml_get(root, "lights");
    if (!list) {
        return BRUME_OK;
    }
    const BrumeYamlNode *item = list->first;
    render->light_count = parsed->light_count;
    for (int i = 0; i < parsed->light_count && item; i++, item = item->next) {
        const BrumeParsedLight *const light = &parsed->lights[i];
        const BrumeStatus status = check_light_keys(light, item, error);
        if (status != BRUME_OK) {
            return status;
        }
        render->lights[i] = light->light;
        if (light->light.daylight && !has_key(item, "color")) {
            render->lights[i].color = brume_vec3(1.0f, 1.0f, 1.0f);
        }
        if (light->light.daylight && !has_key(item, "intensity")) {
            render->lights[i].intensity = 1.0f;
        }
        render->lights[i].direction = has_key(item, "direction") ? unit_length(light->light.direction)
                                      : has_key(item, "target")
                                          ? unit_length(brume_sub(light->target, light->light.position))
                                          : brume_sun_direction(light->azimuth, light->elevation);
        if (!has_key(item, "angle")) {
            render->lights[i].angle = brume_default_light_angle(render->lights[i].kind);
        }
    }
    return BRUME_OK;
}

static BrumeStatus check_aim(const BrumeCamera *camera, const BrumeYamlNode *map, BrumeError *error)
{
    return brume_length(brume_sub(camera->target, camera->position)) > 0.0f
               ? BRUME_OK
               : brume_yaml_fail(map, error, "the camera and its 'target' are at the same point");
}

/** Rejects the size of the picture that belongs to the other projection. */
static BrumeStatus check_projection(const BrumeParsedScene *parsed, const BrumeYamlNode *map, BrumeError *error)
{
    const bool parallel = parsed->camera.camera.projection == BRUME_ORTHOGRAPHIC;
    const BrumeYamlNode *const unused = brume_yaml_get(map, parallel ? "field_of_view" : "height");
    return unused ? brume_yaml_fail_key(unused, error,
                                        parallel ? "'field_of_view' is for a perspective camera; an orthographic one "
                                                   "has a 'height'"
                                                 : "'height' is for an orthographic camera; a perspective one has a "
                                                   "'field_of_view'")
                  : BRUME_OK;
}

static const double half_sensor = 12.0; // half the height of the full-frame format [mm]
static const double radians_per_degree = 3.14159265358979 / 180.0;

/** The vertical angle of view that a map gives [degrees]. */
static float angle_of_view(const BrumeParsedCamera *pose, const BrumeYamlNode *map)
{
    if (!has_key(map, "focal_length")) {
        return pose->camera.field_of_view;
    }
    return (float)(2.0 * brume_atan(half_sensor / (double)pose->focal_length) / radians_per_degree);
}

/** Rejects keys that give the same value in two ways, and a focal length of parallel rays. */
static BrumeStatus check_lens(const BrumeParsedScene *parsed, const BrumeYamlNode *map, BrumeError *error)
{
    const BrumeYamlNode *const focal_length = brume_yaml_get(map, "focal_length");
    const BrumeYamlNode *const f_number = brume_yaml_get(map, "f_number");
    const bool parallel = parsed->camera.camera.projection == BRUME_ORTHOGRAPHIC;
    if (parallel && (focal_length || f_number)) {
        return brume_yaml_fail_key(focal_length ? focal_length : f_number, error,
                                   "'%s' is for a perspective camera; an orthographic one has a '%s'",
                                   focal_length ? "focal_length" : "f_number", focal_length ? "height" : "lens_radius");
    }
    if (focal_length && has_key(map, "field_of_view")) {
        return brume_yaml_fail_key(focal_length, error, "'focal_length' excludes 'field_of_view'");
    }
    if (f_number && has_key(map, "lens_radius")) {
        return brume_yaml_fail_key(f_number, error, "'f_number' excludes 'lens_radius'");
    }
    return BRUME_OK;
}

/**
 * Sets the radius of the lens. `*f_number` is the f-number of the previous keyframe, 0 where that has a radius or is
 * the first one, and is set for this one.
 */
static void resolve_lens(const BrumeParsedCamera *pose, const BrumeYamlNode *map, float *f_number, BrumeCamera *camera)
{
    if (has_key(map, "lens_radius")) {
        camera->lens_radius = pose->camera.lens_radius;
        *f_number = 0.0f;
    } else if (has_key(map, "f_number")) {
        *f_number = pose->f_number;
    }
    if (*f_number > 0.0f) {
        const double tangent = brume_tan(0.5 * (double)camera->field_of_view * radians_per_degree);
        const double focal_length = 1e-3 * half_sensor / tangent; // [m]
        camera->lens_radius = (float)(0.5 * focal_length / (double)*f_number);
    }
}

/** Sets the distance of the plane in focus. */
static BrumeStatus resolve_focus(const BrumeParsedCamera *parsed, const BrumeYamlNode *map, BrumeCamera *camera,
                                 BrumeError *error)
{
    const BrumeYamlNode *const point = brume_yaml_get(map, "focus_on");
    if (has_key(map, "focus_distance")) {
        camera->focus = parsed->camera.focus;
        return point ? brume_yaml_fail_key(point, error, "'focus_on' excludes 'focus_distance'") : BRUME_OK;
    }
    if (point) {
        BrumeVec3 right;
        BrumeVec3 up;
        BrumeVec3 forward;
        brume_camera_axes(camera, &right, &up, &forward);
        camera->focus = brume_dot(brume_sub(parsed->focus_on, camera->position), forward);
        if (!(camera->focus > 0.0f)) {
            return brume_yaml_fail(point, error, "'focus_on' is behind the camera");
        }
    }
    return BRUME_OK;
}

/** Sets the values of a camera that a map gives; `f_number` as for resolve_lens. */
static BrumeStatus resolve_pose(const BrumeParsedScene *parsed, const BrumeParsedCamera *pose, const BrumeYamlNode *map,
                                float *f_number, BrumeCamera *camera, BrumeError *error)
{
    if (has_key(map, "position")) {
        camera->position = pose->camera.position;
    }
    if (has_key(map, "target")) {
        camera->target = pose->camera.target;
    }
    if (has_key(map, "field_of_view") || has_key(map, "focal_length")) {
        camera->field_of_view = angle_of_view(pose, map);
    }
    if (has_key(map, "height")) {
        camera->height = pose->camera.height;
    }
    resolve_lens(pose, map, f_number, camera);
    BrumeStatus status = check_projection(parsed, map, error);
    if (status == BRUME_OK) {
        status = check_lens(parsed, map, error);
    }
    if (status == BRUME_OK) {
        status = check_aim(camera, map, error);
    }
    return status == BRUME_OK ? resolve_focus(pose, map, camera, error) : status;
}

/** Where a keyframe gives a focus, keyframes before it, which focus on their targets, get that distance as a number. */
static void complete_focus(BrumeScene *scene)
{
    const int last = scene->camera_key_count - 1;
    for (int i = 0; i < last && scene->camera_keys[last].camera.focus > 0.0f; i++) {
        BrumeCamera *const camera = &scene->camera_keys[i].camera;
        if (!(camera->focus > 0.0f)) {
            camera->focus = brume_length(brume_sub(camera->target, camera->position));
        }
    }
}

/** Resolves keyframes: a value that a key does not give is taken from the previous key. */
static BrumeStatus resolve_keyframes(BrumeParsedScene *parsed, const BrumeYamlNode *keys, BrumeError *error)
{
    BrumeScene *const scene = &parsed->scene;
    scene->camera_key_count = parsed->camera_key_count;
    const BrumeYamlNode *item = keys->first;
    float f_number = 0.0f;
    for (int i = 0; i < parsed->camera_key_count && item; i++, item = item->next) {
        const BrumeParsedCamera *const key = &parsed->camera_keys[i];
        BrumeCamera camera =
            i > 0 ? scene->camera_keys[i - 1].camera
                  : brume_default_camera(scene, parsed->camera.camera.projection, angle_of_view(key, item));
        const BrumeStatus status = resolve_pose(parsed, key, item, &f_number, &camera, error);
        scene->camera_keys[i] = (BrumeCameraKey){key->time, camera};
        if (!has_key(item, "time")) {
            return brume_yaml_fail(item, error, "this 'camera key' needs a 'time'");
        }
        if (i > 0 && scene->camera_keys[i].time <= scene->camera_keys[i - 1].time) {
            return brume_yaml_fail(
                brume_yaml_get(item, "time"), error,
                "'time' in 'camera key' is %.4g s, but must be above that of the previous key, %.4g s",
                scene->camera_keys[i].time, scene->camera_keys[i - 1].time);
        }
        if (status != BRUME_OK) {
            return status;
        }
    }
    complete_focus(scene);
    return BRUME_OK;
}

BrumeStatus brume_resolve_camera(BrumeParsedScene *parsed, const BrumeYamlNode *root, BrumeError *error)
{
    const BrumeYamlNode *const camera = brume_yaml_get(root, "camera");
    const BrumeYamlNode *const keys = brume_yaml_get(camera, "keys");
    parsed->scene.render_settings.shutter = parsed->scene.shutter / parsed->scene.sim.fps;
    if (keys && parsed->camera_key_count == 0) {
        return brume_yaml_fail(keys, error, "'keys' in 'camera' is empty");
    }
    if (keys) {
        for (const BrumeYamlNode *child = camera->first; child; child = child->next) {
            const bool of_all_keys = strcmp(child->key, "projection") == 0 || strcmp(child->key, "shutter") == 0 ||
                                     strcmp(child->key, "turntable") == 0;
            if (child != keys && !of_all_keys) {
                return brume_yaml_fail_key(
                    child, error, "'%s' in 'camera' cannot stand beside 'keys'; give it in each of them", child->key);
            }
        }
        return resolve_keyframes(parsed, keys, error);
    }
    BrumeCamera still =
        brume_default_camera(&parsed->scene, parsed->camera.camera.projection, angle_of_view(&parsed->camera, camera));
    float f_number = 0.0f;
    const BrumeStatus status = resolve_pose(parsed, &parsed->camera, camera, &f_number, &still, error);
    parsed->scene.camera_key_count = 1;
    parsed->scene.camera_keys[0] = (BrumeCameraKey){0.0, still};
    return status;
}
