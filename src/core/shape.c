#include "core/shape.h"
#include "core/minmax.h"
#include "core/vec3.h"

// signed distance to the box of half-widths `half` centred at the origin (Quilez, "distance functions")
static float box_distance(BrumeVec3 p, BrumeVec3 half)
{
    const BrumeVec3 q = brume_vec3(fabsf(p.x) - half.x, fabsf(p.y) - half.y, fabsf(p.z) - half.z);
    const BrumeVec3 outside = brume_vec3(brume_fmaxf(q.x, 0.0f), brume_fmaxf(q.y, 0.0f), brume_fmaxf(q.z, 0.0f));
    return brume_length(outside) + brume_fminf(brume_fmaxf(q.x, brume_fmaxf(q.y, q.z)), 0.0f);
}

static float capsule_distance(const BrumeShape *shape, BrumeVec3 point)
{
    const BrumeVec3 axis = brume_sub(shape->b, shape->a);
    const BrumeVec3 from_a = brume_sub(point, shape->a);
    const float squared = brume_dot(axis, axis);
    const float along = squared > 0.0f ? brume_fminf(brume_fmaxf(brume_dot(from_a, axis) / squared, 0.0f), 1.0f) : 0.0f;
    return brume_length(brume_sub(from_a, brume_scale(axis, along))) - shape->radius;
}

// a box in the half-plane of (distance from the axis, distance from the midpoint along it)
static float cylinder_distance(const BrumeShape *shape, BrumeVec3 point)
{
    const BrumeVec3 axis = brume_sub(shape->b, shape->a);
    const BrumeVec3 direction = brume_normalize(axis);
    const BrumeVec3 from_middle = brume_sub(point, brume_scale(brume_add(shape->a, shape->b), 0.5f));
    const float along = brume_dot(from_middle, direction);
    const float across = brume_length(brume_sub(from_middle, brume_scale(direction, along)));
    return box_distance(brume_vec3(across, along, 0.0f),
                        brume_vec3(shape->radius, 0.5f * brume_length(axis), INFINITY));
}

float brume_shape_distance(const BrumeShape *shape, BrumeVec3 point)
{
    switch (shape->kind) {
    case BRUME_SHAPE_SPHERE:
        return brume_length(brume_sub(point, shape->a)) - shape->radius;
    case BRUME_SHAPE_BOX:
        return box_distance(brume_sub(point, brume_scale(brume_add(shape->a, shape->b), 0.5f)),
                            brume_scale(brume_sub(shape->b, shape->a), 0.5f));
    case BRUME_SHAPE_CYLINDER:
        return cylinder_distance(shape, point);
    case BRUME_SHAPE_CAPSULE:
        return capsule_distance(shape, point);
    }
    return INFINITY;
}

// half-width along one axis of a disc of `radius` whose unit normal has this component along it
static float disc_extent(float radius, float component)
{
    return radius * sqrtf(brume_fmaxf(0.0f, 1.0f - component * component));
}

void brume_shape_bounds(const BrumeShape *shape, BrumeVec3 *lower, BrumeVec3 *upper)
{
    BrumeVec3 extent = brume_vec3(shape->radius, shape->radius, shape->radius);
    BrumeVec3 b = shape->b;
    if (shape->kind == BRUME_SHAPE_SPHERE) {
        b = shape->a;
    } else if (shape->kind == BRUME_SHAPE_BOX) {
        extent = brume_vec3(0.0f, 0.0f, 0.0f);
    } else if (shape->kind == BRUME_SHAPE_CYLINDER) {
        const BrumeVec3 axis = brume_normalize(brume_sub(shape->b, shape->a));
        extent = brume_vec3(disc_extent(shape->radius, axis.x), disc_extent(shape->radius, axis.y),
                            disc_extent(shape->radius, axis.z));
    }
    const BrumeVec3 a = shape->a;
    *lower = brume_sub(brume_vec3(brume_fminf(a.x, b.x), brume_fminf(a.y, b.y), brume_fminf(a.z, b.z)), extent);
    *upper = brume_add(brume_vec3(brume_fmaxf(a.x, b.x), brume_fmaxf(a.y, b.y), brume_fmaxf(a.z, b.z)), extent);
}
