/*
 * The fraction of a cell that a shape covers, estimated from the signed distance d of the center as 1/2 - d/dx within
 * [0, 1]. For planes along the cells that is exact. A shape that is thinner than a cell may lie between the centers: it
 * is first grown to a thickness of one cell, for which the estimate is the hat function. The fractions of thin shapes
 * are then weighted, so that they sum up to the volume of the shape.
 */
#include "core/coverage.h"

#include "core/minmax.h"
#include "core/samples.h"
#include "core/shape.h"
#include "core/vec3.h"

#include <math.h>

enum { BLOCK = 8 }; // cells along each side of the blocks in which fractions are summed up

static const float MOST = 256.0f;   // length of the part of a shape whose fractions are summed up [cells]
static const float GROWN = 0.5f;    // least half thickness [cells]
static const float FULL = 1.0f;     // half thickness from which cells can be covered completely [cells]
static const float ACCURATE = 2.0f; // half thickness from which fractions are not weighted [cells]
static const double PI = 3.14159265358979323846;

static float half_thickness(const BrumeShape *shape)
{
    const bool may_be_thin = shape->kind == BRUME_SHAPE_VOLUME || shape->kind == BRUME_SHAPE_MESH;
    return may_be_thin ? INFINITY : 0.5f * brume_shape_thickness(shape);
}

// in its own frame [m^3]; not of a volume of samples, of a mesh, nor of a plane
static double volume_of(const BrumeShape *shape)
{
    const BrumeVec3 sides = brume_sub(shape->b, shape->a);
    const double radius = (double)shape->radius;
    const double second = (double)shape->second_radius;
    const double disc = PI * radius * radius;
    const double ball = 4.0 / 3.0 * disc * radius;
    switch (shape->kind) {
    case BRUME_SHAPE_BOX:
        return (double)sides.x * (double)sides.y * (double)sides.z;
    case BRUME_SHAPE_CYLINDER:
        return disc * (double)brume_length(sides);
    case BRUME_SHAPE_CAPSULE:
        return disc * (double)brume_length(sides) + ball;
    case BRUME_SHAPE_CONE:
        return PI / 3.0 * (double)brume_length(sides) * (radius * (radius + second) + second * second);
    case BRUME_SHAPE_TORUS:
        return 2.0 * PI * PI * radius * second * second;
    case BRUME_SHAPE_SPHERE:
    case BRUME_SHAPE_VOLUME:
    case BRUME_SHAPE_PLANE:
    case BRUME_SHAPE_MESH:
        break;
    }
    return ball;
}

// the part of a cone that is deeper inside than `depth`: the ends and the side move by it, down to the tip
static BrumeShape shrunk_cone(const BrumeShape *shape, float depth)
{
    const BrumeVec3 sides = brume_sub(shape->b, shape->a);
    const float length = brume_length(sides);
    const float slope = (shape->second_radius - shape->radius) / length;
    const float thinner = depth * sqrtf(1.0f + slope * slope);
    float from = depth;
    float to = length - depth;
    // the radius at a distance along the axis is shape->radius + slope * distance - thinner
    if (slope != 0.0f) {
        const float tip = (thinner - shape->radius) / slope;
        from = slope > 0.0f ? brume_fmaxf(from, tip) : from;
        to = slope < 0.0f ? brume_fminf(to, tip) : to;
    }
    BrumeShape core = *shape;
    const bool is_empty = !(from < to) || !(shape->radius + slope * 0.5f * (from + to) > thinner);
    core.a = brume_add(shape->a, brume_scale(sides, from / length));
    core.b = is_empty ? core.a : brume_add(shape->a, brume_scale(sides, to / length));
    core.radius = brume_fmaxf(shape->radius + slope * from - thinner, 0.0f);
    core.second_radius = brume_fmaxf(shape->radius + slope * to - thinner, 0.0f);
    return core;
}

// the part of a shape that is deeper inside than `depth` [m], which is less than half its thickness
static BrumeShape shrunk_shape(const BrumeShape *shape, float depth)
{
    if (shape->kind == BRUME_SHAPE_CONE) {
        return shrunk_cone(shape, depth);
    }
    BrumeShape core = *shape;
    if (shape->kind == BRUME_SHAPE_TORUS) {
        core.second_radius -= depth;
        return core;
    }
    BrumeVec3 by = {depth, depth, depth};
    if (shape->kind == BRUME_SHAPE_CYLINDER) {
        by = brume_scale(brume_normalize(brume_sub(shape->b, shape->a)), depth);
    }
    if (shape->kind == BRUME_SHAPE_BOX || shape->kind == BRUME_SHAPE_CYLINDER) {
        core.a = brume_add(shape->a, by);
        core.b = brume_sub(shape->b, by);
    }
    core.radius -= depth;
    return core;
}

