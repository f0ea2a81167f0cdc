/*
 * A value at the fraction s of the time T between the frames a and b is
 *
 *     q(x) = (1 - s) a(x - path of the time s T) + s b(x + path of the time (1 - s) T)
 *
 * along the mean of the velocities of both, by the midpoint rule: a is carried forward and b backward to the same time,
 * and what only one of them has fades. At s = 0 and 1 it is a and b, bit for bit. The sum of smoke that this does not
 * keep is corrected by a factor, by which it becomes (1 - s) times that of a and s times that of b.
 */
#include "refine/in_between.h"

#include "core/memory.h"
#include "refine/limited_cubic.h"
#include "refine/particles_between.h"
#include "refine/vector_grid.h"

#include <string.h>

/** What all grids share. */
typedef struct Blend {
    BrumeGrid cells;
    float fraction;                   // s
    BrumeVectorGrid to_a, to_b;       // displacements [cells]
    float *component_a, *component_b; // scratch (nz x ny x nx), of one component
    double *sums;                     // of the planes: of a, b and the result
} Blend;

static size_t plane_cells(const Blend *blend) { return (size_t)blend->cells.nx * (size_t)blend->cells.ny; }

static double sum_of_plane(const float *values, size_t count)
{
    double sum = 0.0;
    for (size_t n = 0; n < count; n++) {
        sum += (double)values[n];
    }
    return sum;
}

// sets plane k of one component of the result
static void blend_plane(const Blend *blend, float *result, ptrdiff_t stride, int k)
{
    const BrumeGrid cells = blend->cells;
    const float s = blend->fraction;
    for (int j = 0; j < cells.ny; j++) {
        for (int i = 0; i < cells.nx; i++) {
            const BrumeFloat4 center = {(float)i + 0.5f, (float)j + 0.5f, (float)k + 0.5f, 0.0f};
            const BrumeFloat4 to_a = brume_load4(brume_vector_entry(&blend->to_a, i + 1, j + 1, k + 1));
            const BrumeFloat4 to_b = brume_load4(brume_vector_entry(&blend->to_b, i + 1, j + 1, k + 1));
            const BrumeCubicStencil in_a = brume_cubic_stencil(cells, center + to_a);
            const BrumeCubicStencil in_b = brume_cubic_stencil(cells, center + to_b);
            const size_t n = (size_t)k * plane_cells(blend) + (size_t)j * (size_t)cells.nx + (size_t)i;
            result[(ptrdiff_t)n * stride] = (1.0f - s) * brume_limited_cubic(blend->component_a, &in_a) +
                                            s * brume_limited_cubic(blend->component_b, &in_b);
        }
    }
}

// multiplies a kind of smoke by the factor that gives it the interpolated sum
static void correct_sum(const Blend *blend, float *result)
{
    const size_t count = plane_cells(blend);
#pragma omp parallel for schedule(static)
    for (int k = 0; k < blend->cells.nz; k++) {
        blend->sums[3 * k] = sum_of_plane(blend->component_a + (size_t)k * count, count);
        blend->sums[3 * k + 1] = sum_of_plane(blend->component_b + (size_t)k * count, count);
        blend->sums[3 * k + 2] = sum_of_plane(result + (size_t)k * count, count);
    }
    double wanted = 0.0;
    double sum = 0.0;
    for (int k = 0; k < blend->cells.nz; k++) {
        wanted +=
            (1.0 - (double)blend->fraction) * blend->sums[3 * k] + (double)blend->fraction * blend->sums[3 * k + 1];
        sum += blend->sums[3 * k + 2];
    }
    const float ratio = wanted > 0.0 && sum > 0.0 ? (float)(wanted / sum) : 1.0f;
#pragma omp parallel for schedule(static)
    for (size_t n = 0; n < brume_grid_cells(blend->cells); n++) {
        result[n] *= ratio;
    }
}

static void load_component(float *component, const float *values, int components, size_t count)
{
#pragma omp parallel for schedule(static)
    for (size_t n = 0; n < count; n++) {
        component[n] = values[n * (size_t)components];
    }
}

static bool is_smoke(const BrumeFrameGrid *grid)
{
    return strcmp(grid->name, BRUME_GRID_DENSITY) == 0 ||
           strncmp(grid->name, BRUME_GRID_COLOR, sizeof BRUME_GRID_COLOR - 1) == 0;
}

static void blend_grid(const Blend *blend, const BrumeFrameGrid *a, const BrumeFrameGrid *b, BrumeFrameGrid *result)
{
    const size_t count = brume_grid_cells(blend->cells);
    for (int n = 0; n < a->components; n++) {
        load_component(blend->component_a, a->values + n, a->components, count);
        load_component(blend->component_b, b->values + n, a->components, count);
#pragma omp parallel for schedule(static)
        for (int k = 0; k < blend->cells.nz; k++) {
            blend_plane(blend, result->values + n, a->components, k);
        }
    }
    if (a->components == 1 && is_smoke(a)) {
        correct_sum(blend, result->values);
    }
}

