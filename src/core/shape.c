#include "core/shape.h"

#include "core/elementary.h"
#include "core/mesh.h"
#include "core/minmax.h"
#include "core/samples.h"
#include "core/vec3.h"

#include <float.h>
#include <math.h>

static const double PI = 3.14159265358979323846;
static const float FAR_AWAY = 1e9f; // stands for infinity in bounding boxes [m]

/*
 * Frames. Rotations are by Euler angles: about x, then y, then z, so that the matrix is Rz Ry Rx and its columns are
 * the own axes.
 */

static bool is_zero(BrumeVec3 v) { return v.x == 0.0f && v.y == 0.0f && v.z == 0.0f; }

bool brume_shape_is_placed(const BrumeShape *shape)
{
    const BrumeVec3 one = {1.0f, 1.0f, 1.0f};
    return !is_zero(shape->position) || !is_zero(shape->rotation) ||
           !(is_zero(shape->scale) || is_zero(brume_sub(shape->scale, one)));
}

bool brume_shape_is_turned(const BrumeShape *shape) { return !is_zero(shape->rotation); }

BrumeShape brume_shape_in_own_frame(const BrumeShape *shape)
{
    BrumeShape own = *shape;
    own.position = own.rotation = own.scale = brume_vec3(0.0f, 0.0f, 0.0f);
    return own;
}

// sine and cosine of an angle [degrees], exact at multiples of 90; else Taylor polynomials of degree 15 and 14
static void sine_cosine(float degrees, double *sine, double *cosine)
{
    if (degrees == 0.0f) { // most often; the polynomials have these values too
        *sine = 0.0;
        *cosine = 1.0;
        return;
    }
    const double quarters = floor((double)degrees / 90.0 + 0.5);
    const double x = ((double)degrees - 90.0 * quarters) * (PI / 180.0);
    const double y = x * x;
    const double s =
        x * (1.0 -
             y * (1.0 / 6.0) *
                 (1.0 - y * (1.0 / 20.0) *
                            (1.0 - y * (1.0 / 42.0) *
                                       (1.0 - y * (1.0 / 72.0) *
                                                  (1.0 - y * (1.0 / 110.0) *
                                                             (1.0 - y * (1.0 / 156.0) * (1.0 - y * (1.0 / 210.0))))))));
    const double c =
        1.0 - y * 0.5 *
                  (1.0 - y * (1.0 / 12.0) *
                             (1.0 - y * (1.0 / 30.0) *
                                        (1.0 - y * (1.0 / 56.0) *
                                                   (1.0 - y * (1.0 / 90.0) *
                                                              (1.0 - y * (1.0 / 132.0) * (1.0 - y * (1.0 / 182.0)))))));
    const int turns = (int)quarters & 3;
    *sine = turns == 0 ? s : turns == 1 ? c : turns == 2 ? -s : -c;
    *cosine = turns == 0 ? c : turns == 1 ? -s : turns == 2 ? -c : s;
}

static bool has_one_point(const BrumeShape *shape)
{
    return shape->kind == BRUME_SHAPE_SPHERE || shape->kind == BRUME_SHAPE_TORUS || shape->kind == BRUME_SHAPE_PLANE ||
           shape->kind == BRUME_SHAPE_MESH;
}

// in its own frame
static BrumeVec3 own_center(const BrumeShape *shape)
{
    return has_one_point(shape) ? shape->a : brume_scale(brume_add(shape->a, shape->b), 0.5f);
}

static BrumeVec3 scale_of(const BrumeShape *shape)
{
    return is_zero(shape->scale) ? brume_vec3(1.0f, 1.0f, 1.0f) : shape->scale;
}

static float least_scale(const BrumeShape *shape)
{
    const BrumeVec3 scale = scale_of(shape);
    return brume_fminf(scale.x, brume_fminf(scale.y, scale.z));
}

