#include "raymarch/streamlines.h"

#include "core/memory.h"
#include "core/minmax.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"
#include "raymarch/intersect.h"
#include "raymarch/volume_samples.h"

#include <assert.h>
#include <math.h>
#include <string.h>

enum {
    MOST_STEPS = 20000, // of a line in one direction
    SPACING = 8,        // most steps between two points that are kept
};

static const float STEP = 0.5f;        // [cells]
static const float STILL = 1e-3f;      // speed at which a line ends, of the largest at the points of the rake
static const float COS_TURN = 0.9962f; // cosine of the angle between points that are kept, 5 degrees

typedef struct RakeTracer {
    const BrumeVolume *volume;
    const BrumeRenderSettings *settings;
    BrumeVec3 lower, upper;                  // corners of the box [m]
    float step;                              // [m]
    float slowest;                           // [m/s]
    BrumeVec3 solids[BRUME_MAX_SURFACES][2]; // lower and upper corners of boxes around the solids [m]
} RakeTracer;

float brume_volume_longest_side(const BrumeVolume *volume)
{
    return volume->dx * (float)brume_max_int(volume->nx, brume_max_int(volume->ny, volume->nz));
}

static RakeTracer make_tracer(const BrumeRenderSettings *settings, const BrumeVolume *volume)
{
    const BrumeVec3 cells = {(float)volume->nx, (float)volume->ny, (float)volume->nz};
    RakeTracer tracer = {
        .volume = volume,
        .settings = settings,
        .lower = volume->origin,
        .upper = brume_add(volume->origin, brume_scale(cells, volume->dx)),
        .step = STEP * volume->dx,
    };
    for (int n = 0; n < settings->surface_count; n++) {
        brume_shape_bounds(&settings->surfaces[n].shape, &tracer.solids[n][0], &tracer.solids[n][1]);
    }
    return tracer;
}

static bool is_between(BrumeVec3 point, BrumeVec3 lower, BrumeVec3 upper)
{
    return point.x >= lower.x && point.x <= upper.x && point.y >= lower.y && point.y <= upper.y && point.z >= lower.z &&
           point.z <= upper.z;
}

static bool is_in_air(const RakeTracer *tracer, BrumeVec3 point)
{
    bool in_air = is_between(point, tracer->lower, tracer->upper);
    for (int n = 0; n < tracer->settings->surface_count && in_air; n++) {
        in_air = !is_between(point, tracer->solids[n][0], tracer->solids[n][1]) ||
                 !(brume_shape_distance_within(&tracer->settings->surfaces[n].shape, point, 0.0f) < 0.0f);
    }
    return in_air;
}

// the direction of the velocity times `sign`; false in still air
static bool direction_at(const RakeTracer *tracer, BrumeVec3 point, float sign, BrumeVec3 *direction)
{
    const BrumeVec3 velocity = brume_volume_velocity(tracer->volume, point);
    const float speed = brume_length(velocity);
    if (!(speed > tracer->slowest && speed < INFINITY)) {
        return false;
    }
    *direction = brume_scale(velocity, sign / speed);
    return true;
}

// the end of a Runge-Kutta step of arc length; false in still air
static bool step_from(const RakeTracer *tracer, BrumeVec3 p, float sign, BrumeVec3 *next)
{
    const float h = tracer->step;
    BrumeVec3 a, b, c, d;
    if (!direction_at(tracer, p, sign, &a) || !direction_at(tracer, brume_add(p, brume_scale(a, 0.5f * h)), sign, &b) ||
        !direction_at(tracer, brume_add(p, brume_scale(b, 0.5f * h)), sign, &c) ||
        !direction_at(tracer, brume_add(p, brume_scale(c, h)), sign, &d)) {
        return false;
    }
    const BrumeVec3 sum = brume_add(brume_add(a, d), brume_scale(brume_add(b, c), 2.0f));
    *next = brume_add(p, brume_scale(sum, h / 6.0f));
    return true;
}

// the part of the way from `p` to `next`, up to 1, after which it leaves the box or enters a solid
static float free_share(const RakeTracer *tracer, BrumeVec3 p, BrumeVec3 next)
{
    const BrumeVec3 step = brume_sub(next, p);
    const float length = brume_length(step);
    const BrumeRay way = {p, brume_scale(step, 1.0f / length)};
    float free = brume_min(brume_ray_box(&way, tracer->lower, tracer->upper).leave, length);
    const BrumeVec3 lower = {brume_min(p.x, next.x), brume_min(p.y, next.y), brume_min(p.z, next.z)};
    const BrumeVec3 upper = {brume_max(p.x, next.x), brume_max(p.y, next.y), brume_max(p.z, next.z)};
    for (int n = 0; n < tracer->settings->surface_count; n++) {
        const BrumeVec3 *box = tracer->solids[n];
        if (lower.x <= box[1].x && lower.y <= box[1].y && lower.z <= box[1].z && upper.x >= box[0].x &&
            upper.y >= box[0].y && upper.z >= box[0].z) {
            const BrumeRayInterval inside = brume_ray_shape(&way, &tracer->settings->surfaces[n].shape, 0.0f);
            free = inside.enter < inside.leave && inside.leave > 0.0f ? brume_min(free, inside.enter) : free;
        }
    }
    return brume_max(free / length, 0.0f);
}