float brume_mean_edge(const BrumeShape *shape, float softness)
{
    enum { DEPTHS = 32 };
    if (shape->kind == BRUME_SHAPE_PLANE) {
        return 1.0f;
    }
    // a depth in the own frame is larger by the least factor of scale
    const BrumeShape own = brume_shape_in_own_frame(shape);
    softness *= brume_shape_thickness(&own) / brume_shape_thickness(shape);
    double sum = 0.0; // of the volumes deeper inside than each depth, weighted by the slope of the smoothstep there
    for (int n = 0; n < DEPTHS; n++) {
        const float x = ((float)n + 0.5f) / DEPTHS;
        if (x * softness < half_thickness(&own)) {
            const BrumeShape core = shrunk_shape(shape, x * softness);
            sum += (double)(6.0f * x * (1.0f - x)) * volume_of(&core);
        }
    }
    return (float)(sum / DEPTHS / volume_of(shape));
}

// the middle part of a shape, of at most `most` [m] along its axis and its sides
static BrumeShape middle_part(const BrumeShape *shape, float most)
{
    BrumeShape part = *shape;
    if (shape->kind == BRUME_SHAPE_TORUS) {
        part.radius = brume_fminf(shape->radius, 0.5f * most);
        return part;
    }
    const BrumeVec3 sides = brume_sub(shape->b, shape->a);
    const BrumeVec3 middle = brume_scale(brume_add(shape->a, shape->b), 0.5f);
    BrumeVec3 half = brume_scale(sides, 0.5f);
    if (shape->kind == BRUME_SHAPE_BOX) {
        half = brume_vec3(brume_fminf(half.x, 0.5f * most), brume_fminf(half.y, 0.5f * most),
                          brume_fminf(half.z, 0.5f * most));
    } else if (brume_length(sides) > most) {
        half = brume_scale(brume_normalize(sides), 0.5f * most);
    }
    if (shape->kind != BRUME_SHAPE_SPHERE) {
        part.a = brume_sub(middle, half);
        part.b = brume_add(middle, half);
    }
    if (shape->kind == BRUME_SHAPE_CONE) {
        const float share = brume_length(half) / (0.5f * brume_length(sides));
        const float mean = 0.5f * (shape->radius + shape->second_radius);
        part.radius = mean + share * (shape->radius - mean);
        part.second_radius = brume_fminf(mean + share * (shape->second_radius - mean), 0.5f * most);
    }
    part.radius = brume_fminf(part.radius, 0.5f * most);
    return part;
}

// the values that a cell has along each axis of a volume, as initial fields count them
static void count_points(BrumeCoverage *coverage)
{
    enum { MOST_POINTS = 16 };
    const BrumeShape *shape = coverage->placed.shape;
    const BrumeVec3 scale = brume_shape_scale(shape);
    double lower[3];
    double upper[3];
    brume_samples_bounds(&shape->samples, 1, lower, upper);
    for (int axis = 0; axis < 3; axis++) {
        const double side = (double)(brume_component(shape->b, axis) - brume_component(shape->a, axis));
        const double spacing = shape->samples->spacing * side * (double)brume_component(scale, axis) /
                               (upper[axis] - lower[axis]); // in the world [m]
        const double values = (double)coverage->dx / spacing;
        coverage->points[axis] = (int)brume_fmin(brume_fmax(floor(values + 0.5), 1.0), (double)MOST_POINTS);
    }
}

// the mean of the strength of a volume in the cell around a point, which lies along the axes of the volume
static float mean_strength(const BrumeCoverage *coverage, BrumeVec3 center)
{
    const BrumeShape *shape = coverage->placed.shape;
    const BrumeShapeFrame frame = brume_shape_frame(shape);
    const int *points = coverage->points;
    const int count = points[0] * points[1] * points[2];
    double sum = 0.0;
    for (int n = 0; n < count; n++) {
        const int index[3] = {n % points[0], n / points[0] % points[1], n / points[0] / points[1]};
        BrumeVec3 point = center;
        for (int axis = 0; axis < 3; axis++) {
            const float from_center = coverage->dx * (((float)index[axis] + 0.5f) / (float)points[axis] - 0.5f);
            point = brume_add(point, brume_scale(frame.axes[axis], from_center));
        }
        double value;
        (void)brume_shape_value(shape, point, &value);
        sum += brume_fmin(brume_fmax(value / (double)shape->threshold, 0.0), 1.0);
    }
    return (float)(sum / count);
}

