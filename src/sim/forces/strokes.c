/*
 * Strokes: what a tip that travels along a curve leaves in the air. The part of a piece that falls into a step is cut
 * into segments of at most an eighth of the radius. With the falloff (1 - (d/r)^2)^2 of the distance d,
 *   - smoke and heat are raised to at least amount * falloff, where d is the distance to the segments, so that a trail
 *     does not depend on how many steps or pieces it is made in;
 *   - velocity relaxes to the stroke's, du/dt = -push * falloff (u - velocity), where d is the distance to the tip,
 *     exactly for a tip that waits in the middle of each segment for its share of the time.
 * A trail thinner than the grid can hold would have gaps: the radius is at least 1.5 cells, which reaches the nearest
 * center from anywhere with a falloff of 0.44 and more.
 */
#include "core/vec3.h"
#include "sim/sim_internal.h"

enum { MAX_SEGMENTS = 1024 };

static const float LEAST_RADIUS = 1.5f;        // [cells]
static const float SEGMENTS_PER_RADIUS = 8.0f; // at least

// the part of a piece that falls into a step; in cells, centers at their indices
typedef struct Trail {
    float radius;
    float seconds; // that the tip takes for a segment
    int count;     // of segments
    BrumeVec3 points[MAX_SEGMENTS + 1];
} Trail;

typedef struct Range {
    int from, to;
} Range;

// a bound of |d position / d share|: the longest leg of the Bezier polygon, thrice [cells]
static float fastest(const BrumeStroke *stroke, float dx)
{
    const BrumeVec3 between = brume_sub(brume_sub(stroke->to, brume_scale(stroke->to_slope, 1.0f / 3.0f)),
                                        brume_add(stroke->from, brume_scale(stroke->from_slope, 1.0f / 3.0f)));
    const float ends = fmaxf(brume_length(stroke->from_slope), brume_length(stroke->to_slope));
    return fmaxf(ends, 3.0f * brume_length(between)) / dx;
}

// false where the tip is not under way within the step
static bool find_trail(const BrumeSim *sim, const BrumeStroke *stroke, double dt, Trail *trail)
{
    const BrumeSimDef *def = &sim->def;
    const double length = stroke->end - stroke->start;
    const double from = fmax((sim->time - stroke->start) / length, 0.0);
    const double to = fmin((sim->time + dt - stroke->start) / length, 1.0);
    if (!(to > from)) {
        return false;
    }
    trail->radius = fmaxf(stroke->radius / def->dx, LEAST_RADIUS);
    const float wanted = ceilf(fastest(stroke, def->dx) * (float)(to - from) * SEGMENTS_PER_RADIUS / trail->radius);
    trail->count = (int)fminf(fmaxf(wanted, 1.0f), (float)MAX_SEGMENTS);
    trail->seconds = (float)((to - from) * length / trail->count);
    for (int n = 0; n <= trail->count; n++) {
        const BrumeVec3 point = brume_stroke_at(stroke, (float)(from + (to - from) * n / trail->count));
        const BrumeVec3 cells = brume_scale(brume_sub(point, def->origin), 1.0f / def->dx);
        trail->points[n] = brume_add(cells, brume_vec3(0.5f, 0.5f, 0.5f));
    }
    return true;
}

// the entries among 1..last that are within `reach` of the stretch from a to b
static Range find_range(float a, float b, float reach, int last)
{
    const float limit = (float)last;
    return (Range){
        .from = (int)fminf(fmaxf(ceilf(fminf(a, b) - reach), 1.0f), limit + 1.0f),
        .to = (int)fminf(fmaxf(floorf(fmaxf(a, b) + reach), 0.0f), limit),
    };
}

static float falloff(float squared, float radius)
{
    const float share = fmaxf(1.0f - squared / (radius * radius), 0.0f);
    return share * share;
}

static float squared_distance(BrumeVec3 point, BrumeVec3 a, BrumeVec3 b)
{
    const BrumeVec3 along = brume_sub(b, a);
    const BrumeVec3 from_a = brume_sub(point, a);
    const float squared = brume_dot(along, along);
    const float share = squared > 0.0f ? fminf(fmaxf(brume_dot(from_a, along) / squared, 0.0f), 1.0f) : 0.0f;
    const BrumeVec3 apart = brume_sub(from_a, brume_scale(along, share));
    return brume_dot(apart, apart);
}

// the planes that any part of a trail reaches
static Range planes_of(const Trail *trail, float shift, int last)
{
    float low = trail->points[0].z;
    float high = low;
    for (int n = 1; n <= trail->count; n++) {
        low = fminf(low, trail->points[n].z);
        high = fmaxf(high, trail->points[n].z);
    }
    return find_range(low + shift, high + shift, trail->radius, last);
}

