/*
 * Strokes: smoke, heat, erasing and motion along the path of a tip that moves on a curve. The part of a stroke that
 * falls into a step is divided into segments of at most an eighth of the radius r. With the distance d, the falloff is
 * (1 - (d/r)^2)^2:
 *   - Smoke and heat are raised to at least amount * falloff, where d is the distance to the segments, so that the
 *     result does not depend on the number of steps or strokes into which a curve is divided. A temperature below
 *     ambient lowers to at most that. Fuel is raised in the same way, as far as there is air that it can replace, and
 *     the mixture by the same mass.
 *   - An erasing stroke lowers the sum of all kinds of smoke to at most erase * (1 - falloff) / falloff, with the same
 *     distance and for the same reason: the kinds in proportion, and the temperature by the same factor. Where a stroke
 *     also sets smoke, that comes after.
 *   - Velocity relaxes to the velocity V(x) of the stroke (brume/stroke.h), du/dt = -push * falloff (u - V), where d is
 *     the distance to the tip. This is integrated exactly for a tip that rests at the midpoint of each segment for the
 *     segment's duration.
 * The radius is at least 1.5 cells, so that a thin stroke has no gaps: each point of the curve is then close enough to
 * a cell's center for a falloff of at least 0.44.
 */
#include "sim/forces/strokes.h"
#include "core/domain.h"
#include "core/elementary.h"
#include "core/minmax.h"
#include "core/vec3.h"
#include "sim/forces/forces.h"
#include "sim/state/heat.h"
#include "sim/state/state.h"

#include <assert.h>
#include <string.h>

enum { MAX_SEGMENTS = 1024 };

static const float MIN_RADIUS = 1.5f; // [cells]
static const float SEGMENTS_PER_RADIUS = 8.0f;
static const float SUCK_SCALE = 3.49385621f; // 25 sqrt(5) / 16: 1 over the largest s (1 - s^2)^2

// the part of a stroke that falls into a step as a polyline, in index coordinates: cell i has its center at i
typedef struct Path {
    float radius;  // [cells]
    float seconds; // duration of a segment [s]
    int count;     // segments
    BrumeVec3 points[MAX_SEGMENTS + 1];
} Path;

typedef struct Range {
    int from, to;
} Range;

BrumeVec3 brume_stroke_at(const BrumeStroke *stroke, float s)
{
    // the cubic Hermite basis
    const float t = 1.0f - s;
    const BrumeVec3 positions = brume_add(brume_scale(stroke->from, t * t * (1.0f + 2.0f * s)),
                                          brume_scale(stroke->to, s * s * (1.0f + 2.0f * t)));
    const BrumeVec3 slopes =
        brume_sub(brume_scale(stroke->from_slope, s * t * t), brume_scale(stroke->to_slope, s * s * t));
    return brume_add(positions, slopes);
}

void brume_sim_set_strokes(BrumeSim *sim, const BrumeStroke *strokes, int count)
{
    assert(count >= 0 && count <= BRUME_MAX_STROKES);
    sim->stroke_count = count;
    if (count > 0) {
        memcpy(sim->strokes, strokes, (size_t)count * sizeof *strokes);
    }
}

// an upper bound of |d position / d parameter|: three times the longest leg of the Bezier control polygon [cells]
static float max_slope(const BrumeStroke *stroke, float dx)
{
    const BrumeVec3 between = brume_sub(brume_sub(stroke->to, brume_scale(stroke->to_slope, 1.0f / 3.0f)),
                                        brume_add(stroke->from, brume_scale(stroke->from_slope, 1.0f / 3.0f)));
    const float ends = brume_fmaxf(brume_length(stroke->from_slope), brume_length(stroke->to_slope));
    return brume_fmaxf(ends, 3.0f * brume_length(between)) / dx;
}

// false if no part of the stroke falls into the step
static bool find_path(const BrumeStroke *stroke, const BrumeSimDef *def, double time, double dt, Path *path)
{
    const double length = stroke->end - stroke->start;
    const double from = brume_fmax((time - stroke->start) / length, 0.0);
    const double to = brume_fmin((time + dt - stroke->start) / length, 1.0);
    if (!(to > from)) {
        return false;
    }
    path->radius = brume_fmaxf(stroke->radius / def->dx, MIN_RADIUS);
    const float segments = ceilf(max_slope(stroke, def->dx) * (float)(to - from) * SEGMENTS_PER_RADIUS / path->radius);
    path->count = (int)brume_fminf(brume_fmaxf(segments, 1.0f), (float)MAX_SEGMENTS);
    path->seconds = (float)((to - from) * length / path->count);
    for (int n = 0; n <= path->count; n++) {
        const BrumeVec3 point = brume_stroke_at(stroke, (float)(from + (to - from) * n / path->count));
        const BrumeVec3 cells = brume_scale(brume_sub(point, def->origin), 1.0f / def->dx);
        path->points[n] = brume_add(cells, brume_vec3(0.5f, 0.5f, 0.5f));
    }
    return true;
}