BrumeShapeFrame brume_shape_frame(const BrumeShape *shape)
{
    const BrumeVec3 own_pivot = brume_add(own_center(shape), shape->pivot);
    double sx;
    double cx;
    double sy;
    double cy;
    double sz;
    double cz;
    sine_cosine(shape->rotation.x, &sx, &cx);
    sine_cosine(shape->rotation.y, &sy, &cy);
    sine_cosine(shape->rotation.z, &sz, &cz);
    return (BrumeShapeFrame){
        .own_pivot = own_pivot,
        .pivot = brume_add(own_pivot, shape->position),
        .axes = {{(float)(cz * cy), (float)(sz * cy), (float)-sy},
                 {(float)(cz * sy * sx - sz * cx), (float)(sz * sy * sx + cz * cx), (float)(cy * sx)},
                 {(float)(cz * sy * cx + sz * sx), (float)(sz * sy * cx - cz * sx), (float)(cy * cx)}},
        .scale = scale_of(shape),
    };
}

BrumeVec3 brume_frame_own_vector(const BrumeShapeFrame *frame, BrumeVec3 vector)
{
    return brume_vec3(brume_dot(frame->axes[0], vector) / frame->scale.x,
                      brume_dot(frame->axes[1], vector) / frame->scale.y,
                      brume_dot(frame->axes[2], vector) / frame->scale.z);
}

BrumeVec3 brume_frame_own_point(const BrumeShapeFrame *frame, BrumeVec3 point)
{
    return brume_add(frame->own_pivot, brume_frame_own_vector(frame, brume_sub(point, frame->pivot)));
}

// the sum of the own axes with these components
static BrumeVec3 along_axes(const BrumeShapeFrame *frame, BrumeVec3 components)
{
    return brume_add(brume_add(brume_scale(frame->axes[0], components.x), brume_scale(frame->axes[1], components.y)),
                     brume_scale(frame->axes[2], components.z));
}

BrumeVec3 brume_frame_point(const BrumeShapeFrame *frame, BrumeVec3 own_point)
{
    return brume_add(frame->pivot, along_axes(frame, brume_mul(brume_sub(own_point, frame->own_pivot), frame->scale)));
}

BrumeVec3 brume_frame_normal(const BrumeShapeFrame *frame, BrumeVec3 own_normal)
{
    const BrumeVec3 components = {own_normal.x / frame->scale.x, own_normal.y / frame->scale.y,
                                  own_normal.z / frame->scale.z};
    return brume_normalize(along_axes(frame, components));
}

BrumeVec3 brume_shape_center(const BrumeShape *shape)
{
    if (!brume_shape_is_placed(shape)) {
        return own_center(shape);
    }
    const BrumeShapeFrame frame = brume_shape_frame(shape);
    return brume_frame_point(&frame, own_center(shape));
}

BrumeVec3 brume_shape_pivot(const BrumeShape *shape)
{
    return brume_add(brume_add(own_center(shape), shape->pivot), shape->position);
}

BrumeVec3 brume_shape_spin(const BrumeShape *shape, BrumeVec3 rates)
{
    const float radians = (float)(PI / 180.0);
    const BrumeShapeFrame frame = brume_shape_frame(shape);
    double sine;
    double cosine;
    sine_cosine(shape->rotation.z, &sine, &cosine);
    const BrumeVec3 about_x = brume_scale(frame.axes[0], rates.x);
    const BrumeVec3 about_y = brume_scale(brume_vec3((float)-sine, (float)cosine, 0.0f), rates.y);
    return brume_scale(brume_add(brume_add(about_x, about_y), brume_vec3(0.0f, 0.0f, rates.z)), radians);
}

BrumeVec3 brume_rotation_towards(BrumeVec3 direction)
{
    const float degrees = (float)(180.0 / PI);
    const float level = sqrtf(direction.x * direction.x + direction.y * direction.y);
    return brume_vec3(degrees * brume_atan2f(direction.z, level), 0.0f,
                      level > 0.0f ? degrees * brume_atan2f(-direction.x, direction.y) : 0.0f);
}

/*
 * Distances, in the own frame.
 */

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

