#include "viewer/window/camera_motion.h"
#include "core/vec3.h"

static const float pi = 3.14159265f;
static const float max_pitch = 89.0f * 3.14159265f / 180.0f; // [radians]
static const float min_distance = 0.01f;                     // [m]
static const double animation_seconds = 0.25;

// a viewing direction as angles [radians]: yaw is 0 along -z and increases to the right, pitch is 0 at the horizon and
// increases upwards
typedef struct Angles {
    float yaw, pitch;
} Angles;

static Angles angles_of(BrumeVec3 forward)
{
    const float level = hypotf(forward.x, forward.z);
    return (Angles){
        .yaw = level > 1e-6f ? atan2f(forward.x, -forward.z) : 0.0f, // as in brume_camera_axes
        .pitch = atan2f(forward.y, level),
    };
}

static BrumeVec3 direction_of(Angles angles)
{
    const float level = cosf(angles.pitch);
    return brume_vec3(level * sinf(angles.yaw), sinf(angles.pitch), -level * cosf(angles.yaw));
}

static BrumeVec3 rotated(BrumeVec3 forward, float yaw, float pitch)
{
    Angles angles = angles_of(forward);
    angles.yaw += yaw;
    angles.pitch = fminf(fmaxf(angles.pitch + pitch, -max_pitch), max_pitch);
    return direction_of(angles);
}

static float distance_of(const BrumeCamera *camera)
{
    return brume_length(brume_sub(camera->target, camera->position));
}

static void translate(BrumeCamera *camera, BrumeVec3 by)
{
    camera->position = brume_add(camera->position, by);
    camera->target = brume_add(camera->target, by);
}

static float tan_half_angle(const BrumeCamera *camera) { return tanf(camera->field_of_view * pi / 360.0f); }

// returns the height of the picture at the target's distance [m]
static float height_at_target(const BrumeCamera *camera)
{
    return camera->projection == BRUME_ORTHOGRAPHIC ? camera->height
                                                    : 2.0f * tan_half_angle(camera) * distance_of(camera);
}

void brume_camera_fly(BrumeCamera *camera, float right, float up, float forward)
{
    BrumeVec3 x;
    BrumeVec3 y;
    BrumeVec3 z;
    brume_camera_axes(camera, &x, &y, &z);
    const BrumeVec3 by = brume_add(brume_scale(x, right), brume_scale(z, forward));
    translate(camera, brume_add(by, brume_vec3(0.0f, up, 0.0f)));
}

void brume_camera_look(BrumeCamera *camera, float yaw, float pitch)
{
    BrumeVec3 x;
    BrumeVec3 y;
    BrumeVec3 z;
    brume_camera_axes(camera, &x, &y, &z);
    camera->target = brume_add(camera->position, brume_scale(rotated(z, yaw, pitch), distance_of(camera)));
}

void brume_camera_orbit(BrumeCamera *camera, float yaw, float pitch)
{
    BrumeVec3 x;
    BrumeVec3 y;
    BrumeVec3 z;
    brume_camera_axes(camera, &x, &y, &z);
    camera->position = brume_sub(camera->target, brume_scale(rotated(z, yaw, pitch), distance_of(camera)));
}

void brume_camera_pan(BrumeCamera *camera, float dx, float dy)
{
    BrumeVec3 x;
    BrumeVec3 y;
    BrumeVec3 z;
    brume_camera_axes(camera, &x, &y, &z);
    const float height = height_at_target(camera);
    translate(camera, brume_add(brume_scale(x, -dx * height), brume_scale(y, dy * height)));
}

void brume_camera_dolly(BrumeCamera *camera, float factor)
{
    BrumeVec3 x;
    BrumeVec3 y;
    BrumeVec3 z;
    brume_camera_axes(camera, &x, &y, &z);
    if (camera->projection == BRUME_ORTHOGRAPHIC) {
        camera->height = fmaxf(camera->height * factor, min_distance);
        return;
    }
    const float distance = fmaxf(distance_of(camera) * factor, min_distance);
    camera->position = brume_sub(camera->target, brume_scale(z, distance));
}

void brume_camera_raise(BrumeCamera *camera, float lowest)
{
    if (camera->position.y < lowest) {
        translate(camera, brume_vec3(0.0f, lowest - camera->position.y, 0.0f));
    }
}

void brume_camera_orbit_above(BrumeCamera *camera, float lowest)
{
    if (!(camera->position.y < lowest)) {
        return;
    }
    BrumeVec3 x;
    BrumeVec3 y;
    BrumeVec3 z;
    brume_camera_axes(camera, &x, &y, &z);
    const float distance = fmaxf(distance_of(camera), min_distance);
    const float sine = fminf(fmaxf((camera->target.y - lowest) / distance, -1.0f), 1.0f);
    brume_camera_orbit(camera, 0.0f, asinf(sine) - angles_of(z).pitch);
}

// Returns the distance from the box's center at which a corner is at the edge of the picture. The corner is `across`
// away from the axis and `towards_camera` closer than the center.
static float distance_for(float across, float towards_camera, float slope)
{
    return fabsf(across) / slope + towards_camera;
}

