#include "brume/camera.h"
#include "core/elementary.h"
#include "core/minmax.h"
#include "core/vec3.h"

#include <assert.h>

// one component of the cubic Hermite curve over a segment of `length` [s] at the parameter `s` in [0, 1]
static float hermite(float from, float to, float slope_from, float slope_to, float length, float s)
{
    const float s2 = s * s;
    const float s3 = s2 * s;
    return (2.0f * s3 - 3.0f * s2 + 1.0f) * from + (s3 - 2.0f * s2 + s) * length * slope_from +
           (3.0f * s2 - 2.0f * s3) * to + (s3 - s2) * length * slope_to;
}

static BrumeVec3 hermite3(BrumeVec3 from, BrumeVec3 to, BrumeVec3 slope_from, BrumeVec3 slope_to, float length, float s)
{
    return brume_vec3(hermite(from.x, to.x, slope_from.x, slope_to.x, length, s),
                      hermite(from.y, to.y, slope_from.y, slope_to.y, length, s),
                      hermite(from.z, to.z, slope_from.z, slope_to.z, length, s));
}

// the spline's derivative [1/s] at key `i`: the difference between the neighboring keys, one-sided at the ends
static BrumeCamera slope_at(const BrumeCameraKey *keys, int count, int i)
{
    const BrumeCameraKey *previous_key = &keys[i > 0 ? i - 1 : 0];
    const BrumeCameraKey *next_key = &keys[i + 1 < count ? i + 1 : count - 1];
    const float per_second = (float)(1.0 / (next_key->time - previous_key->time));
    const BrumeCamera *a = &previous_key->camera;
    const BrumeCamera *b = &next_key->camera;
    return (BrumeCamera){
        .position = brume_scale(brume_sub(b->position, a->position), per_second),
        .target = brume_scale(brume_sub(b->target, a->target), per_second),
        .field_of_view = (b->field_of_view - a->field_of_view) * per_second,
        .height = (b->height - a->height) * per_second,
        .lens_radius = (b->lens_radius - a->lens_radius) * per_second,
        .focus = (b->focus - a->focus) * per_second,
    };
}

BrumeCamera brume_camera_at(const BrumeCameraKey *keys, int count, double time)
{
    assert(count >= 1);
    if (!(time > keys[0].time)) {
        return keys[0].camera;
    }
    if (time >= keys[count - 1].time) {
        return keys[count - 1].camera;
    }
    int i = 0;
    while (time >= keys[i + 1].time) {
        i++;
    }
    assert(keys[i + 1].time > keys[i].time);
    const double seconds = keys[i + 1].time - keys[i].time;
    const float length = (float)seconds;
    const float s = (float)((time - keys[i].time) / seconds);
    const BrumeCamera *a = &keys[i].camera;
    const BrumeCamera *b = &keys[i + 1].camera;
    const BrumeCamera slope_a = slope_at(keys, count, i);
    const BrumeCamera slope_b = slope_at(keys, count, i + 1);
    const float angle =
        hermite(a->field_of_view, b->field_of_view, slope_a.field_of_view, slope_b.field_of_view, length, s);
    const float lens = hermite(a->lens_radius, b->lens_radius, slope_a.lens_radius, slope_b.lens_radius, length, s);
    const float focus = hermite(a->focus, b->focus, slope_a.focus, slope_b.focus, length, s);
    const float height = hermite(a->height, b->height, slope_a.height, slope_b.height, length, s);
    return (BrumeCamera){
        .position = hermite3(a->position, b->position, slope_a.position, slope_b.position, length, s),
        .target = hermite3(a->target, b->target, slope_a.target, slope_b.target, length, s),
        .field_of_view = brume_fminf(brume_fmaxf(angle, 1.0f), 179.0f), // the curve may overshoot its keys
        .projection = keys[0].camera.projection,
        .height = brume_fmaxf(height, 0.1f * brume_fminf(a->height, b->height)),
        .lens_radius = brume_fmaxf(lens, 0.0f),
        .focus = brume_fmaxf(focus, 0.1f * brume_fminf(a->focus, b->focus)),
    };
}

void brume_camera_axes(const BrumeCamera *camera, BrumeVec3 *right, BrumeVec3 *up, BrumeVec3 *forward)
{
    BrumeVec3 ahead = brume_normalize(brume_sub(camera->target, camera->position));
    if (brume_dot(ahead, ahead) == 0.0f) {
        ahead = brume_vec3(0.0f, 0.0f, -1.0f);
    }
    // forward x world up; it vanishes where the camera looks along y, and +x is used there
    const BrumeVec3 across = brume_vec3(-ahead.z, 0.0f, ahead.x);
    *forward = ahead;
    *right = brume_length(across) > 1e-6f ? brume_normalize(across) : brume_vec3(1.0f, 0.0f, 0.0f);
    *up = brume_cross(*right, ahead);
}

BrumeCamera brume_camera_turned(const BrumeCamera *camera, double angle)
{
    BrumeCamera turned = *camera;
    const float sine = (float)brume_sin(angle);
    const float cosine = (float)brume_cos(angle);
    const BrumeVec3 offset = brume_sub(camera->position, camera->target);
    turned.position = brume_add(
        camera->target, brume_vec3(cosine * offset.x + sine * offset.z, offset.y, cosine * offset.z - sine * offset.x));
    return turned;
}