// raises `count` quantities at the centers of plane k near a segment
static void raise_near(BrumeField *const *fields, const float *amounts, int count, const Trail *trail, int segment,
                       int k)
{
    const BrumeVec3 a = trail->points[segment];
    const BrumeVec3 b = trail->points[segment + 1];
    const BrumeGrid grid = fields[0]->grid;
    const Range x = find_range(a.x, b.x, trail->radius, grid.nx);
    const Range y = find_range(a.y, b.y, trail->radius, grid.ny);
    for (int j = y.from; j <= y.to; j++) {
        for (int i = x.from; i <= x.to; i++) {
            const BrumeVec3 point = {(float)i, (float)j, (float)k};
            const float share = falloff(squared_distance(point, a, b), trail->radius);
            const ptrdiff_t c = brume_field_index(fields[0], i, j, k);
            for (int n = 0; share > 0.0f && n < count; n++) {
                fields[n]->data[c] = fmaxf(fields[n]->data[c], share * amounts[n]);
            }
        }
    }
}

static void leave_trail(BrumeSim *sim, const BrumeStroke *stroke, const Trail *trail)
{
    BrumeField *fields[1 + BRUME_SMOKE_KINDS];
    float amounts[1 + BRUME_SMOKE_KINDS];
    int count = 0;
    for (int id = BRUME_FIELD_TEMPERATURE; id < BRUME_FIELD_COUNT; id++) {
        const float amount =
            id == BRUME_FIELD_TEMPERATURE ? stroke->temperature : stroke->smoke[id - BRUME_FIELD_DENSITY];
        if (amount > 0.0f && sim->fields[id].data) {
            fields[count] = &sim->fields[id];
            amounts[count++] = amount;
        }
    }
    if (count == 0) {
        return;
    }
    const Range planes = planes_of(trail, 0.0f, sim->def.nz);
#pragma omp parallel for schedule(static)
    for (int k = planes.from; k <= planes.to; k++) {
        for (int n = 0; n < trail->count; n++) {
            const Range own = find_range(trail->points[n].z, trail->points[n + 1].z, trail->radius, sim->def.nz);
            if (k >= own.from && k <= own.to) {
                raise_near(fields, amounts, count, trail, n, k);
            }
        }
    }
}

// relaxes the velocity on the faces along `axis` of plane k near the middle of a segment
static void push_near(BrumeField *velocity, int axis, float target, float push, const Trail *trail, BrumeVec3 tip,
                      int k)
{
    const BrumeGrid grid = velocity->grid;
    const Range x = find_range(tip.x, tip.x, trail->radius, grid.nx + (axis == 0));
    const Range y = find_range(tip.y, tip.y, trail->radius, grid.ny + (axis == 1));
    for (int j = y.from; j <= y.to; j++) {
        for (int i = x.from; i <= x.to; i++) {
            const BrumeVec3 apart = brume_sub(brume_vec3((float)i, (float)j, (float)k), tip);
            const float share = falloff(brume_dot(apart, apart), trail->radius);
            if (share > 0.0f) {
                float *value = &velocity->data[brume_field_index(velocity, i, j, k)];
                *value = target + (*value - target) * expf(-push * share * trail->seconds);
            }
        }
    }
}

static void push_air(BrumeSim *sim, const BrumeStroke *stroke, const Trail *trail)
{
    for (int axis = 0; axis < 3; axis++) {
        BrumeField *velocity = &sim->fields[axis];
        const float target = brume_component(stroke->velocity, axis);
        // a face is half a cell below its center
        const BrumeVec3 shift = {axis == 0 ? 0.5f : 0.0f, axis == 1 ? 0.5f : 0.0f, axis == 2 ? 0.5f : 0.0f};
        const int last = sim->def.nz + (axis == 2);
        const Range planes = planes_of(trail, shift.z, last);
#pragma omp parallel for schedule(static)
        for (int k = planes.from; k <= planes.to; k++) {
            for (int n = 0; n < trail->count; n++) {
                const BrumeVec3 middle = brume_scale(brume_add(trail->points[n], trail->points[n + 1]), 0.5f);
                const BrumeVec3 tip = brume_add(middle, shift);
                if (fabsf(tip.z - (float)k) < trail->radius) {
                    push_near(velocity, axis, target, stroke->push, trail, tip, k);
                }
            }
        }
    }
}

/** Lets the strokes act over the next `dt` [s]. The boundary, and what falls into obstacles, is set afterwards. */
void brume_apply_strokes(BrumeSim *sim, double dt)
{
    for (int n = 0; n < sim->stroke_count; n++) {
        const BrumeStroke *stroke = &sim->strokes[n];
        Trail trail = {0};
        if (!find_trail(sim, stroke, dt, &trail)) {
            continue;
        }
        leave_trail(sim, stroke, &trail);
        if (stroke->push > 0.0f) {
            push_air(sim, stroke, &trail);
        }
    }
}
