/*
 * Lights and cameras.
 */
#include "core/vec3.h"
#include "scene/draft.h"

#include <math.h>

static const float radians_per_degree = 0.01745329252f;

static bool has(const BrumeYamlNode *map, const char *key) { return brume_yaml_get(map, key) != NULL; }

static BrumeStatus fail_stray(const BrumeYamlNode *map, const char *key, const char *reason, BrumeError *error)
{
    return brume_yaml_fail_key(brume_yaml_get(map, key), error, "'%s' in 'light' %s", key, reason);
}

static BrumeStatus check_light_keys(const BrumeLightDraft *draft, const BrumeYamlNode *map, BrumeError *error)
{
    const char *const angle = has(map, "azimuth") ? "azimuth" : has(map, "elevation") ? "elevation" : NULL;
    if (draft->kind == BRUME_LIGHT_POINT) {
        if (!has(map, "position")) {
            return brume_yaml_fail(map, error, "a point light needs a 'position'");
        }
        if (angle || has(map, "direction")) {
            return fail_stray(map, angle ? angle : "direction", "is for a sun; a point light has a 'position'", error);
        }
        return BRUME_OK;
    }
    if (has(map, "position")) {
        return fail_stray(map, "position", "is for a point light; a sun has 'azimuth' and 'elevation'", error);
    }
    if (angle && has(map, "direction")) {
        return fail_stray(map, angle, "excludes 'direction'", error);
    }
    if (has(map, "direction") && !(brume_length(draft->light.direction) > 0.0f)) {
        return brume_yaml_fail(brume_yaml_get(map, "direction"), error, "'direction' in 'light' points nowhere");
    }
    return BRUME_OK;
}

BrumeVec3 brume_sun_direction(float azimuth, float elevation)
{
    const float a = azimuth * radians_per_degree;
    const float e = elevation * radians_per_degree;
    return brume_vec3(-cosf(e) * sinf(a), -sinf(e), -cosf(e) * cosf(a));
}

/** A direction of length 1; one that has it already, but for rounding, stays as it is. */
static BrumeVec3 unit_length(BrumeVec3 direction)
{
    return fabsf(brume_dot(direction, direction) - 1.0f) < 1e-6f ? direction : brume_normalize(direction);
}

BrumeStatus brume_finish_lights(BrumeSceneDraft *draft, const BrumeYamlNode *root, BrumeError *error)
{
    BrumeRenderSettings *const look = &draft->scene.look;
    const BrumeYamlNode *const list = brume_yaml_get(root, "lights");
    if (!list) {
        return BRUME_OK;
    }
    const BrumeYamlNode *item = list->first;
    look->light_count = draft->light_count;
    for (int i = 0; i < draft->light_count && item; i++, item = item->next) {
        const BrumeLightDraft *const light = &draft->lights[i];
        const BrumeStatus status = check_light_keys(light, item, error);
        if (status != BRUME_OK) {
            return status;
        }
        look->lights[i] = light->light;
        look->lights[i].kind = (BrumeLightKind)light->kind;
        look->lights[i].direction = has(item, "direction") ? unit_length(light->light.direction)
                                                           : brume_sun_direction(light->azimuth, light->elevation);
    }
    return BRUME_OK;
}

BrumeCamera brume_frame_box(const BrumeScene *scene, float field_of_view)
{
    const BrumeSimDef *const sim = &scene->sim;
    const BrumeVec3 sides = brume_scale(brume_vec3((float)sim->nx, (float)sim->ny, (float)sim->nz), sim->dx);
    const BrumeVec3 middle = brume_add(sim->origin, brume_scale(sides, 0.5f));
    const float aspect = (float)scene->width / (float)scene->height;
    const float slope = tanf(0.5f * field_of_view * radians_per_degree);
    const float margin = 1.15f;
    const float distance = 0.5f * sides.z + margin * 0.5f * fmaxf(sides.y, sides.x / aspect) / slope;
    return (BrumeCamera){
        .position = brume_add(middle, brume_vec3(0.0f, 0.15f * sides.y, distance)),
        .target = middle,
        .field_of_view = field_of_view,
    };
}

static BrumeStatus check_aim(const BrumeCamera *camera, const BrumeYamlNode *map, BrumeError *error)
{
    return brume_length(brume_sub(camera->target, camera->position)) > 0.0f
               ? BRUME_OK
               : brume_yaml_fail(map, error, "the camera stands on its own 'target'; move one of them");
}

/** A flight: what a key leaves out stays as the key before has it. */
static BrumeStatus finish_flight(BrumeSceneDraft *draft, const BrumeYamlNode *keys, BrumeError *error)
{
    BrumeScene *const scene = &draft->scene;
    scene->camera_key_count = draft->camera_key_count;
    const BrumeYamlNode *item = keys->first;
    for (int i = 0; i < draft->camera_key_count && item; i++, item = item->next) {
        const BrumeCameraKeyDraft *const key = &draft->camera_keys[i];
        BrumeCamera before =
            i > 0 ? scene->camera_keys[i - 1].camera : brume_frame_box(scene, key->camera.field_of_view);
        if (has(item, "position")) {
            before.position = key->camera.position;
        }
        if (has(item, "target")) {
            before.target = key->camera.target;
        }
        if (has(item, "field_of_view")) {
            before.field_of_view = key->camera.field_of_view;
        }
        scene->camera_keys[i] = (BrumeCameraKey){key->time, before};
        if (!has(item, "time")) {
            return brume_yaml_fail(item, error, "this 'camera key' needs a 'time'");
        }
        if (i > 0 && scene->camera_keys[i].time <= scene->camera_keys[i - 1].time) {
            return brume_yaml_fail(brume_yaml_get(item, "time"), error,
                                   "'time' in 'camera key' is %.4g s, but must be above that of the key before, %.4g s",
                                   scene->camera_keys[i].time, scene->camera_keys[i - 1].time);
        }
        const BrumeStatus status = check_aim(&scene->camera_keys[i].camera, item, error);
        if (status != BRUME_OK) {
            return status;
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_finish_camera(BrumeSceneDraft *draft, const BrumeYamlNode *root, BrumeError *error)
{
    const BrumeYamlNode *const camera = brume_yaml_get(root, "camera");
    const BrumeYamlNode *const keys = brume_yaml_get(camera, "keys");
    if (keys && draft->camera_key_count == 0) {
        return brume_yaml_fail(keys, error, "'keys' in 'camera' has none");
    }
    if (keys) {
        for (const BrumeYamlNode *child = camera->first; child; child = child->next) {
            if (child != keys) {
                return brume_yaml_fail_key(child, error, "'%s' in 'camera' belongs into each of its 'keys'",
                                           child->key);
            }
        }
        return finish_flight(draft, keys, error);
    }
    BrumeCamera still = brume_frame_box(&draft->scene, draft->camera.field_of_view);
    if (has(camera, "position")) {
        still.position = draft->camera.position;
    }
    if (has(camera, "target")) {
        still.target = draft->camera.target;
    }
    draft->scene.camera_key_count = 1;
    draft->scene.camera_keys[0] = (BrumeCameraKey){0.0, still};
    return check_aim(&still, camera, error);
}