bool brume_shape_value(const BrumeShape *shape, BrumeVec3 point, double *value)
{
    if (!brume_shape_is_placed(shape)) {
        return own_value(shape, point, value);
    }
    const BrumeShapeFrame frame = brume_shape_frame(shape);
    return own_value(shape, brume_frame_own_point(&frame, point), value);
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
    const float to_box = box_distance(brume_sub(point, brume_scale(brume_add(shape->a, shape->b), 0.5f)),
                                      brume_scale(brume_sub(shape->b, shape->a), 0.5f));
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

// without a sign; the search ends at the first triangle within `enough`
static float distance_to_triangles(const BrumeShape *shape, BrumeVec3 point, float enough, float most)
{
    if (!brume_mesh_has_triangles(shape->mesh)) {
        return INFINITY;
    }
    return most > 0.0f
               ? (float)brume_mesh_distance(shape->mesh, brume_sub(point, shape->a), (double)enough, (double)most)
               : most;
}

static float mesh_distance(const BrumeShape *shape, BrumeVec3 point, float enough, float most)
{
    const float distance = distance_to_triangles(shape, point, enough, most);
    const bool is_inside =
        brume_mesh_has_triangles(shape->mesh) && brume_mesh_inside(shape->mesh, brume_sub(point, shape->a));
    return is_inside ? brume_fminf(-distance, -FLT_MIN) : distance;
}

// that of a mesh as far as it is below `most`, and exact above `enough`
static float own_distance(const BrumeShape *shape, BrumeVec3 point, float enough, float most)
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
    BrumePlacedShape placed = {.shape = shape, .is_placed = brume_shape_is_placed(shape)};
    if (placed.is_placed) {
        placed.frame = brume_shape_frame(shape);
        placed.least_scale = least_scale(shape);
    }
    return placed;
}

float brume_placed_rough_distance(const BrumePlacedShape *placed, BrumeVec3 point, float enough, float most)
{
    if (!placed->is_placed) {
        return own_distance(placed->shape, point, enough, most);
    }
    const float least = placed->least_scale;
    return least *
           own_distance(placed->shape, brume_frame_own_point(&placed->frame, point), enough / least, most / least);
}

float brume_placed_distance(const BrumePlacedShape *placed, BrumeVec3 point, float most)
{
    return brume_placed_rough_distance(placed, point, 0.0f, most);
}

float brume_placed_distance_outside(const BrumePlacedShape *placed, BrumeVec3 point, float enough, float most)
{
    if (placed->shape->kind != BRUME_SHAPE_MESH) {
        return brume_placed_distance(placed, point, most);
    }
    const float least = placed->is_placed ? placed->least_scale : 1.0f;
    const BrumeVec3 own = placed->is_placed ? brume_frame_own_point(&placed->frame, point) : point;
    return least * distance_to_triangles(placed->shape, own, enough / least, most / least);
}

