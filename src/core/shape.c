#include "core/shape.h"

#include "core/mesh.h"
#include "core/minmax.h"
#include "core/samples.h"
#include "core/vec3.h"

#include <float.h>
#include <math.h>

// signed distance to the box of half-widths `half` centered at the origin (Quilez, "distance functions")
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

bool brume_shape_value(const BrumeShape *shape, BrumeVec3 point, double *value)
{
    *value = 0.0;
    if (!brume_samples_have_values(shape->samples)) {
        return false;
    }
    double lower[3];
    double upper[3];
    double at[3];
    brume_samples_bounds(&shape->samples, 1, lower, upper);
    for (int axis = 0; axis < 3; axis++) {
        const double a = (double)brume_component(shape->a, axis);
        const double share = ((double)brume_component(point, axis) - a) / ((double)brume_component(shape->b, axis) - a);
        at[axis] = lower[axis] + share * (upper[axis] - lower[axis]);
    }
    return brume_samples_at(shape->samples, at, value);
}

// the largest slope of the interpolated values, along any direction [unit/m]
static double largest_slope(const BrumeShape *shape)
{
    double lower[3];
    double upper[3];
    double squared = 0.0;
    brume_samples_bounds(&shape->samples, 1, lower, upper);
    for (int axis = 0; axis < 3; axis++) {
        const double side = (double)brume_component(shape->b, axis) - (double)brume_component(shape->a, axis);
        const double stretch = (upper[axis] - lower[axis]) / side;
        squared += stretch * stretch;
    }
    return sqrt(squared) * (double)shape->samples->steepness;
}

static float volume_distance(const BrumeShape *shape, BrumeVec3 point)
{
    double value;
    const float to_box = box_distance(brume_sub(point, brume_scale(brume_add(shape->a, shape->b), 0.5f)),
                                      brume_scale(brume_sub(shape->b, shape->a), 0.5f));
    if (!brume_shape_value(shape, point, &value)) {
        return brume_samples_have_values(shape->samples) ? brume_fmaxf(to_box, 0.0f) : INFINITY;
    }
    const double slope = largest_slope(shape);
    const double excess = value - (double)shape->threshold;
    if (!(slope > 0.0)) { // all values are equal
        return excess > 0.0 ? brume_fminf(to_box, -FLT_MIN) : INFINITY;
    }
    const float distance = (float)(-excess / slope);
    return excess > 0.0 ? brume_fminf(distance, -FLT_MIN) : brume_fmaxf(distance, 0.0f);
}

static float mesh_distance(const BrumeShape *shape, BrumeVec3 point, float most)
{
    const BrumeVec3 own = brume_sub(point, shape->a);
    BrumeMeshPoint closest;
    const bool found = brume_mesh_closest(shape->mesh, own, (double)most, &closest);
    const float distance = found ? (float)closest.distance : most;
    return brume_mesh_inside(shape->mesh, own) ? brume_fminf(-distance, -FLT_MIN) : distance;
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
    case BRUME_SHAPE_VOLUME:
        return volume_distance(shape, point);
    case BRUME_SHAPE_MESH:
        return mesh_distance(shape, point, INFINITY);
    }
    return INFINITY;
}

float brume_shape_distance_within(const BrumeShape *shape, BrumeVec3 point, float most)
{
    return shape->kind == BRUME_SHAPE_MESH ? mesh_distance(shape, point, most) : brume_shape_distance(shape, point);
}

float brume_shape_thickness(const BrumeShape *shape)
{
    const BrumeVec3 sides = brume_sub(shape->b, shape->a);
    switch (shape->kind) {
    case BRUME_SHAPE_SPHERE:
    case BRUME_SHAPE_CAPSULE:
        return 2.0f * shape->radius;
    case BRUME_SHAPE_BOX:
        return brume_fminf(sides.x, brume_fminf(sides.y, sides.z));
    case BRUME_SHAPE_CYLINDER:
        return brume_fminf(2.0f * shape->radius, brume_length(sides));
    case BRUME_SHAPE_VOLUME:
    case BRUME_SHAPE_MESH: // parts of it may be thin
        break;
    }
    return 0.0f;
}

static const float NO_ENTRY = 2.0f;

// where a way enters the box: after it has entered the slabs between all three pairs of planes
static float box_entry(const BrumeShape *shape, BrumeVec3 from, BrumeVec3 to)
{
    const float rounding = 1e-5f * brume_length(brume_sub(to, from)); // of a way along a side of the box, outside then
    float first = 0.0f;
    float last = 1.0f;
    for (int axis = 0; axis < 3; axis++) {
        const float start = brume_component(from, axis);
        const float way = brume_component(to, axis) - start;
        const float lower = brume_component(shape->a, axis) - start;
        const float upper = brume_component(shape->b, axis) - start;
        if (way == 0.0f) {
            last = lower < -rounding && upper > rounding ? last : -1.0f;
        } else {
            first = brume_fmaxf(first, (way > 0.0f ? lower : upper) / way);
            last = brume_fminf(last, (way > 0.0f ? upper : lower) / way);
        }
    }
    return first <= last ? first : NO_ENTRY;
}