BrumeCamera brume_camera_frame(const BrumeCamera *camera, BrumeVec3 lower, BrumeVec3 upper, float aspect)
{
    BrumeVec3 x;
    BrumeVec3 y;
    BrumeVec3 z;
    brume_camera_axes(camera, &x, &y, &z);
    const float margin = 1.05f;
    const float slope = tan_half_angle(camera) / margin;
    const BrumeVec3 middle = brume_scale(brume_add(lower, upper), 0.5f);
    const bool parallel = camera->projection == BRUME_ORTHOGRAPHIC;
    float distance = parallel ? distance_of(camera) : min_distance;
    float height = 0.0f;
    for (int corner = 0; corner < 8; corner++) {
        const BrumeVec3 point = brume_vec3((corner & 1) != 0 ? upper.x : lower.x, (corner & 2) != 0 ? upper.y : lower.y,
                                           (corner & 4) != 0 ? upper.z : lower.z);
        const BrumeVec3 offset = brume_sub(point, middle);
        const float towards_camera = -brume_dot(offset, z);
        const float across = brume_dot(offset, x);
        const float above = brume_dot(offset, y);
        if (parallel) {
            distance = fmaxf(distance, 2.0f * towards_camera);
            height = fmaxf(height, 2.0f * margin * fmaxf(fabsf(above), fabsf(across) / aspect));
        } else {
            distance = fmaxf(distance, distance_for(across, towards_camera, slope * aspect));
            distance = fmaxf(distance, distance_for(above, towards_camera, slope));
        }
    }
    BrumeCamera framed = *camera;
    framed.position = brume_sub(middle, brume_scale(z, distance));
    framed.target = middle;
    framed.height = parallel ? fmaxf(height, min_distance) : camera->height;
    return framed;
}

BrumeCamera brume_camera_with_other_projection(const BrumeCamera *camera)
{
    BrumeCamera other = *camera;
    if (camera->projection == BRUME_PERSPECTIVE) {
        other.projection = BRUME_ORTHOGRAPHIC;
        other.height = height_at_target(camera);
        return other;
    }
    BrumeVec3 x;
    BrumeVec3 y;
    BrumeVec3 z;
    brume_camera_axes(camera, &x, &y, &z);
    const float distance = fmaxf(0.5f * camera->height / tan_half_angle(camera), min_distance);
    other.projection = BRUME_PERSPECTIVE;
    other.position = brume_sub(camera->target, brume_scale(z, distance));
    return other;
}

BrumeRay brume_camera_ray(const BrumeCamera *camera, float width, float height, float x, float y)
{
    BrumeVec3 right;
    BrumeVec3 up;
    BrumeVec3 forward;
    brume_camera_axes(camera, &right, &up, &forward);
    const bool parallel = camera->projection == BRUME_ORTHOGRAPHIC;
    const float slope = parallel ? 0.5f * camera->height : tan_half_angle(camera);
    const float across = (2.0f * x - width) / height * slope;
    const float above = (height - 2.0f * y) / height * slope;
    const BrumeVec3 offset = brume_add(brume_scale(right, across), brume_scale(up, above));
    return parallel ? (BrumeRay){brume_add(camera->position, offset), forward}
                    : (BrumeRay){camera->position, brume_normalize(brume_add(forward, offset))};
}

void brume_camera_animation_start(BrumeCameraAnimation *animation, const BrumeCamera *from, const BrumeCamera *to)
{
    *animation = (BrumeCameraAnimation){.from = *from, .to = *to, .active = true};
}

bool brume_camera_animation_advance(BrumeCameraAnimation *animation, double seconds, BrumeCamera *camera)
{
    if (!animation->active) {
        return false;
    }
    animation->elapsed += seconds;
    if (animation->elapsed >= animation_seconds) {
        *camera = animation->to;
        animation->active = false;
        return true;
    }
    // the target moves on a straight line; the viewing direction is interpolated by its angles, the shorter way around
    const float t = (float)(animation->elapsed / animation_seconds);
    const float s = t * t * (3.0f - 2.0f * t);
    BrumeVec3 x;
    BrumeVec3 y;
    BrumeVec3 forward_from;
    BrumeVec3 forward_to;
    brume_camera_axes(&animation->from, &x, &y, &forward_from);
    brume_camera_axes(&animation->to, &x, &y, &forward_to);
    Angles angles = angles_of(forward_from);
    const Angles end = angles_of(forward_to);
    angles.yaw += s * remainderf(end.yaw - angles.yaw, 2.0f * pi);
    angles.pitch += s * (end.pitch - angles.pitch);
    const float from_distance = distance_of(&animation->from);
    const float distance = from_distance + s * (distance_of(&animation->to) - from_distance);
    const BrumeVec3 target_motion = brume_sub(animation->to.target, animation->from.target);
    camera->target = brume_add(animation->from.target, brume_scale(target_motion, s));
    camera->position = brume_sub(camera->target, brume_scale(direction_of(angles), distance));
    camera->field_of_view =
        animation->from.field_of_view + s * (animation->to.field_of_view - animation->from.field_of_view);
    camera->projection = animation->to.projection;
    if (animation->to.projection == BRUME_ORTHOGRAPHIC) {
        const float from_height = height_at_target(&animation->from);
        camera->height = from_height + s * (animation->to.height - from_height);
    } else {
        camera->height = animation->to.height;
    }
    return true;
}
