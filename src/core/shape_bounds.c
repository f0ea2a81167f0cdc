/*
 * What shapes measure: boxes and spheres around them, and how thin they are.
 */
#include "core/mesh.h"
#include "core/minmax.h"
#include "core/shape.h"
#include "core/vec3.h"

static const float FAR_AWAY = 1e9f; // stands for infinity in bounding boxes [m]

static float own_thickness(const BrumeShape *shape)
{
    const BrumeVec3 sides = brume_sub(shape->b, shape->a);
    switch (shape->kind) {
    case BRUME_SHAPE_SPHERE:
    case BRUME_SHAPE_CAPSULE:
        return 2.0f * shape->radius;
    case BRUME_SHAPE_BOX:
        return brume_least(sides);
    case BRUME_SHAPE_CYLINDER:
        return brume_fminf(2.0f * shape->radius, brume_length(sides));
    case BRUME_SHAPE_CONE:
        return brume_fminf(2.0f * brume_fmaxf(shape->radius, shape->second_radius), brume_length(sides));
    case BRUME_SHAPE_TORUS:
        return 2.0f * shape->second_radius;
    case BRUME_SHAPE_PLANE:
        return INFINITY;
    case BRUME_SHAPE_VOLUME:
    case BRUME_SHAPE_MESH: // parts of it may be thin
        break;
    }
    return 0.0f;
}

float brume_shape_thickness(const BrumeShape *shape)
{
    return brume_least(brume_shape_scale(shape)) * own_thickness(shape);
}

// half-width along one axis of a disc of `radius` whose unit normal has this component along it
static float disc_extent(float radius, float component)
{
    return radius * sqrtf(brume_fmaxf(0.0f, 1.0f - component * component));
}

// the larger radius of a shape with an axis, the radius of others
static float largest_radius(const BrumeShape *shape)
{
    return shape->kind == BRUME_SHAPE_CONE ? brume_fmaxf(shape->radius, shape->second_radius) : shape->radius;
}

// a box around a half space, which ends at its plane where that is along the faces of the box
static void plane_bounds(const BrumeShape *shape, BrumeVec3 *lower, BrumeVec3 *upper)
{
    const BrumeShapeFrame frame = brume_shape_frame(shape);
    const BrumeVec3 normal = frame.axes[1];
    const BrumeVec3 point = brume_frame_point(&frame, shape->a);
    *lower = brume_vec3(normal.x == -1.0f ? point.x : -FAR_AWAY, normal.y == -1.0f ? point.y : -FAR_AWAY,
                        normal.z == -1.0f ? point.z : -FAR_AWAY);
    *upper = brume_vec3(normal.x == 1.0f ? point.x : FAR_AWAY, normal.y == 1.0f ? point.y : FAR_AWAY,
                        normal.z == 1.0f ? point.z : FAR_AWAY);
}

static void own_bounds(const BrumeShape *shape, BrumeVec3 *lower, BrumeVec3 *upper)
{
    if (shape->kind == BRUME_SHAPE_MESH) {
        const BrumeVec3 none = {0.0f, 0.0f, 0.0f};
        const bool has_triangles = brume_mesh_has_triangles(shape->mesh);
        *lower = brume_add(shape->a, has_triangles ? brume_mesh_info(shape->mesh)->lower : none);
        *upper = brume_add(shape->a, has_triangles ? brume_mesh_info(shape->mesh)->upper : none);
        return;
    }
    BrumeVec3 extent = brume_vec3(shape->radius, shape->radius, shape->radius);
    BrumeVec3 b = shape->b;
    if (shape->kind == BRUME_SHAPE_SPHERE) {
        b = shape->a;
    } else if (shape->kind == BRUME_SHAPE_TORUS) {
        const float outer = shape->radius + shape->second_radius;
        extent = brume_vec3(outer, shape->second_radius, outer);
        b = shape->a;
    } else if (shape->kind == BRUME_SHAPE_BOX || shape->kind == BRUME_SHAPE_VOLUME) {
        extent = brume_vec3(0.0f, 0.0f, 0.0f);
    } else if (shape->kind == BRUME_SHAPE_CYLINDER || shape->kind == BRUME_SHAPE_CONE) {
        const BrumeVec3 axis = brume_normalize(brume_sub(shape->b, shape->a));
        const float radius = largest_radius(shape);
        extent = brume_vec3(disc_extent(radius, axis.x), disc_extent(radius, axis.y), disc_extent(radius, axis.z));
    }
    const BrumeVec3 a = shape->a;
    *lower = brume_sub(brume_lower_corner(a, b), extent);
    *upper = brume_add(brume_upper_corner(a, b), extent);
}

void brume_shape_bounds(const BrumeShape *shape, BrumeVec3 *lower, BrumeVec3 *upper)
{
    if (shape->kind == BRUME_SHAPE_PLANE) {
        plane_bounds(shape, lower, upper);
        return;
    }
    own_bounds(shape, lower, upper);
    if (!brume_shape_is_placed(shape)) {
        return;
    }
    const BrumeShapeFrame frame = brume_shape_frame(shape);
    const BrumeVec3 center = brume_frame_point(&frame, brume_scale(brume_add(*lower, *upper), 0.5f));
    const BrumeVec3 half = brume_mul(brume_scale(brume_sub(*upper, *lower), 0.5f), frame.scale);
    BrumeVec3 sides[3];
    for (int axis = 0; axis < 3; axis++) {
        sides[axis] = brume_scale(frame.axes[axis], brume_component(half, axis));
    }
    const bool is_round = shape->kind == BRUME_SHAPE_SPHERE;
    float extent[3];
    for (int axis = 0; axis < 3; axis++) {
        const BrumeVec3 row = {fabsf(brume_component(sides[0], axis)), fabsf(brume_component(sides[1], axis)),
                               fabsf(brume_component(sides[2], axis))};
        extent[axis] = is_round ? brume_length(row) : row.x + row.y + row.z;
    }
    *lower = brume_sub(center, brume_vec3(extent[0], extent[1], extent[2]));
    *upper = brume_add(center, brume_vec3(extent[0], extent[1], extent[2]));
}

void brume_shape_sphere(const BrumeShape *shape, BrumeVec3 *center, float *radius)
{
    if (shape->kind == BRUME_SHAPE_MESH) {
        BrumeVec3 lower;
        BrumeVec3 upper;
        brume_shape_bounds(shape, &lower, &upper);
        *center = brume_scale(brume_add(lower, upper), 0.5f);
        *radius = 0.5f * brume_length(brume_sub(upper, lower));
        return;
    }
    const bool has_one_point = brume_shape_has_one_point(shape);
    const BrumeVec3 side = has_one_point ? brume_vec3(0.0f, 0.0f, 0.0f) : brume_sub(shape->b, shape->a);
    const bool has_corners = shape->kind == BRUME_SHAPE_BOX || shape->kind == BRUME_SHAPE_VOLUME;
    const float around =
        shape->kind == BRUME_SHAPE_TORUS ? shape->radius + shape->second_radius : largest_radius(shape);
    *center = brume_shape_is_placed(shape) ? brume_shape_center(shape) : brume_add(shape->a, brume_scale(side, 0.5f));
    *radius = brume_largest(brume_shape_scale(shape)) * (0.5f * brume_length(side) + (has_corners ? 0.0f : around));
    *radius = shape->kind == BRUME_SHAPE_PLANE ? INFINITY : *radius;
}
