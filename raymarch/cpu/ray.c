#include "raymarch/cpu/ray.h"

#include "core/vec3.h"
#include "raymarch/phase.h"

static const BrumeStretch everywhere = {-INFINITY, INFINITY};
static const BrumeStretch nowhere = {INFINITY, -INFINITY};

BrumeView brume_view(const BrumeCamera *camera, int width, int height)
{
    BrumeVec3 right;
    BrumeVec3 up;
    BrumeVec3 forward;
    brume_camera_axes(camera, &right, &up, &forward);
    const float half_height = tanf(camera->field_of_view * (BRUME_PI / 360.0f));
    const float half_width = half_height * (float)width / (float)height;
    const BrumeVec3 left_edge = brume_sub(forward, brume_scale(right, half_width));
    return (BrumeView){
        .position = camera->position,
        .corner = brume_add(left_edge, brume_scale(up, half_height)),
        .across = brume_scale(right, 2.0f * half_width / (float)width),
        .down = brume_scale(up, -2.0f * half_height / (float)height),
    };
}

BrumeRay brume_view_ray(const BrumeView *view, float x, float y)
{
    const BrumeVec3 to_row = brume_add(view->corner, brume_scale(view->down, y));
    return (BrumeRay){view->position, brume_normalize(brume_add(to_row, brume_scale(view->across, x)))};
}

static BrumeStretch both(BrumeStretch a, BrumeStretch b)
{
    return (BrumeStretch){brume_max(a.enter, b.enter), brume_min(a.leave, b.leave)};
}

// the smallest stretch that covers two
static BrumeStretch cover(BrumeStretch a, BrumeStretch b)
{
    if (!(a.enter < a.leave)) {
        return b;
    }
    if (!(b.enter < b.leave)) {
        return a;
    }
    return (BrumeStretch){brume_min(a.enter, b.enter), brume_max(a.leave, b.leave)};
}

// where lower <= origin + distance * direction <= upper
static BrumeStretch slab(float origin, float direction, float lower, float upper)
{
    if (direction == 0.0f) {
        return origin >= lower && origin <= upper ? everywhere : nowhere;
    }
    const float inverse = 1.0f / direction;
    const float a = (lower - origin) * inverse;
    const float b = (upper - origin) * inverse;
    return (BrumeStretch){brume_min(a, b), brume_max(a, b)};
}

BrumeStretch brume_ray_box(const BrumeRay *ray, BrumeVec3 lower, BrumeVec3 upper)
{
    const BrumeStretch x = slab(ray->origin.x, ray->direction.x, lower.x, upper.x);
    const BrumeStretch y = slab(ray->origin.y, ray->direction.y, lower.y, upper.y);
    const BrumeStretch z = slab(ray->origin.z, ray->direction.z, lower.z, upper.z);
    return both(x, both(y, z));
}

// where |offset + distance * direction| <= radius. The distance of closest approach is taken first, so that the
// square root is of a small number even where the origin is far away.
static BrumeStretch round_stretch(BrumeVec3 offset, BrumeVec3 direction, float radius)
{
    const float squared = brume_dot(direction, direction);
    if (squared <= 0.0f) {
        return brume_dot(offset, offset) <= radius * radius ? everywhere : nowhere;
    }
    const float closest = -brume_dot(offset, direction) / squared;
    const BrumeVec3 miss = brume_add(offset, brume_scale(direction, closest));
    const float left = radius * radius - brume_dot(miss, miss);
    if (left <= 0.0f) {
        return nowhere;
    }
    const float half = sqrtf(left / squared);
    return (BrumeStretch){closest - half, closest + half};
}

static BrumeStretch sphere(const BrumeRay *ray, BrumeVec3 centre, float radius)
{
    return round_stretch(brume_sub(ray->origin, centre), ray->direction, radius);
}

