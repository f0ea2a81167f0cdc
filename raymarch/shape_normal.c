/*
 * The normals of shapes.
 */
#include "core/mesh.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"
#include "raymarch/intersect.h"

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

static BrumeVec3 cone_normal(const BrumeShape *shape, BrumeVec3 point)
{
    const BrumeVec3 axis = brume_sub(shape->b, shape->a);
    const float length = brume_length(axis);
    const BrumeVec3 unit = brume_normalize(axis);
    const BrumeVec3 from_a = brume_sub(point, shape->a);
    const float along = brume_dot(from_a, unit);
    const BrumeVec3 across = brume_sub(from_a, brume_scale(unit, along));
    const float widening = shape->second_radius - shape->radius;
    const BrumeVec3 of_side =
        brume_normalize(brume_sub(brume_scale(brume_normalize(across), length), brume_scale(unit, widening)));
    const float beyond_end = fabsf(along - 0.5f * length) - 0.5f * length;
    const float beyond_side = ((brume_length(across) - shape->radius) * length - widening * along) /
                              sqrtf(length * length + widening * widening);
    return beyond_end > beyond_side ? brume_scale(unit, copysignf(1.0f, along - 0.5f * length)) : of_side;
}

static BrumeVec3 torus_normal(const BrumeShape *shape, BrumeVec3 point)
{
    const BrumeVec3 p = brume_sub(point, shape->a);
    const float level = sqrtf(p.x * p.x + p.z * p.z);
    const float share = level > 0.0f ? 1.0f - shape->radius / level : 0.0f;
    return brume_normalize(brume_vec3(share * p.x, p.y, share * p.z));
}

// the value at a point; `other` outside the box
static double value_or_default(const BrumeShape *shape, BrumeVec3 point, double other)
{
    double value;
    return brume_shape_value(shape, point, &value) ? value : other;
}

// brume_shape_normal of a volume; `of_box` is the normal of the face of the box that is nearest to `point`
static BrumeVec3 volume_normal(const BrumeShape *shape, BrumeVec3 point, BrumeVec3 of_box)
{
    const float side = brume_shape_detail(shape);
    double here;
    const bool has_value = brume_shape_value(shape, point, &here);
    // on a face of the box, values are above the threshold by more than the error of the bisection
    double beyond;
    const bool at_face = !brume_shape_value(shape, brume_add(point, brume_scale(of_box, 1e-2f * side)), &beyond);
    if (!has_value || at_face) {
        return of_box;
    }
    float slope[3];
    for (int axis = 0; axis < 3; axis++) {
        const BrumeVec3 step = brume_along(axis, 0.5f * side);
        slope[axis] = (float)(value_or_default(shape, brume_add(point, step), here) -
                              value_or_default(shape, brume_sub(point, step), here));
    }
    const BrumeVec3 downhill = brume_vec3(-slope[0], -slope[1], -slope[2]);
    return brume_length(downhill) > 0.0f ? brume_normalize(downhill) : of_box;
}

static BrumeVec3 own_normal(const BrumeShape *shape, BrumeVec3 point, const BrumeMeshPlace *place)
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
    case BRUME_SHAPE_VOLUME:
        return volume_normal(shape, point, box_normal(shape, point));
    case BRUME_SHAPE_CONE:
        return cone_normal(shape, point);
    case BRUME_SHAPE_TORUS:
        return torus_normal(shape, point);
    case BRUME_SHAPE_MESH:
        return brume_mesh_normal(shape->mesh, place->triangle, place->share);
    case BRUME_SHAPE_PLANE:
        break;
    }
    return brume_vec3(0.0f, 1.0f, 0.0f);
}

BrumeVec3 brume_shape_normal(const BrumeShape *shape, BrumeVec3 point, const BrumeMeshPlace *place)
{
    if (!brume_shape_is_placed(shape)) {
        return own_normal(shape, point, place);
    }
    const BrumeShapeFrame frame = brume_shape_frame(shape);
    const BrumeShape own = brume_shape_in_own_frame(shape);
    return brume_frame_normal(&frame, own_normal(&own, brume_frame_own_point(&frame, point), place));
}

// in the world
static BrumeVec3 normal_of_triangle(const BrumeShape *shape, const BrumeMeshPlace *place)
{
    const BrumeVec3 own = brume_mesh_attributes(shape->mesh, place->triangle, place->share).face;
    if (!brume_shape_is_placed(shape)) {
        return own;
    }
    const BrumeShapeFrame frame = brume_shape_frame(shape);
    return brume_frame_normal(&frame, own);
}

BrumeVec3 brume_seen_normal(const BrumeShape *shape, BrumeVec3 point, const BrumeMeshPlace *place, BrumeVec3 direction)
{
    const float most = 0.999f; // so that some of a normal against the face is left
    const BrumeVec3 normal = brume_shape_normal(shape, point, place);
    const BrumeVec3 face = shape->kind == BRUME_SHAPE_MESH ? normal_of_triangle(shape, place) : normal;
    const BrumeVec3 outward = brume_dot(face, direction) > 0.0f ? brume_scale(normal, -1.0f) : normal;
    const float away = brume_dot(outward, direction);
    return away > 0.0f ? brume_normalize(brume_sub(outward, brume_scale(direction, most * away))) : outward;
}
