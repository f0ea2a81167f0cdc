// Evenly spaced streamlines (Jobard and Lefer, "Creating Evenly-Spaced Streamlines of Arbitrary Density", 1997): a line
// starts where no earlier line is closer than the separating distance, and ends where one is closer than a part of it,
// or where it returns to itself. Seeds are the points of a sample grid, the fastest first, so that jets and rising
// smoke have whole lines, and almost still air has none. Short lines are not drawn.
//
// A line is integrated over arc length with the Runge-Kutta method of fourth order. A step is halved until the velocity
// turns little along it, so that eddies of few cells are round: their local error is of fifth order in the angle of a
// step. Where that needs steps of a small part of a cell, the velocity turns within a cell, which the grid does not
// resolve, and the line ends.
#include "core/error.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "viewer/views/line_points.h"
#include "viewer/views/overlay_geometry.h"
#include "viewer/views/velocity_sampling.h"

#include <assert.h>
#include <stdlib.h>

static const float MAX_STEP = 0.5f;        // [cells]
static const float MIN_STEP = 0.125f;      // [cells]
static const float COS_MAX_TURN = 0.951f;  // cosine of the largest angle between the velocities of a step, 18 degrees
static const float COS_HALF_TURN = 0.988f; // cosine of half this angle: the next step may be twice as long
static const float MIN_SPEED = 0.04f;      // as a fraction of the scale's end
static const float MIN_SEED_SPEED = 0.15f; // as a fraction of the scale's end
static const float FULL_SPEED = 0.16f;     // speed from which on a line is opaque, as a fraction of the scale's end
static const float MAX_LENGTH = 1.5f;      // of a line in each direction, in longest sides of the box
static const float MIN_LENGTH = 0.2f;      // of a line, in longest sides of the box
static const float END_DISTANCE = 0.5f;    // distance to another line at which a line ends, in separating distances
static const float OWN_LENGTH = 3.0f;      // length within which a line is not compared with itself, in the same unit

typedef struct Seed {
    BrumeVec3 point; // [m]
    float speed;     // [m/s]
    int index;
} Seed;

// The end of a line so far.
typedef struct LineEnd {
    BrumeVec3 point, direction;
    float speed;
    float along; // length of the line from its seed, below 0 against the velocity [m]
} LineEnd;

typedef struct Tracer {
    const BrumeSnapshotVariant *variant;
    const BrumeColorScale *speed;
    float separation;      // separating distance [m]
    float longest;         // longest side of the box [m]
    int stride;            // distances are tested at every `stride`-th end, at most an eighth of the separation apart
    BrumeLinePoints lines; // points of complete lines
    LineEnd *ends;         // ends of the present line, from its seed on, in one direction after the other
    int capacity;
    uint8_t colors[BRUME_COLOR_TABLE_SIZE][3];
} Tracer;

// computes direction and magnitude of the velocity; false where it is too slow
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

// Makes one RK4 step of arc length [m]. Returns false and does not move the end where the step leaves the air, is too
// slow, or turns too much. `cosine`: of the largest turn.
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
    *end = (LineEnd){next, e, speed, end->along + length};
    return true;
}

static BrumeOverlayVertex vertex_at(const Tracer *tracer, const LineEnd *end, BrumeVec3 along)
{
    const float position = brume_color_scale_position(tracer->speed, end->speed);
    const uint8_t *color = tracer->colors[(int)(position * (BRUME_COLOR_TABLE_SIZE - 1) + 0.5f)];
    const float opacity = fminf(fmaxf((position - MIN_SPEED) / (FULL_SPEED - MIN_SPEED), 0.0f), 1.0f);
    const uint8_t alpha = (uint8_t)(40.0f + 215.0f * opacity + 0.5f); // lines fade into air at rest
    return (BrumeOverlayVertex){end->point, along, {color[0], color[1], color[2], alpha}};
}

// whether the latest of `count` ends is close to another line, or to an earlier part of its own line
static bool is_crowded(const Tracer *tracer, int count)
{
    const LineEnd *end = &tracer->ends[count - 1];
    const float distance = END_DISTANCE * tracer->separation;
    if (brume_line_points_are_near(&tracer->lines, end->point, distance)) {
        return true;
    }
    for (int n = 0; n < count - 1; n += tracer->stride) {
        const BrumeVec3 by = brume_sub(tracer->ends[n].point, end->point);
        if (fabsf(tracer->ends[n].along - end->along) > OWN_LENGTH * distance &&
            brume_dot(by, by) < distance * distance) {
            return true;
        }
    }
    return false;
}

// Traces along the velocity (`sign` 1) or against it (`sign` -1), from the latest of `count` ends on; returns the
// number of ends then.
static int trace(Tracer *tracer, int count, float sign)
{
    const float dx = tracer->variant->settings.dx;
    LineEnd *ends = tracer->ends;
    float step = MAX_STEP; // [cells]
    while (count < tracer->capacity && fabsf(ends[count - 1].along) < MAX_LENGTH * tracer->longest) {
        LineEnd end = ends[count - 1];
        float cosine;
        while (!try_step(tracer, &end, sign * step * dx, &cosine)) {
            step *= 0.5f;
            if (step < MIN_STEP) {
                return count;
            }
        }
        ends[count++] = end;
        if (count % tracer->stride == 0 && is_crowded(tracer, count)) {
            return count;
        }
        step = cosine > COS_HALF_TURN ? fminf(2.0f * step, MAX_STEP) : step;
    }
    return count;
}