void brume_placed_distances_to_mesh(const BrumePlacedShape *placed, const BrumeVec3 *points, int count, float most,
                                    float *distances)
{
    enum { PART = 64 };
    const float least = placed->is_placed ? placed->least_scale : 1.0f;
    for (int first = 0; first < count; first += PART) {
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
    return brume_sub(placed->is_placed ? brume_frame_own_point(&placed->frame, point) : point, placed->shape->a);
}

float brume_shape_distance_within(const BrumeShape *shape, BrumeVec3 point, float most)
{
    const BrumePlacedShape placed = brume_shape_place(shape);
    return brume_placed_distance(&placed, point, most);
}

void brume_shape_contains(const BrumeShape *shape, const BrumeVec3 *points, int count, bool *inside)
{
    enum { PART = 64 };
    const bool is_mesh = shape->kind == BRUME_SHAPE_MESH && brume_mesh_has_triangles(shape->mesh);
    const BrumeShapeFrame frame = brume_shape_frame(shape);
    for (int first = 0; first < count; first += PART) {
        BrumeVec3 own[PART];
        const int end = brume_min_int(first + PART, count);
        for (int n = first; n < end; n++) {
            if (is_mesh) {
                own[n - first] = brume_sub(brume_frame_own_point(&frame, points[n]), shape->a);
            } else {
                inside[n] = brume_shape_distance_within(shape, points[n], 0.0f) < 0.0f;
            }
        }
        if (is_mesh) {
            brume_mesh_contains(shape->mesh, own, end - first, inside + first);
        }
    }
}

float brume_shape_distance(const BrumeShape *shape, BrumeVec3 point)
{
    return brume_shape_distance_within(shape, point, INFINITY);
}

BrumeVec3 brume_shape_direction(const BrumeShape *shape, BrumeVec3 point, float step)
{
    float differences[3];
    for (int axis = 0; axis < 3; axis++) {
        const BrumeVec3 by = {axis == 0 ? step : 0.0f, axis == 1 ? step : 0.0f, axis == 2 ? step : 0.0f};
        differences[axis] =
            brume_shape_distance(shape, brume_add(point, by)) - brume_shape_distance(shape, brume_sub(point, by));
    }
    const BrumeVec3 gradient = {differences[0], differences[1], differences[2]};
    return brume_length(gradient) > 0.0f ? brume_normalize(gradient) : brume_vec3(1.0f, 1.0f, 1.0f);
}

static float own_thickness(const BrumeShape *shape)
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

float brume_shape_thickness(const BrumeShape *shape) { return least_scale(shape) * own_thickness(shape); }

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
    const float reach = brume_fmaxf(least - 0.5f * own_thickness(shape), 0.0f); // of a solid thinner than a step
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
    if (!brume_mesh_has_triangles(shape->mesh)) {
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
    if (placed->is_placed) {
        from = brume_frame_own_point(&placed->frame, from);
        to = brume_frame_own_point(&placed->frame, to);
    }
    return shape->kind == BRUME_SHAPE_BOX    ? box_entry(shape, from, to)
           : shape->kind == BRUME_SHAPE_MESH ? mesh_entry(shape, from, to)
                                             : traced_entry(shape, from, to);
}

bool brume_placed_passes_corners(const BrumePlacedShape *placed, BrumeVec3 from, BrumeVec3 to, float thickness)
{
    const BrumeShape *shape = placed->shape;
    if (shape->kind != BRUME_SHAPE_MESH || !brume_mesh_has_triangles(shape->mesh)) {
        return false;
    }
    if (placed->is_placed) {
        from = brume_frame_own_point(&placed->frame, from);
        to = brume_frame_own_point(&placed->frame, to);
        thickness /= placed->least_scale;
    }
    return brume_mesh_info(shape->mesh)->solid && brume_mesh_passes_corners(shape->mesh, brume_sub(from, shape->a),
                                                                            brume_sub(to, shape->a), (double)thickness);
}

float brume_shape_entry(const BrumeShape *shape, BrumeVec3 from, BrumeVec3 to)
{
    const BrumePlacedShape placed = brume_shape_place(shape);
    return brume_placed_entry(&placed, from, to);
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
           a->second_radius == b->second_radius && same_point(a->position, b->position) &&
           same_point(a->rotation, b->rotation) && same_point(scale_of(a), scale_of(b)) &&
           same_point(a->pivot, b->pivot) && a->samples == b->samples && a->mesh == b->mesh &&
           a->threshold == b->threshold;
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
    *lower = brume_sub(brume_vec3(brume_fminf(a.x, b.x), brume_fminf(a.y, b.y), brume_fminf(a.z, b.z)), extent);
    *upper = brume_add(brume_vec3(brume_fmaxf(a.x, b.x), brume_fmaxf(a.y, b.y), brume_fmaxf(a.z, b.z)), extent);
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
    const BrumeVec3 side = has_one_point(shape) ? brume_vec3(0.0f, 0.0f, 0.0f) : brume_sub(shape->b, shape->a);
    const BrumeVec3 scale = scale_of(shape);
    const bool has_corners = shape->kind == BRUME_SHAPE_BOX || shape->kind == BRUME_SHAPE_VOLUME;
    const float around =
        shape->kind == BRUME_SHAPE_TORUS ? shape->radius + shape->second_radius : largest_radius(shape);
    *center = brume_shape_is_placed(shape) ? brume_shape_center(shape) : brume_add(shape->a, brume_scale(side, 0.5f));
    *radius = brume_fmaxf(scale.x, brume_fmaxf(scale.y, scale.z)) *
              (0.5f * brume_length(side) + (has_corners ? 0.0f : around));
    *radius = shape->kind == BRUME_SHAPE_PLANE ? INFINITY : *radius;
}
