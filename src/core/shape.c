#include "core/shape.h"

#include "core/elementary.h"
#include "core/mesh.h"
#include "core/minmax.h"
#include "core/samples.h"
#include "core/vec3.h"

#include <float.h>
#include <math.h>

/*
 * Distances, in the own frame.
 */

// of `a` and `b`
static BrumeVec3 middle_of(const BrumeShape *shape) { return brume_scale(brume_add(shape->a, shape->b), 0.5f); }

// signed distance to the box of half-widths `half` centered at the origin (Quilez, "distance functions")
static float box_distance(BrumeVec3 p, BrumeVec3 half)
{
    const BrumeVec3 q = brume_vec3(fabsf(p.x) - half.x, fabsf(p.y) - half.y, fabsf(p.z) - half.z);
    const BrumeVec3 outside = brume_vec3(brume_fmaxf(q.x, 0.0f), brume_fmaxf(q.y, 0.0f), brume_fmaxf(q.z, 0.0f));
    return brume_length(outside) + brume_fminf(brume_largest(q), 0.0f);
}

static float distance_to_box(const BrumeShape *shape, BrumeVec3 point)
{
    return box_distance(brume_sub(point, middle_of(shape)), brume_scale(brume_sub(shape->b, shape->a), 0.5f));
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
    const BrumeVec3 from_middle = brume_sub(point, middle_of(shape));
    const float along = brume_dot(from_middle, direction);
    const float across = brume_length(brume_sub(from_middle, brume_scale(direction, along)));
    return box_distance(brume_vec3(across, along, 0.0f),
                        brume_vec3(shape->radius, 0.5f * brume_length(axis), INFINITY));
}

// the nearer of the two ends, with the radii there, and the side, in the plane of (distance from the axis, distance
// along it) (Quilez, "distance functions")
static float cone_distance(const BrumeShape *shape, BrumeVec3 point)
{
    const BrumeVec3 axis = brume_sub(shape->b, shape->a);
    const float length = brume_length(axis);
    const BrumeVec3 unit = brume_normalize(axis);
    const BrumeVec3 from_a = brume_sub(point, shape->a);
    const float along = brume_dot(from_a, unit);
    const float across = brume_length(brume_sub(from_a, brume_scale(unit, along)));
    const float widening = shape->second_radius - shape->radius;
    const float end_radius = along < 0.5f * length ? shape->radius : shape->second_radius;
    const float beyond_end = fabsf(along - 0.5f * length) - 0.5f * length;
    const float beyond_rim = brume_fmaxf(across - end_radius, 0.0f);
    const float share =
        (widening * (across - shape->radius) + length * along) / (widening * widening + length * length);
    const float at = brume_fminf(brume_fmaxf(share, 0.0f), 1.0f); // of the nearest point of the side, 0 at `a`
    const float from_side = across - shape->radius - at * widening;
    const float along_side = along - at * length;
    const float squared =
        brume_fminf(beyond_rim * beyond_rim + beyond_end * beyond_end, from_side * from_side + along_side * along_side);
    return from_side < 0.0f && beyond_end < 0.0f ? -sqrtf(squared) : sqrtf(squared);
}

static float torus_distance(const BrumeShape *shape, BrumeVec3 point)
{
    const BrumeVec3 p = brume_sub(point, shape->a);
    const float from_ring = sqrtf(p.x * p.x + p.z * p.z) - shape->radius;
    return sqrtf(from_ring * from_ring + p.y * p.y) - shape->second_radius;
}

static bool own_value(const BrumeShape *shape, BrumeVec3 point, double *value)
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

double brume_shape_slope(const BrumeShape *shape)
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
    const float to_box = distance_to_box(shape, point);
    if (!own_value(shape, point, &value)) {
        return brume_samples_have_values(shape->samples) ? brume_fmaxf(to_box, 0.0f) : INFINITY;
    }
    const double slope = brume_shape_slope(shape);
    const double excess = value - (double)shape->threshold;
    if (!(slope > 0.0)) { // all values are equal
        return excess > 0.0 ? brume_fminf(to_box, -FLT_MIN) : INFINITY;
    }
    const float distance = (float)(-excess / slope);
    return excess > 0.0 ? brume_fminf(distance, -FLT_MIN) : brume_fmaxf(distance, 0.0f);
}

