// Streamlines, integrated over arc length with the Runge-Kutta method of fourth order. A step is halved until the
// velocity turns little along it, so that eddies of few cells are round: their local error is of fifth order in the
// angle of a step. Seeds are the points of a sample grid that no earlier line has come close to, so that the lines are
// spaced about evenly (simplified from Jobard and Lefer, "Creating Evenly-Spaced Streamlines of Arbitrary Density",
// 1997). Seeds are tried in a scattered order.
#include "core/error.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "viewer/views/overlay_geometry.h"
#include "viewer/views/velocity_sampling.h"

#include <assert.h>

static const float MAX_STEP = 1.0f;         // [cells]
static const float MIN_STEP = 1.0f / 64.0f; // [cells]
static const float COS_MAX_TURN = 0.951f;   // of the angle between the velocities of a step, 18 degrees
static const float COS_HALF_TURN = 0.988f;  // of half of that angle: the next step may be twice as long
static const float MIN_SPEED = 0.01f;       // as a fraction of the scale's end
static const float MIN_SEED_SPEED = 0.08f;  // as a fraction of the scale's end
static const float MAX_LENGTH = 1.5f;       // of a line in each direction, in longest sides of the box

typedef struct Tracer {
    BrumeOverlayGeometry *geometry;
    const BrumeSnapshotVariant *variant;
    const BrumeColorScale *speed;
    BrumeSampleGrid grid;
    bool *visited; // whether a line came close to a point of the sample grid (nz x ny x nx)
    uint8_t colors[BRUME_COLOR_TABLE_SIZE][3];
} Tracer;

// the direction and magnitude of the velocity; false where it is too slow
static bool direction_at(const Tracer *tracer, BrumeVec3 point, BrumeVec3 *direction, float *speed)
{
    const BrumeVec3 velocity = brume_velocity_at(tracer->variant, point);
    *speed = brume_length(velocity);
    if (!(*speed >= MIN_SPEED * tracer->speed->upper && *speed < INFINITY)) {
        return false;
    }
    *direction = brume_scale(velocity, 1.0f / *speed);
    return true;
}

// The end of the line so far.
typedef struct LineEnd {
    BrumeVec3 point, direction;
    float speed;
} LineEnd;

// One RK4 step of arc length [m]. False, and the end stays, where the step leaves the air, meets velocity that is too
// slow, or turns too much. `cosine` is that of the largest turn.
static bool try_step(const Tracer *tracer, LineEnd *end, float length, float *cosine)
{
    BrumeVec3 b, c, d, e;
    float speed;
    const BrumeVec3 p = end->point;
    const BrumeVec3 a = end->direction;
    if (!direction_at(tracer, brume_add(p, brume_scale(a, 0.5f * length)), &b, &speed) ||
        !direction_at(tracer, brume_add(p, brume_scale(b, 0.5f * length)), &c, &speed) ||
        !direction_at(tracer, brume_add(p, brume_scale(c, length)), &d, &speed)) {
        return false;
    }
    const BrumeVec3 sum = brume_add(brume_add(a, d), brume_scale(brume_add(b, c), 2.0f));
    const BrumeVec3 next = brume_add(p, brume_scale(sum, length / 6.0f));
    if (!brume_point_is_in_air(tracer->variant, next) || !direction_at(tracer, next, &e, &speed)) {
        return false;
    }
    *cosine = fminf(fminf(brume_dot(a, b), brume_dot(a, c)), fminf(brume_dot(a, d), brume_dot(a, e)));
    if (*cosine < COS_MAX_TURN) {
        return false;
    }
    *end = (LineEnd){next, e, speed};
    return true;
}

static BrumeOverlayVertex vertex_at(const Tracer *tracer, BrumeVec3 point, BrumeVec3 direction, float speed)
{
    const float position = brume_color_scale_position(tracer->speed, speed);
    const uint8_t *color = tracer->colors[(int)(position * (BRUME_COLOR_TABLE_SIZE - 1) + 0.5f)];
    return (BrumeOverlayVertex){point, direction, {color[0], color[1], color[2], 255}};
}

static int nearest(float index, int points)
{
    const float rounded = fminf(fmaxf(roundf(index), 0.0f), (float)(points - 1));
    return (int)rounded;
}