float brume_coverage_at(const BrumeCoverage *coverage, BrumeVec3 center)
{
    const BrumeShape *shape = coverage->placed.shape;
    if (shape->kind == BRUME_SHAPE_VOLUME) {
        return mean_strength(coverage, center);
    }
    const float most = coverage->growth + coverage->dx;
    return brume_coverage_at_distance(coverage, brume_placed_distance(&coverage->placed, center, most));
}

float brume_coverage_at_distance(const BrumeCoverage *coverage, float distance)
{
    const float depth = 0.5f - (distance - coverage->growth) / coverage->dx;
    const float covered = brume_fminf(brume_fmaxf(depth, 0.0f), 1.0f);
    return covered < 1.0f || coverage->weighs_inside ? brume_fminf(covered * coverage->weight, 1.0f) : covered;
}

// sums of the fractions of cells [cells]
typedef struct Sums {
    double complete; // of the cells that are covered completely
    double partial;  // of the others
} Sums;

static void sum_block(const BrumeCoverage *coverage, BrumeVec3 first, Sums *sums)
{
    for (int k = 0; k < BLOCK; k++) {
        for (int j = 0; j < BLOCK; j++) {
            for (int i = 0; i < BLOCK; i++) {
                const BrumeVec3 offset = brume_scale(brume_vec3((float)i, (float)j, (float)k), coverage->dx);
                const float covered = brume_coverage_at(coverage, brume_add(first, offset));
                *(covered < 1.0f || coverage->weighs_inside ? &sums->partial : &sums->complete) += (double)covered;
            }
        }
    }
}

// over all cells near the shape
static Sums sum_cells(const BrumeCoverage *coverage, BrumeVec3 center)
{
    const float block = BLOCK * coverage->dx;
    const float reach = coverage->growth + 0.5f * coverage->dx; // of cells that are covered
    const float half_diagonal = 0.8660254f * block;
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_shape_bounds(coverage->placed.shape, &lower, &upper);
    int from[3];
    int to[3];
    for (int axis = 0; axis < 3; axis++) {
        const float at = brume_component(center, axis);
        from[axis] = (int)floorf((brume_component(lower, axis) - reach - at) / block);
        to[axis] = (int)floorf((brume_component(upper, axis) + reach - at) / block);
    }
    Sums sums = {0};
    for (int k = from[2]; k <= to[2]; k++) {
        for (int j = from[1]; j <= to[1]; j++) {
            for (int i = from[0]; i <= to[0]; i++) {
                const BrumeVec3 first = brume_add(center, brume_scale(brume_vec3((float)i, (float)j, (float)k), block));
                const float half = 0.5f * block;
                const BrumeVec3 middle = brume_add(first, brume_vec3(half, half, half));
                if (brume_placed_distance(&coverage->placed, middle, INFINITY) <= half_diagonal + reach) {
                    sum_block(coverage, first, &sums);
                }
            }
        }
    }
    return sums;
}

BrumeCoverage brume_coverage_of(const BrumeShape *shape, BrumeVec3 center, float dx)
{
    const float half = half_thickness(shape) / dx; // [cells]
    BrumeCoverage coverage = {.placed = brume_shape_place(shape), .dx = dx, .weight = 1.0f, .points = {1, 1, 1}};
    if (shape->kind == BRUME_SHAPE_VOLUME && brume_samples_have_values(shape->samples)) {
        count_points(&coverage);
    }
    if (half >= ACCURATE) {
        return coverage;
    }
    coverage.growth = brume_fmaxf(GROWN - half, 0.0f) * dx;
    coverage.weighs_inside = half < FULL;
    const BrumeShape part = middle_part(shape, MOST * dx);
    coverage.placed = brume_shape_place(&part);
    const Sums sums = sum_cells(&coverage, center);
    coverage.placed = brume_shape_place(shape);
    const BrumeShapeFrame frame = brume_shape_frame(shape);
    const double factor = (double)frame.scale.x * (double)frame.scale.y * (double)frame.scale.z;
    const double volume = factor * volume_of(&part) / ((double)dx * (double)dx * (double)dx); // [cells]
    const double weight = sums.partial > 0.0 ? brume_fmax(volume - sums.complete, 0.0) / sums.partial : 1.0;
    const double share = brume_fmin((double)(ACCURATE - half) / (double)(ACCURATE - FULL), 1.0);
    coverage.weight = (float)(1.0 + share * (weight - 1.0));
    return coverage;
}