static bool is_mesh(const BrumeShape *shape)
{
    return shape->kind == BRUME_SHAPE_MESH && brume_mesh_has_triangles(shape->mesh);
}

// to the triangles of a mesh, without a sign; the search ends at the first triangle within `enough`
static float distance_to_triangles(const BrumeShape *shape, BrumeVec3 point, float enough, float most)
{
    return most > 0.0f
               ? (float)brume_mesh_distance(shape->mesh, brume_sub(point, shape->a), (double)enough, (double)most)
               : most;
}

// a distance to the triangles of a mesh with the sign of a point
static float signed_distance(const BrumeShape *shape, BrumeVec3 point, float distance)
{
    const bool is_inside = brume_mesh_inside(shape->mesh, brume_sub(point, shape->a));
    return is_inside ? brume_fminf(-distance, -FLT_MIN) : distance;
}

static float mesh_distance(const BrumeShape *shape, BrumeVec3 point, float enough, float most)
{
    return is_mesh(shape) ? signed_distance(shape, point, distance_to_triangles(shape, point, enough, most)) : INFINITY;
}

bool brume_shape_is_solid(const BrumeShape *shape)
{
    return shape->kind != BRUME_SHAPE_MESH || (is_mesh(shape) && brume_mesh_info(shape->mesh)->solid);
}

// that of a mesh as far as it is below `most`, and exact above `enough`
static float own_distance(const BrumeShape *shape, BrumeVec3 point, float enough, float most)
{
    switch (shape->kind) {
    case BRUME_SHAPE_SPHERE:
        return brume_length(brume_sub(point, shape->a)) - shape->radius;
    case BRUME_SHAPE_BOX:
        return distance_to_box(shape, point);
    case BRUME_SHAPE_CYLINDER:
        return cylinder_distance(shape, point);
    case BRUME_SHAPE_CAPSULE:
        return capsule_distance(shape, point);
    case BRUME_SHAPE_VOLUME:
        return volume_distance(shape, point);
    case BRUME_SHAPE_CONE:
        return cone_distance(shape, point);
    case BRUME_SHAPE_TORUS:
        return torus_distance(shape, point);
    case BRUME_SHAPE_PLANE:
        return point.y - shape->a.y;
    case BRUME_SHAPE_MESH:
        return mesh_distance(shape, point, enough, most);
    }
    return INFINITY;
}

BrumePlacedShape brume_shape_place(const BrumeShape *shape)
{
    BrumePlacedShape placed = {.shape = shape, .least_scale = 1.0f, .is_placed = brume_shape_is_placed(shape)};
    if (placed.is_placed) {
        placed.frame = brume_shape_frame(shape);
        placed.least_scale = brume_least(placed.frame.scale);
    }
    return placed;
}

// a point of the world in the own frame
static BrumeVec3 own_point(const BrumePlacedShape *placed, BrumeVec3 point)
{
    return placed->is_placed ? brume_frame_own_point(&placed->frame, point) : point;
}

float brume_placed_rough_distance(const BrumePlacedShape *placed, BrumeVec3 point, float enough, float most)
{
    const float least = placed->least_scale;
    return placed->is_placed ? least * own_distance(placed->shape, brume_frame_own_point(&placed->frame, point),
                                                    enough / least, most / least)
                             : own_distance(placed->shape, point, enough, most);
}

float brume_placed_distance(const BrumePlacedShape *placed, BrumeVec3 point, float most)
{
    return brume_placed_rough_distance(placed, point, 0.0f, most);
}

float brume_placed_distance_outside(const BrumePlacedShape *placed, BrumeVec3 point, float enough, float most)
{
    const float least = placed->least_scale;
    return is_mesh(placed->shape)
               ? least * distance_to_triangles(placed->shape, own_point(placed, point), enough / least, most / least)
               : brume_placed_distance(placed, point, most);
}

float brume_placed_signed_distance(const BrumePlacedShape *placed, BrumeVec3 point, float outside)
{
    return is_mesh(placed->shape) ? signed_distance(placed->shape, own_point(placed, point), outside) : outside;
}