// the flag of the sample point that is nearest to `point`
static bool *visited_at(const Tracer *tracer, BrumeVec3 point)
{
    const BrumeSampleGrid *grid = &tracer->grid;
    const BrumeVec3 index = brume_scale(brume_sub(point, grid->corner), 1.0f / grid->spacing);
    const ptrdiff_t row = (ptrdiff_t)nearest(index.z, grid->nz) * grid->ny + nearest(index.y, grid->ny);
    return tracer->visited + row * grid->nx + nearest(index.x, grid->nx);
}

// traces along the velocity (`sign` 1) or against it (`sign` -1); false without memory
static bool trace_line(Tracer *tracer, BrumeVec3 point, float sign)
{
    const BrumeSimDef *def = &tracer->variant->settings;
    const int larger = def->nx > def->ny ? def->nx : def->ny;
    const float longest = MAX_LENGTH * (float)(larger > def->nz ? larger : def->nz); // [cells]
    LineEnd end = {.point = point};
    if (!direction_at(tracer, point, &end.direction, &end.speed)) {
        return true;
    }
    float step = MAX_STEP; // [cells]
    float done = 0.0f;
    while (done < longest) {
        const LineEnd from = end;
        float cosine;
        while (!try_step(tracer, &end, sign * step * def->dx, &cosine)) {
            step *= 0.5f;
            if (step < MIN_STEP) {
                return true;
            }
        }
        *visited_at(tracer, end.point) = true;
        BrumeOverlayVertex *line = brume_overlay_geometry_add_lines(tracer->geometry, 2);
        if (line == NULL) {
            return false;
        }
        const BrumeVec3 along = brume_normalize(brume_scale(brume_sub(end.point, from.point), sign));
        line[0] = vertex_at(tracer, from.point, along, from.speed);
        line[1] = vertex_at(tracer, end.point, along, end.speed);
        done += step;
        step = cosine > COS_HALF_TURN ? fminf(2.0f * step, MAX_STEP) : step;
    }
    return true;
}

static bool add_line(Tracer *tracer, BrumeVec3 seed)
{
    if (*visited_at(tracer, seed) || !brume_point_is_in_air(tracer->variant, seed)) {
        return true;
    }
    const float speed = brume_length(brume_velocity_at(tracer->variant, seed));
    if (!(speed >= MIN_SEED_SPEED * tracer->speed->upper)) {
        return true;
    }
    *visited_at(tracer, seed) = true;
    return trace_line(tracer, seed, 1.0f) && trace_line(tracer, seed, -1.0f);
}

// A stride near the golden ratio of `count` that has no common divisor with it, so that repeated addition modulo
// `count` visits all numbers in a scattered order.
static int64_t scattered_stride(int64_t count)
{
    int64_t stride = (int64_t)(0.61803398874989485 * (double)count) | 1;
    for (;; stride += 2) {
        int64_t a = count;
        int64_t b = stride;
        while (b != 0) {
            const int64_t remainder = a % b;
            a = b;
            b = remainder;
        }
        if (a == 1) {
            return stride;
        }
    }
}

BrumeStatus brume_build_streamlines(BrumeOverlayGeometry *geometry, const BrumeSnapshotVariant *variant,
                                    const BrumeColorScale *speed, int count, BrumeError *error)
{
    assert(count >= 1);
    const BrumeSimDef *def = &variant->settings;
    Tracer tracer = {
        .geometry = geometry,
        .variant = variant,
        .speed = speed,
        .grid = brume_sample_grid(def, count),
    };
    const BrumeSampleGrid *grid = &tracer.grid;
    brume_color_scale_table(speed->is_signed, tracer.colors);
    const int before = geometry->line_vertices;
    const int64_t seed_count = (int64_t)grid->nx * grid->ny * grid->nz;
    bool complete = true;
    tracer.visited = brume_alloc((size_t)seed_count, sizeof *tracer.visited);
    if (tracer.visited == NULL) {
        complete = false;
        goto cleanup;
    }
    const int64_t stride = scattered_stride(seed_count);
    for (int64_t n = 0, index = 0; n < seed_count && complete; n++, index = (index + stride) % seed_count) {
        const int i = (int)(index % grid->nx);
        const int j = (int)(index / grid->nx % grid->ny);
        const int k = (int)(index / grid->nx / grid->ny);
        complete = add_line(&tracer, brume_sample_grid_point(grid, i, j, k));
    }
cleanup:
    brume_free(tracer.visited);
    if (!complete) {
        geometry->line_vertices = before;
        return brume_out_of_memory(error, "streamlines");
    }
    return BRUME_OK;
}