// sphere tracing: no point that is nearer than the distance is inside
static float traced_entry(const BrumeShape *shape, BrumeVec3 from, BrumeVec3 to)
{
    const BrumeVec3 way = brume_sub(to, from);
    const float length = brume_length(way);
    const float least = 1e-4f * length;
    const float reach =
        brume_fmaxf(least - 0.5f * brume_shape_thickness(shape), 0.0f); // of a solid thinner than a step
    float at = 0.0f;
    while (at <= length) {
        const float fraction = length > 0.0f ? at / length : 0.0f;
        const float distance = brume_shape_distance(shape, brume_add(from, brume_scale(way, fraction)));
        if (distance < reach) {
            return fraction;
        }
        if (length == 0.0f) {
            break;
        }
        at += brume_fmaxf(distance, least);
    }
    return NO_ENTRY;
}

// where a way crosses the surface of a mesh, from either side
static float mesh_entry(const BrumeShape *shape, BrumeVec3 from, BrumeVec3 to)
{
    const BrumeVec3 start = brume_sub(from, shape->a);
    const BrumeVec3 end = brume_sub(to, shape->a);
    if (brume_mesh_inside(shape->mesh, start)) {
        return 0.0f;
    }
    if (!brume_mesh_crosses(shape->mesh, start, end)) {
        return NO_ENTRY;
    }
    const double beyond = 1e-5; // of the rounding of the ends
    BrumeMeshHit hit;
    const bool found = brume_mesh_hit(shape->mesh, start, brume_sub(end, start), -beyond, 1.0 + beyond, &hit);
    return found ? brume_fminf(brume_fmaxf((float)hit.distance, 0.0f), 1.0f) : 1.0f;
}

float brume_shape_entry(const BrumeShape *shape, BrumeVec3 from, BrumeVec3 to)
{
    return shape->kind == BRUME_SHAPE_BOX    ? box_entry(shape, from, to)
           : shape->kind == BRUME_SHAPE_MESH ? mesh_entry(shape, from, to)
                                             : traced_entry(shape, from, to);
}

// half-width along one axis of a disc of `radius` whose unit normal has this component along it
static float disc_extent(float radius, float component)
{
    return radius * sqrtf(brume_fmaxf(0.0f, 1.0f - component * component));
}

static bool same_point(BrumeVec3 a, BrumeVec3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

BrumeShape brume_shape_moved(const BrumeShape *shape, BrumeVec3 by)
{
    BrumeShape moved = *shape;
    moved.a = brume_add(shape->a, by);
    moved.b = brume_add(shape->b, by);
    return moved;
}

bool brume_shape_equal(const BrumeShape *a, const BrumeShape *b)
{
    return a->kind == b->kind && same_point(a->a, b->a) && same_point(a->b, b->b) && a->radius == b->radius &&
           a->samples == b->samples && a->mesh == b->mesh && a->threshold == b->threshold;
}

void brume_shape_bounds(const BrumeShape *shape, BrumeVec3 *lower, BrumeVec3 *upper)
{
    if (shape->kind == BRUME_SHAPE_MESH) {
        *lower = brume_add(shape->a, brume_mesh_info(shape->mesh)->lower);
        *upper = brume_add(shape->a, brume_mesh_info(shape->mesh)->upper);
        return;
    }
    BrumeVec3 extent = brume_vec3(shape->radius, shape->radius, shape->radius);
    BrumeVec3 b = shape->b;
    if (shape->kind == BRUME_SHAPE_SPHERE) {
        b = shape->a;
    } else if (shape->kind == BRUME_SHAPE_BOX || shape->kind == BRUME_SHAPE_VOLUME) {
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

void brume_shape_sphere(const BrumeShape *shape, BrumeVec3 *center, float *radius)
{
    BrumeVec3 lower = shape->a;
    BrumeVec3 upper = shape->kind == BRUME_SHAPE_SPHERE ? shape->a : shape->b;
    float around = shape->radius;
    if (shape->kind == BRUME_SHAPE_MESH) {
        brume_shape_bounds(shape, &lower, &upper);
    }
    if (shape->kind == BRUME_SHAPE_BOX || shape->kind == BRUME_SHAPE_VOLUME || shape->kind == BRUME_SHAPE_MESH) {
        around = 0.0f;
    }
    const BrumeVec3 side = brume_sub(upper, lower);
    *center = brume_add(lower, brume_scale(side, 0.5f));
    *radius = 0.5f * brume_length(side) + around;
}