void brume_placed_distances_outside(const BrumePlacedShape *placed, const BrumeVec3 *points, int count, float most,
                                    float *distances)
{
    enum { PART = 64 };
    const float least = placed->least_scale;
    for (int n = 0; n < count && !is_mesh(placed->shape); n++) {
        distances[n] = brume_placed_distance(placed, points[n], most);
    }
    for (int first = 0; first < count && is_mesh(placed->shape); first += PART) {
        const int part = brume_min_int(count - first, PART);
        BrumeVec3 own[PART];
        double of_own[PART];
        for (int n = 0; n < part; n++) {
            own[n] = brume_placed_own_point(placed, points[first + n]);
        }
        brume_mesh_distances(placed->shape->mesh, own, part, (double)(most / least), of_own);
        for (int n = 0; n < part; n++) {
            distances[first + n] = least * (float)of_own[n];
        }
    }
}

BrumeVec3 brume_placed_own_point(const BrumePlacedShape *placed, BrumeVec3 point)
{
    return brume_sub(own_point(placed, point), placed->shape->a);
}

float brume_shape_distance_within(const BrumeShape *shape, BrumeVec3 point, float most)
{
    const BrumePlacedShape placed = brume_shape_place(shape);
    return brume_placed_distance(&placed, point, most);
}

void brume_shape_contains(const BrumeShape *shape, const BrumeVec3 *points, int count, bool *inside)
{
    enum { PART = 64 };
    const BrumePlacedShape placed = brume_shape_place(shape);
    for (int n = 0; n < count && !is_mesh(shape); n++) {
        inside[n] = brume_placed_distance(&placed, points[n], 0.0f) < 0.0f;
    }
    for (int first = 0; first < count && is_mesh(shape); first += PART) {
        BrumeVec3 own[PART];
        const int end = brume_min_int(first + PART, count);
        for (int n = first; n < end; n++) {
            own[n - first] = brume_placed_own_point(&placed, points[n]);
        }
        brume_mesh_contains(shape->mesh, own, end - first, inside + first);
    }
}

bool brume_shape_value(const BrumeShape *shape, BrumeVec3 point, double *value)
{
    const BrumePlacedShape placed = brume_shape_place(shape);
    return own_value(shape, own_point(&placed, point), value);
}

float brume_shape_distance(const BrumeShape *shape, BrumeVec3 point)
{
    return brume_shape_distance_within(shape, point, INFINITY);
}

BrumeVec3 brume_shape_direction(const BrumeShape *shape, BrumeVec3 point, float step)
{
    float differences[3];
    for (int axis = 0; axis < 3; axis++) {
        const BrumeVec3 by = brume_along(axis, step);
        differences[axis] =
            brume_shape_distance(shape, brume_add(point, by)) - brume_shape_distance(shape, brume_sub(point, by));
    }
    const BrumeVec3 gradient = {differences[0], differences[1], differences[2]};
    return brume_length(gradient) > 0.0f ? brume_normalize(gradient) : brume_vec3(1.0f, 1.0f, 1.0f);
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
    const BrumeShape own = brume_shape_in_own_frame(shape);
    const float reach = brume_fmaxf(least - 0.5f * brume_shape_thickness(&own), 0.0f); // of a solid thinner than a step
    float at = 0.0f;
    while (at <= length) {
        const float fraction = length > 0.0f ? at / length : 0.0f;
        const float distance = own_distance(shape, brume_add(from, brume_scale(way, fraction)), 0.0f, INFINITY);
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
    if (!is_mesh(shape)) {
        return NO_ENTRY;
    }
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

float brume_placed_entry(const BrumePlacedShape *placed, BrumeVec3 from, BrumeVec3 to)
{
    const BrumeShape *shape = placed->shape;
    from = own_point(placed, from);
    to = own_point(placed, to);
    return shape->kind == BRUME_SHAPE_BOX    ? box_entry(shape, from, to)
           : shape->kind == BRUME_SHAPE_MESH ? mesh_entry(shape, from, to)
                                             : traced_entry(shape, from, to);
}

bool brume_placed_passes_corners(const BrumePlacedShape *placed, BrumeVec3 from, BrumeVec3 to, float thickness)
{
    const BrumeShape *shape = placed->shape;
    return is_mesh(shape) && brume_shape_is_solid(shape) &&
           brume_mesh_passes_corners(shape->mesh, brume_placed_own_point(placed, from),
                                     brume_placed_own_point(placed, to), (double)(thickness / placed->least_scale));
}

float brume_shape_entry(const BrumeShape *shape, BrumeVec3 from, BrumeVec3 to)
{
    const BrumePlacedShape placed = brume_shape_place(shape);
    return brume_placed_entry(&placed, from, to);
}