// the entries among 1..last within `distance` of the interval from a to b
static Range entries_within(float a, float b, float distance, int last)
{
    const float limit = (float)last;
    return (Range){
        .from = (int)brume_fminf(brume_fmaxf(ceilf(brume_fminf(a, b) - distance), 1.0f), limit + 1.0f),
        .to = (int)brume_fminf(brume_fmaxf(floorf(brume_fmaxf(a, b) + distance), 0.0f), limit),
    };
}

static float falloff(float squared_distance, float radius)
{
    const float root = brume_fmaxf(1.0f - squared_distance / (radius * radius), 0.0f);
    return root * root;
}

// the squared distance from a point to the segment from a to b
static float squared_distance_to_segment(BrumeVec3 point, BrumeVec3 a, BrumeVec3 b)
{
    const BrumeVec3 along = brume_sub(b, a);
    const BrumeVec3 from_a = brume_sub(point, a);
    const float squared = brume_dot(along, along);
    const float share =
        squared > 0.0f ? brume_fminf(brume_fmaxf(brume_dot(from_a, along) / squared, 0.0f), 1.0f) : 0.0f;
    const BrumeVec3 offset = brume_sub(from_a, brume_scale(along, share));
    return brume_dot(offset, offset);
}

// the planes of this rank within the radius of the path
static Range planes_near(const Path *path, float shift, int last, BrumeGrid grid)
{
    float low = path->points[0].z;
    float high = low;
    for (int n = 1; n <= path->count; n++) {
        low = brume_fminf(low, path->points[n].z);
        high = brume_fmaxf(high, path->points[n].z);
    }
    const Range near = entries_within(low + shift, high + shift, path->radius, last);
    return (Range){brume_planes_from(grid, near.from), brume_planes_to(grid, near.to)};
}

// the smoke and heat that a stroke changes, heat first
typedef struct Scalars {
    BrumeField *fields[BRUME_SCALAR_COUNT];
    float amounts[BRUME_SCALAR_COUNT]; // to which they are raised, or lowered if it is below 0
    int count;
    float erase; // BrumeStroke.erase
} Scalars;

// changes the entries c of all scalars, where the falloff is `weight` > 0
typedef void ScalarChange(const Scalars *scalars, ptrdiff_t c, float weight);

static void extend_to(const Scalars *scalars, ptrdiff_t c, float weight)
{
    for (int n = 0; n < scalars->count; n++) {
        float *value = &scalars->fields[n]->data[c];
        const float amount = weight * scalars->amounts[n];
        *value = amount > 0.0f ? brume_fmaxf(*value, amount) : brume_fminf(*value, amount);
    }
}

// raises fuel and mixture, where there is air to replace; the temperature is the third scalar
static void replace_air(const Scalars *scalars, ptrdiff_t c, float weight)
{
    float *fuel = &scalars->fields[0]->data[c];
    float *mixture = &scalars->fields[1]->data[c];
    const float density = brume_relative_density(scalars->fields[2]->data[c]);
    const float added = brume_fuel_to_add(weight * scalars->amounts[0], *fuel, *mixture, density);
    *fuel += added;
    *mixture += added;
}

static void lower_to(const Scalars *scalars, ptrdiff_t c, float weight)
{
    float smoke = 0.0f;
    for (int n = 1; n < scalars->count; n++) {
        smoke += scalars->fields[n]->data[c];
    }
    const float limit = scalars->erase * (1.0f - weight);
    for (int n = 0; weight * smoke > limit && n < scalars->count; n++) {
        scalars->fields[n]->data[c] *= limit / (weight * smoke);
    }
}