// appends the pieces from end to end, each in the direction of the velocity
static bool add_pieces(Tracer *tracer, int first, int count, float sign, BrumeOverlayGeometry *geometry)
{
    const LineEnd *ends = tracer->ends + first;
    BrumeOverlayVertex *lines = brume_overlay_geometry_add_lines(geometry, 2 * (count - 1));
    if (lines == NULL) {
        return false;
    }
    for (int n = 0; n < count - 1; n++) {
        const int from = sign > 0.0f ? n : count - 1 - n;
        const int to = sign > 0.0f ? n + 1 : count - 2 - n;
        const BrumeVec3 along = brume_normalize(brume_sub(ends[to].point, ends[from].point));
        lines[2 * n] = vertex_at(tracer, &ends[from], along);
        lines[2 * n + 1] = vertex_at(tracer, &ends[to], along);
    }
    return true;
}

// adds the line through a seed, where it has room and is long enough; false without memory
static bool add_line(Tracer *tracer, const Seed *seed, BrumeOverlayGeometry *geometry)
{
    LineEnd start = {.point = seed->point};
    if (brume_line_points_are_near(&tracer->lines, seed->point, tracer->separation) ||
        !direction_at(tracer, seed->point, &start.direction, &start.speed)) {
        return true;
    }
    LineEnd *ends = tracer->ends;
    ends[0] = start;
    const int upstream = trace(tracer, 1, -1.0f);
    ends[upstream] = start;
    const int all = trace(tracer, upstream + 1, 1.0f);
    if (ends[all - 1].along - ends[upstream - 1].along < MIN_LENGTH * tracer->longest) {
        return true;
    }
    bool complete = add_pieces(tracer, 0, upstream, -1.0f, geometry) &&
                    add_pieces(tracer, upstream, all - upstream, 1.0f, geometry);
    for (int n = 0; n < all && complete; n += tracer->stride) {
        complete = brume_line_points_add(&tracer->lines, ends[n].point);
    }
    return complete;
}

static int compare_seeds(const void *a, const void *b)
{
    const Seed *one = a;
    const Seed *other = b;
    return one->speed > other->speed ? -1 : one->speed < other->speed ? 1 : one->index - other->index;
}

// finds the points of a sample grid where the air moves, the fastest first; returns their number
static int find_seeds(const Tracer *tracer, const BrumeSampleGrid *grid, Seed *seeds)
{
    int count = 0;
    for (int n = 0; n < grid->nx * grid->ny * grid->nz; n++) {
        const BrumeVec3 point =
            brume_sample_grid_point(grid, n % grid->nx, n / grid->nx % grid->ny, n / grid->nx / grid->ny);
        const float speed = brume_length(brume_velocity_at(tracer->variant, point));
        if (speed >= MIN_SEED_SPEED * tracer->speed->upper && speed < INFINITY &&
            brume_point_is_in_air(tracer->variant, point)) {
            seeds[count] = (Seed){point, speed, count};
            count++;
        }
    }
    qsort(seeds, (size_t)count, sizeof *seeds, compare_seeds);
    return count;
}

BrumeStatus brume_build_streamlines(BrumeOverlayGeometry *geometry, const BrumeSnapshotVariant *variant,
                                    const BrumeColorScale *speed, int count, BrumeError *error)
{
    assert(count >= 1);
    const BrumeSimDef *def = &variant->settings;
    const BrumeGrid fields = variant->fields[BRUME_FIELD_U].grid;
    const int across = fields.nx > fields.nz ? fields.nx : fields.nz;
    const int cells = fields.ny > across ? fields.ny : across;
    const BrumeSampleGrid grid = brume_sample_grid(variant, 2 * count);
    Tracer tracer = {
        .variant = variant,
        .speed = speed,
        .longest = (float)cells * def->dx,
        .separation = (float)cells * def->dx / (float)count,
        .capacity = 2 * (int)(MAX_LENGTH * (float)cells / MIN_STEP) + 4,
    };
    const int stride = (int)(0.25f * END_DISTANCE * tracer.separation / (MAX_STEP * def->dx));
    tracer.stride = stride > 1 ? stride : 1;
    brume_color_scale_table(speed->is_signed, tracer.colors);
    const int before = geometry->line_vertices;
    const BrumeVec3 upper = brume_add(
        variant->origin, brume_scale(brume_vec3((float)fields.nx, (float)fields.ny, (float)fields.nz), def->dx));
    Seed *seeds = brume_alloc_untouched((size_t)grid.nx * (size_t)grid.ny * (size_t)grid.nz, sizeof *seeds);
    tracer.ends = brume_alloc_untouched((size_t)tracer.capacity, sizeof *tracer.ends);
    bool complete =
        seeds != NULL && tracer.ends != NULL &&
        brume_line_points_create(&tracer.lines, variant->origin, upper, tracer.separation, error) == BRUME_OK;
    const int seed_count = complete ? find_seeds(&tracer, &grid, seeds) : 0;
    for (int n = 0; n < seed_count && complete; n++) {
        complete = add_line(&tracer, &seeds[n], geometry);
    }
    brume_line_points_free(&tracer.lines);
    brume_free(tracer.ends);
    brume_free(seeds);
    if (!complete) {
        geometry->line_vertices = before;
        return brume_out_of_memory(error, "streamlines");
    }
    return BRUME_OK;
}