// an endless cylinder, cut by the two planes of its ends
static BrumeStretch cylinder(const BrumeRay *ray, const BrumeShape *shape)
{
    const BrumeVec3 axis = brume_sub(shape->b, shape->a);
    const float length = brume_length(axis);
    if (length <= 0.0f) {
        return nowhere;
    }
    const BrumeVec3 unit = brume_scale(axis, 1.0f / length);
    const BrumeVec3 from_a = brume_sub(ray->origin, shape->a);
    const float along = brume_dot(from_a, unit);
    const float speed_along = brume_dot(ray->direction, unit);
    BrumeVec3 across = brume_sub(ray->direction, brume_scale(unit, speed_along));
    if (brume_dot(across, across) < 1e-12f) { // parallel to the axis but for rounding
        across = brume_vec3(0.0f, 0.0f, 0.0f);
    }
    const BrumeStretch side = round_stretch(brume_sub(from_a, brume_scale(unit, along)), across, shape->radius);
    return both(side, slab(along, speed_along, 0.0f, length));
}

BrumeStretch brume_ray_shape(const BrumeRay *ray, const BrumeShape *shape)
{
    switch (shape->kind) {
    case BRUME_SHAPE_SPHERE:
        return sphere(ray, shape->a, shape->radius);
    case BRUME_SHAPE_BOX:
        return brume_ray_box(ray, shape->a, shape->b);
    case BRUME_SHAPE_CYLINDER:
        return cylinder(ray, shape);
    case BRUME_SHAPE_CAPSULE:
        return cover(cylinder(ray, shape),
                     cover(sphere(ray, shape->a, shape->radius), sphere(ray, shape->b, shape->radius)));
    }
    return nowhere;
}

static BrumeVec3 box_normal(const BrumeShape *shape, BrumeVec3 point)
{
    const BrumeVec3 p = brume_sub(point, brume_scale(brume_add(shape->a, shape->b), 0.5f));
    const BrumeVec3 half = brume_scale(brume_sub(shape->b, shape->a), 0.5f);
    const float x = fabsf(p.x) - half.x;
    const float y = fabsf(p.y) - half.y;
    const float z = fabsf(p.z) - half.z;
    if (x >= y && x >= z) {
        return brume_vec3(copysignf(1.0f, p.x), 0.0f, 0.0f);
    }
    return y >= z ? brume_vec3(0.0f, copysignf(1.0f, p.y), 0.0f) : brume_vec3(0.0f, 0.0f, copysignf(1.0f, p.z));
}

static BrumeVec3 cylinder_normal(const BrumeShape *shape, BrumeVec3 point)
{
    const BrumeVec3 axis = brume_sub(shape->b, shape->a);
    const BrumeVec3 unit = brume_normalize(axis);
    const BrumeVec3 from_middle = brume_sub(point, brume_scale(brume_add(shape->a, shape->b), 0.5f));
    const float along = brume_dot(from_middle, unit);
    const BrumeVec3 across = brume_sub(from_middle, brume_scale(unit, along));
    const float beyond_end = fabsf(along) - 0.5f * brume_length(axis);
    const float beyond_side = brume_length(across) - shape->radius;
    return beyond_end > beyond_side ? brume_scale(unit, copysignf(1.0f, along)) : brume_normalize(across);
}

static BrumeVec3 capsule_normal(const BrumeShape *shape, BrumeVec3 point)
{
    const BrumeVec3 axis = brume_sub(shape->b, shape->a);
    const BrumeVec3 from_a = brume_sub(point, shape->a);
    const float squared = brume_dot(axis, axis);
    const float along = squared > 0.0f ? brume_min(brume_max(brume_dot(from_a, axis) / squared, 0.0f), 1.0f) : 0.0f;
    return brume_normalize(brume_sub(from_a, brume_scale(axis, along)));
}

BrumeVec3 brume_shape_normal(const BrumeShape *shape, BrumeVec3 point)
{
    switch (shape->kind) {
    case BRUME_SHAPE_SPHERE:
        return brume_normalize(brume_sub(point, shape->a));
    case BRUME_SHAPE_BOX:
        return box_normal(shape, point);
    case BRUME_SHAPE_CYLINDER:
        return cylinder_normal(shape, point);
    case BRUME_SHAPE_CAPSULE:
        return capsule_normal(shape, point);
    }
    return brume_vec3(0.0f, 1.0f, 0.0f);
}