// traces the paths from a time between two frames
static BrumeStatus trace(Blend *blend, const BrumeFrameGrids *a, const BrumeFrameGrids *b, double fraction,
                         double interval, BrumeError *error)
{
    BrumeVectorGrid velocity_a = {.values = NULL};
    BrumeVectorGrid velocity_b = {.values = NULL};
    BrumeStatus status = brume_vector_grid_create(&velocity_a, blend->cells, error);
    status = status == BRUME_OK ? brume_vector_grid_create(&velocity_b, blend->cells, error) : status;
    if (status == BRUME_OK && !(brume_load_velocity(&velocity_a, a) && brume_load_velocity(&velocity_b, b))) {
        status =
            brume_fail(error, BRUME_BAD_INPUT,
                       "it has no grid '" BRUME_GRID_VELOCITY "' (write it with --fields smoke,temperature,velocity)");
    }
    if (status == BRUME_OK) {
        brume_vector_grid_mean(&velocity_a, &velocity_a, &velocity_b);
        brume_trace_back(&blend->to_a, &velocity_a, fraction * interval, a->dx);
        brume_trace_back(&blend->to_b, &velocity_a, (fraction - 1.0) * interval, a->dx);
    }
    brume_vector_grid_destroy(&velocity_a);
    brume_vector_grid_destroy(&velocity_b);
    return status;
}

static bool is_in_between(const BrumeFrameGrid *grid)
{
    return grid->location == BRUME_AT_CENTERS &&
           strncmp(grid->name, BRUME_GRID_TEXTURE, sizeof BRUME_GRID_TEXTURE - 1) != 0;
}

// adds the velocity at the centers of the frame `a`, which has it on the faces
static BrumeStatus add_velocity(BrumeFrameGrids *frame, const BrumeFrameGrids *a, BrumeError *error)
{
    BrumeVectorGrid velocity = {.values = NULL};
    BrumeFrameGrid *grid;
    BrumeStatus status = brume_vector_grid_create(&velocity, a->cells, error);
    if (status == BRUME_OK && brume_load_velocity(&velocity, a)) {
        status = brume_frame_grids_add(frame, BRUME_GRID_VELOCITY, "m/s", 3, BRUME_AT_CENTERS, &grid, error);
        for (int row = 0; row < a->cells.ny * a->cells.nz && status == BRUME_OK; row++) {
            const float *from = brume_vector_entry(&velocity, 1, row % a->cells.ny + 1, row / a->cells.ny + 1);
            for (int i = 0; i < a->cells.nx; i++) {
                memcpy(grid->values + 3 * ((size_t)row * (size_t)a->cells.nx + (size_t)i), from + 4 * (ptrdiff_t)i,
                       3 * sizeof(float));
            }
        }
    }
    brume_vector_grid_destroy(&velocity);
    return status;
}

static BrumeStatus create_blend(Blend *blend, const BrumeFrameGrids *a, BrumeError *error)
{
    const size_t count = brume_grid_cells(a->cells);
    blend->cells = a->cells;
    if (brume_vector_grid_create(&blend->to_a, a->cells, error) != BRUME_OK ||
        brume_vector_grid_create(&blend->to_b, a->cells, error) != BRUME_OK) {
        return error->status;
    }
    blend->component_a = brume_alloc(count, sizeof(float));
    blend->component_b = brume_alloc(count, sizeof(float));
    blend->sums = brume_alloc((size_t)a->cells.nz, 3 * sizeof(double));
    return blend->component_a && blend->component_b && blend->sums ? BRUME_OK : brume_out_of_memory(error, "a frame");
}

static void destroy_blend(Blend *blend)
{
    brume_vector_grid_destroy(&blend->to_a);
    brume_vector_grid_destroy(&blend->to_b);
    brume_free(blend->component_a);
    brume_free(blend->component_b);
    brume_free(blend->sums);
}

BrumeStatus brume_in_between(BrumeFrameGrids *frame, const BrumeFrameGrids *a, const BrumeFrameGrids *b,
                             double fraction, double interval, BrumeError *error)
{
    Blend blend = {.fraction = (float)fraction};
    BrumeStatus status = BRUME_OK;
    frame->cells = a->cells;
    frame->dx = a->dx;
    memcpy(frame->origin, a->origin, sizeof frame->origin);
    if (fraction > 0.0 && (a->count > 0 || !a->has_particles)) {
        if (!brume_same_grid(a->cells, b->cells)) {
            return brume_fail(error, BRUME_BAD_INPUT, "it has other cells than the frame before");
        }
        status = create_blend(&blend, a, error);
        status = status == BRUME_OK ? trace(&blend, a, b, fraction, interval, error) : status;
    }
    for (int n = 0; n < a->count && status == BRUME_OK; n++) {
        const BrumeFrameGrid *of_a = &a->grids[n];
        const BrumeFrameGrid *of_b = fraction > 0.0 ? brume_frame_grids_find(b, of_a->name) : of_a;
        BrumeFrameGrid *result;
        if (!is_in_between(of_a) || !of_b || of_b->components != of_a->components) {
            continue;
        }
        status =
            brume_frame_grids_add(frame, of_a->name, of_a->unit, of_a->components, BRUME_AT_CENTERS, &result, error);
        if (status == BRUME_OK && fraction > 0.0) {
            blend_grid(&blend, of_a, of_b, result);
        } else if (status == BRUME_OK) {
            result->filled = of_a->filled;
            memcpy(result->values, of_a->values, brume_frame_grid_values(a->cells, of_a) * sizeof(float));
        }
    }
    if (status == BRUME_OK && !brume_frame_grids_find(frame, BRUME_GRID_VELOCITY)) {
        status = fraction > 0.0 ? BRUME_OK : add_velocity(frame, a, error);
    }
    if (status == BRUME_OK && a->has_particles && fraction == 0.0) {
        status = brume_frame_grids_copy_particles(frame, a, error);
    } else if (status == BRUME_OK && a->has_particles && b->has_particles) {
        status = brume_particles_in_between(frame, a, b, fraction, interval, error);
    }
    destroy_blend(&blend);
    return status;
}