// traces in one direction from the first of `points` on; returns their number
static int trace(const RakeTracer *tracer, float sign, int most, BrumeVec3 *points)
{
    int count = 1;
    float share = 1.0f;
    BrumeVec3 next;
    while (count <= most && share == 1.0f && step_from(tracer, points[count - 1], sign, &next)) {
        const BrumeVec3 from = points[count - 1];
        share = free_share(tracer, from, next);
        if (share > 0.0f) {
            points[count++] = share < 1.0f ? brume_add(from, brume_scale(brume_sub(next, from), share)) : next;
        }
    }
    return count;
}

// removes points that a straight tube does not need; returns the number of the others
static int remove_straight(BrumeVec3 *points, int count)
{
    int kept = 1; // of the points before `n`, the last one at `from`
    int from = 0;
    for (int n = 1; n < count - 1; n++) {
        const BrumeVec3 before = brume_normalize(brume_sub(points[from + 1], points[from]));
        const BrumeVec3 after = brume_normalize(brume_sub(points[n + 1], points[n]));
        if (n - from >= SPACING || brume_dot(before, after) < COS_TURN) {
            from = n;
            points[kept++] = points[n];
        }
    }
    points[kept++] = points[count - 1];
    return kept;
}

// traces the line through a point; false without memory
static bool trace_line(const RakeTracer *tracer, BrumeVec3 seed, int most, bool spaced, BrumeStreamline *line)
{
    BrumeVec3 *points = brume_alloc_untouched(2 * (size_t)most + 2, sizeof *points);
    if (points == NULL) {
        return false;
    }
    points[0] = seed;
    const int upstream = trace(tracer, -1.0f, most, points);
    for (int n = 0; n < upstream / 2; n++) {
        const BrumeVec3 point = points[n];
        points[n] = points[upstream - 1 - n];
        points[upstream - 1 - n] = point;
    }
    const int count = upstream - 1 + trace(tracer, 1.0f, most, points + upstream - 1);
    line->count = count < 2 ? 0 : spaced ? count : remove_straight(points, count);
    line->points = line->count > 0 ? brume_alloc_untouched((size_t)line->count, sizeof *points) : NULL;
    if (line->points != NULL) {
        memcpy(line->points, points, (size_t)line->count * sizeof *points);
    }
    brume_free(points);
    return line->count == 0 || line->points != NULL;
}

static BrumeVec3 rake_point(const BrumeRake *rake, int n)
{
    const float share = rake->count > 1 ? (float)n / (float)(rake->count - 1) : 0.5f;
    return brume_add(brume_scale(rake->from, 1.0f - share), brume_scale(rake->to, share));
}

BrumeStatus brume_trace_streamlines(BrumeStreamline *lines, const BrumeRake *rake, const BrumeRenderSettings *settings,
                                    const BrumeVolume *volume, bool spaced, BrumeError *error)
{
    assert(volume->velocity[0] != NULL);
    RakeTracer tracer = make_tracer(settings, volume);
    const float length = rake->length > 0.0f ? rake->length : 2.0f * brume_volume_longest_side(volume);
    const int most = (int)brume_clamp(ceilf(length / tracer.step), 1.0f, (float)MOST_STEPS);
    float fastest = 0.0f;
    for (int n = 0; n < rake->count; n++) {
        const float speed = brume_length(brume_volume_velocity(volume, rake_point(rake, n)));
        fastest = speed < INFINITY ? brume_max(fastest, speed) : fastest;
        lines[n] = (BrumeStreamline){0};
    }
    tracer.slowest = STILL * fastest;
    bool complete = true;
#pragma omp parallel for schedule(dynamic) reduction(&& : complete)
    for (int n = 0; n < rake->count; n++) {
        const BrumeVec3 seed = rake_point(rake, n);
        complete = (!is_in_air(&tracer, seed) || trace_line(&tracer, seed, most, spaced, &lines[n])) && complete;
    }
    if (!complete) {
        brume_streamlines_free(lines, rake->count);
        return brume_out_of_memory(error, "streamlines");
    }
    return BRUME_OK;
}

void brume_streamlines_free(BrumeStreamline *lines, int count)
{
    for (int n = 0; n < count; n++) {
        brume_free(lines[n].points);
        lines[n] = (BrumeStreamline){0};
    }
}