// changes the scalars at the centers of plane k near a segment
static void change_near(const Scalars *scalars, ScalarChange *change, const Path *path, int segment, int k)
{
    const BrumeVec3 a = path->points[segment];
    const BrumeVec3 b = path->points[segment + 1];
    const BrumeGrid grid = scalars->fields[0]->grid;
    const Range x = entries_within(a.x, b.x, path->radius, grid.nx);
    const Range y = entries_within(a.y, b.y, path->radius, grid.ny);
    for (int j = y.from; j <= y.to; j++) {
        for (int i = x.from; i <= x.to; i++) {
            const BrumeVec3 point = {(float)i, (float)j, (float)k};
            const float weight = falloff(squared_distance_to_segment(point, a, b), path->radius);
            if (weight > 0.0f) {
                change(scalars, brume_field_index(scalars->fields[0], i, j, k), weight);
            }
        }
    }
}

static void change_along(const Scalars *scalars, ScalarChange *change, const Path *path)
{
    const int last = scalars->fields[0]->grid.nz;
    const Range planes = planes_near(path, 0.0f, last, scalars->fields[0]->grid);
#pragma omp parallel for schedule(static)
    for (int k = planes.from; k <= planes.to; k++) {
        for (int n = 0; n < path->count; n++) {
            const Range own = entries_within(path->points[n].z, path->points[n + 1].z, path->radius, last);
            if (k >= own.from && k <= own.to) {
                change_near(scalars, change, path, n, k);
            }
        }
    }
}

static void erase_smoke(BrumeField fields[BRUME_FIELD_COUNT], const BrumeStroke *stroke, const Path *path)
{
    Scalars lowered = {.erase = stroke->erase};
    for (int id = BRUME_FIELD_TEMPERATURE; id < BRUME_FIELD_COUNT; id++) {
        if (fields[id].data) {
            lowered.fields[lowered.count++] = &fields[id];
        }
    }
    change_along(&lowered, lower_to, path);
}

// whether there was anything to write
static bool add_smoke_and_heat(BrumeField fields[BRUME_FIELD_COUNT], const BrumeStroke *stroke, const Path *path)
{
    Scalars changed = {0};
    for (int id = BRUME_FIELD_TEMPERATURE; id < BRUME_FIELD_FUEL; id++) {
        const float amount = id == BRUME_FIELD_TEMPERATURE ? stroke->temperature
                                                           : brume_fmaxf(stroke->smoke[id - BRUME_FIELD_DENSITY], 0.0f);
        if (amount != 0.0f && fields[id].data) {
            changed.fields[changed.count] = &fields[id];
            changed.amounts[changed.count++] = amount;
        }
    }
    if (changed.count > 0) {
        change_along(&changed, extend_to, path);
    }
    return changed.count > 0;
}

// whether there was anything to write
static bool add_fuel(BrumeField fields[BRUME_FIELD_COUNT], const BrumeStroke *stroke, const Path *path)
{
    if (!(stroke->fuel > 0.0f) || !fields[BRUME_FIELD_FUEL].data) {
        return false;
    }
    const Scalars raised = {
        .fields = {&fields[BRUME_FIELD_FUEL], &fields[BRUME_FIELD_MIXTURE], &fields[BRUME_FIELD_TEMPERATURE]},
        .amounts = {stroke->fuel}};
    change_along(&raised, replace_air, path);
    return true;
}

// the velocity V(x) of a stroke
typedef struct Target {
    float push; // [1/s]
    BrumeVec3 velocity;
    bool is_uniform;
    BrumeVec3 direction; // of the axis, unit length
    BrumeVec3 spin;      // velocity of rotation: cross product of this and an offset in cells [m/s per cell]
    float suck;          // BrumeStroke.suck times SUCK_SCALE [m/s]
} Target;

static Target target_of(const BrumeStroke *stroke, float dx)
{
    const float length = brume_length(stroke->axis);
    const BrumeVec3 direction = brume_scale(stroke->axis, length > 0.0f ? 1.0f / length : 0.0f);
    return (Target){
        .push = stroke->push,
        .velocity = stroke->velocity,
        .is_uniform = !(length > 0.0f) || (stroke->suck == 0.0f && stroke->twist == 0.0f),
        .direction = direction,
        .spin = brume_scale(direction, stroke->twist * dx),
        .suck = SUCK_SCALE * stroke->suck,
    };
}

// V at an `offset` from the tip [cells]
static BrumeVec3 target_at(const Target *target, BrumeVec3 offset, float radius)
{
    if (target->is_uniform) {
        return target->velocity;
    }
    const BrumeVec3 x = brume_scale(offset, 1.0f / radius);
    const float z = brume_dot(x, target->direction);
    const BrumeVec3 p = brume_sub(x, brume_scale(target->direction, z));
    const float pp = brume_dot(p, p);
    const float inside = 1.0f - z * z - pp; // 1 - q
    const BrumeVec3 along = brume_scale(target->direction, 2.0f * (inside - 2.0f * pp) * z);
    const BrumeVec3 inwards = brume_scale(p, -(inside - 4.0f * z * z));
    const BrumeVec3 sucked = brume_scale(brume_add(along, inwards), target->suck * inside);
    return brume_add(target->velocity, brume_add(brume_cross(target->spin, offset), sucked));
}

