// Streamlines, integrated over arc length with the Runge-Kutta method of fourth order. Seeds are the points of a sample
// grid that no earlier line has come close to, so that the lines are spaced about evenly (simplified from Jobard and
// Lefer, "Creating Evenly-Spaced Streamlines of Arbitrary Density", 1997). Seeds are tried in a scattered order.
#include "core/error.h"
#include "core/memory.h"
#include "core/vec3.h"
#include "viewer/views/overlay_geometry.h"
#include "viewer/views/velocity_sampling.h"

#include <assert.h>

static const float STEP = 1.0f;            // [cells]
static const float MIN_SPEED = 0.01f;      // as a fraction of the scale's end
static const float MIN_SEED_SPEED = 0.03f; // as a fraction of the scale's end
static const float MAX_LENGTH = 1.5f;      // of a line in each direction, in longest sides of the box

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

// one RK4 step of arc length; false where the line ends
static bool advance(const Tracer *tracer, BrumeVec3 *point, float length, float *speed)
{
    BrumeVec3 a, b, c, d;
    const BrumeVec3 p = *point;
    if (!direction_at(tracer, p, &a, speed) ||
        !direction_at(tracer, brume_add(p, brume_scale(a, 0.5f * length)), &b, speed) ||
        !direction_at(tracer, brume_add(p, brume_scale(b, 0.5f * length)), &c, speed) ||
        !direction_at(tracer, brume_add(p, brume_scale(c, length)), &d, speed)) {
        return false;
    }
    const BrumeVec3 sum = brume_add(brume_add(a, d), brume_scale(brume_add(b, c), 2.0f));
    const BrumeVec3 next = brume_add(p, brume_scale(sum, length / 6.0f));
    if (!brume_point_is_in_air(tracer->variant, next)) {
        return false;
    }
    *point = next;
    return direction_at(tracer, next, &a, speed);
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

// traces along the velocity (`length` > 0) or against it (`length` < 0) in steps of |length| [m]; false without memory
static bool trace_line(Tracer *tracer, BrumeVec3 point, float length)
{
    const BrumeSimDef *def = &tracer->variant->settings;
    const int larger = def->nx > def->ny ? def->nx : def->ny;
    const int max_steps = (int)(MAX_LENGTH / STEP * (float)(larger > def->nz ? larger : def->nz));
    BrumeVec3 direction;
    float speed;
    if (!direction_at(tracer, point, &direction, &speed)) {
        return true;
    }
    for (int n = 0; n < max_steps; n++) {
        const BrumeVec3 from = point;
        const float speed_from = speed;
        if (!advance(tracer, &point, length, &speed)) {
            return true;
        }
        *visited_at(tracer, point) = true;
        BrumeOverlayVertex *line = brume_overlay_geometry_add_lines(tracer->geometry, 2);
        if (line == NULL) {
            return false;
        }
        const BrumeVec3 along = brume_normalize(brume_scale(brume_sub(point, from), length));
        line[0] = vertex_at(tracer, from, along, speed_from);
        line[1] = vertex_at(tracer, point, along, speed);
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
    const float step = STEP * tracer->variant->settings.dx;
    return trace_line(tracer, seed, step) && trace_line(tracer, seed, -step);
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
