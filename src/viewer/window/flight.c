#include "viewer/window/flight.h"
#include "core/vec3.h"

static const float pi = 3.14159265f;
static const float steepest = 89.0f * 3.14159265f / 180.0f; // [radians]
static const float nearest = 0.01f;                         // [m]
static const double flight_seconds = 0.25;

// what a camera's direction is in angles: yaw 0 along -z, rising to the right; pitch 0 level, rising upwards
typedef struct Angles {
    float yaw, pitch;
} Angles;

static Angles angles_of(BrumeVec3 forward)
{
    const float level = hypotf(forward.x, forward.z);
    return (Angles){
        .yaw = level > 1e-6f ? atan2f(forward.x, -forward.z) : 0.0f, // as brume_camera_axes has it
        .pitch = atan2f(forward.y, level),
    };
}

static BrumeVec3 direction_of(Angles angles)
{
    const float level = cosf(angles.pitch);
    return brume_vec3(level * sinf(angles.yaw), sinf(angles.pitch), -level * cosf(angles.yaw));
}

static BrumeVec3 turned(BrumeVec3 forward, float yaw, float pitch)
{
    Angles angles = angles_of(forward);
    angles.yaw += yaw;
    angles.pitch = fminf(fmaxf(angles.pitch + pitch, -steepest), steepest);
    return direction_of(angles);
}

static float distance_of(const BrumeCamera *camera)
{
    return brume_length(brume_sub(camera->target, camera->position));
}

static void move_by(BrumeCamera *camera, BrumeVec3 by)
{
    camera->position = brume_add(camera->position, by);
    camera->target = brume_add(camera->target, by);
}

static float half_slope(const BrumeCamera *camera) { return tanf(camera->field_of_view * pi / 360.0f); }

void brume_camera_fly(BrumeCamera *camera, float right, float up, float forward)
{
    BrumeVec3 x;
    BrumeVec3 y;
    BrumeVec3 z;
    brume_camera_axes(camera, &x, &y, &z);
    const BrumeVec3 by = brume_add(brume_scale(x, right), brume_scale(z, forward));
    move_by(camera, brume_add(by, brume_vec3(0.0f, up, 0.0f)));
}

void brume_camera_look(BrumeCamera *camera, float yaw, float pitch)
{
    BrumeVec3 x;
    BrumeVec3 y;
    BrumeVec3 z;
    brume_camera_axes(camera, &x, &y, &z);
    camera->target = brume_add(camera->position, brume_scale(turned(z, yaw, pitch), distance_of(camera)));
}

void brume_camera_orbit(BrumeCamera *camera, float yaw, float pitch)
{
    BrumeVec3 x;
    BrumeVec3 y;
    BrumeVec3 z;
    brume_camera_axes(camera, &x, &y, &z);
    camera->position = brume_sub(camera->target, brume_scale(turned(z, yaw, pitch), distance_of(camera)));
}

void brume_camera_pan(BrumeCamera *camera, float dx, float dy)
{
    BrumeVec3 x;
    BrumeVec3 y;
    BrumeVec3 z;
    brume_camera_axes(camera, &x, &y, &z);
    const float height = 2.0f * half_slope(camera) * distance_of(camera); // of the picture at the target [m]
    move_by(camera, brume_add(brume_scale(x, -dx * height), brume_scale(y, dy * height)));
}

void brume_camera_dolly(BrumeCamera *camera, float factor)
{
    BrumeVec3 x;
    BrumeVec3 y;
    BrumeVec3 z;
    brume_camera_axes(camera, &x, &y, &z);
    const float distance = fmaxf(distance_of(camera) * factor, nearest);
    camera->position = brume_sub(camera->target, brume_scale(z, distance));
}

// how far in front of the box's middle a camera stands that just sees a corner, which is `across` off the axis and
// `nearer` than the middle
static float distance_for(float across, float nearer, float slope) { return fabsf(across) / slope + nearer; }

BrumeCamera brume_camera_frame(const BrumeCamera *camera, BrumeVec3 lower, BrumeVec3 upper, float aspect)
{
    BrumeVec3 x;
    BrumeVec3 y;
    BrumeVec3 z;
    brume_camera_axes(camera, &x, &y, &z);
    const float margin = 1.05f;
    const float slope = half_slope(camera) / margin;
    const BrumeVec3 middle = brume_scale(brume_add(lower, upper), 0.5f);
    float distance = nearest;
    for (int corner = 0; corner < 8; corner++) {
        const BrumeVec3 point = brume_vec3((corner & 1) != 0 ? upper.x : lower.x, (corner & 2) != 0 ? upper.y : lower.y,
                                           (corner & 4) != 0 ? upper.z : lower.z);
        const BrumeVec3 off = brume_sub(point, middle);
        const float nearer = -brume_dot(off, z);
        distance = fmaxf(distance, distance_for(brume_dot(off, x), nearer, slope * aspect));
        distance = fmaxf(distance, distance_for(brume_dot(off, y), nearer, slope));
    }
    return (BrumeCamera){
        .position = brume_sub(middle, brume_scale(z, distance)),
        .target = middle,
        .field_of_view = camera->field_of_view,
    };
}

BrumeVec3 brume_camera_ray(const BrumeCamera *camera, float width, float height, float x, float y)
{
    BrumeVec3 right;
    BrumeVec3 up;
    BrumeVec3 forward;
    brume_camera_axes(camera, &right, &up, &forward);
    const float slope = half_slope(camera);
    const float across = (2.0f * x - width) / height * slope;
    const float above = (height - 2.0f * y) / height * slope;
    return brume_normalize(brume_add(forward, brume_add(brume_scale(right, across), brume_scale(up, above))));
}

void brume_flight_begin(BrumeFlight *flight, const BrumeCamera *from, const BrumeCamera *to)
{
    *flight = (BrumeFlight){.from = *from, .to = *to, .under_way = true};
}

bool brume_flight_go_on(BrumeFlight *flight, double seconds, BrumeCamera *camera)
{
    if (!flight->under_way) {
        return false;
    }
    flight->flown += seconds;
    if (flight->flown >= flight_seconds) {
        *camera = flight->to;
        flight->under_way = false;
        return true;
    }
    // the view turns as the camera goes: direction by its angles, the short way round
    const float t = (float)(flight->flown / flight_seconds);
    const float s = t * t * (3.0f - 2.0f * t);
    BrumeVec3 x;
    BrumeVec3 y;
    BrumeVec3 ahead_from;
    BrumeVec3 ahead_to;
    brume_camera_axes(&flight->from, &x, &y, &ahead_from);
    brume_camera_axes(&flight->to, &x, &y, &ahead_to);
    Angles angles = angles_of(ahead_from);
    const Angles end = angles_of(ahead_to);
    angles.yaw += s * remainderf(end.yaw - angles.yaw, 2.0f * pi);
    angles.pitch += s * (end.pitch - angles.pitch);
    const float near = distance_of(&flight->from);
    const float distance = near + s * (distance_of(&flight->to) - near);
    const BrumeVec3 way = brume_sub(flight->to.target, flight->from.target);
    camera->target = brume_add(flight->from.target, brume_scale(way, s));
    camera->position = brume_sub(camera->target, brume_scale(direction_of(angles), distance));
    camera->field_of_view = flight->from.field_of_view + s * (flight->to.field_of_view - flight->from.field_of_view);
    return true;
}