// relaxes the velocity on the faces across `axis` of plane k near the tip at the midpoint of a segment
static void push_near(BrumeField *velocity, int axis, const Target *target, const Path *path, BrumeVec3 tip, int k)
{
    const BrumeGrid grid = velocity->grid;
    const Range x = entries_within(tip.x, tip.x, path->radius, grid.nx + (axis == 0));
    const Range y = entries_within(tip.y, tip.y, path->radius, grid.ny + (axis == 1));
    for (int j = y.from; j <= y.to; j++) {
        for (int i = x.from; i <= x.to; i++) {
            const BrumeVec3 offset = brume_sub(brume_vec3((float)i, (float)j, (float)k), tip);
            const float weight = falloff(brume_dot(offset, offset), path->radius);
            if (weight > 0.0f) {
                float *value = &velocity->data[brume_field_index(velocity, i, j, k)];
                const float aim = brume_component(target_at(target, offset, path->radius), axis);
                *value = aim + (*value - aim) * brume_expf(-target->push * weight * path->seconds);
            }
        }
    }
}

static void push_air(BrumeField fields[BRUME_FIELD_COUNT], const Target *target, const Path *path)
{
    for (int axis = 0; axis < 3; axis++) {
        BrumeField *velocity = &fields[axis];
        // the face of index i lies half a cell below center i
        const BrumeVec3 shift = brume_along(axis, 0.5f);
        const int last = velocity->grid.nz + (axis == 2);
        const Range planes = planes_near(path, shift.z, last, velocity->grid);
#pragma omp parallel for schedule(static)
        for (int k = planes.from; k <= planes.to; k++) {
            for (int n = 0; n < path->count; n++) {
                const BrumeVec3 midpoint = brume_scale(brume_add(path->points[n], path->points[n + 1]), 0.5f);
                const BrumeVec3 tip = brume_add(midpoint, shift);
                if (fabsf(tip.z - (float)k) < path->radius) {
                    push_near(velocity, axis, target, path, tip, k);
                }
            }
        }
    }
}

unsigned brume_apply_stroke(const BrumeStroke *stroke, const BrumeSimDef *def, double time, double dt,
                            BrumeField fields[BRUME_FIELD_COUNT])
{
    Path path = {0};
    if (!find_path(stroke, def, time, dt, &path)) {
        return 0;
    }
    unsigned written = 0;
    if (stroke->erase > 0.0f) {
        erase_smoke(fields, stroke, &path);
        written |= BRUME_STROKE_WROTE_SCALARS;
    }
    if (add_smoke_and_heat(fields, stroke, &path)) {
        written |= BRUME_STROKE_WROTE_SCALARS;
    }
    if (add_fuel(fields, stroke, &path)) {
        written |= BRUME_STROKE_WROTE_SCALARS;
    }
    if (stroke->push > 0.0f) {
        const Target target = target_of(stroke, def->dx);
        push_air(fields, &target, &path);
        written |= BRUME_STROKE_WROTE_VELOCITY;
    }
    return written;
}

double brume_stroke_speed(const BrumeStroke *stroke, float dx)
{
    const double radius = brume_fmax((double)stroke->radius, (double)(MIN_RADIUS * dx));
    return stroke->push > 0.0f ? (double)brume_length(stroke->velocity) + fabs((double)stroke->twist) * radius +
                                     2.0 * fabs((double)stroke->suck)
                               : 0.0;
}

void brume_apply_strokes(BrumeSim *sim, double dt)
{
    for (int n = 0; n < sim->stroke_count; n++) {
        const unsigned written = brume_apply_stroke(&sim->strokes[n], &sim->def, sim->time, dt, sim->fields);
        if ((written & BRUME_STROKE_WROTE_SCALARS) != 0) {
            brume_invalidate(sim, BRUME_VALID_SCALAR_GHOSTS);
        }
        if ((written & BRUME_STROKE_WROTE_VELOCITY) != 0) {
            brume_invalidate(sim, BRUME_VALID_VELOCITY | BRUME_VALID_MAX_SPEED);
        }
    }
}
