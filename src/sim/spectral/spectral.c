/*
 * A solve goes over the field three times: lines along z, then whole planes (rows along x forward, systems along y,
 * rows back) while they are in the cache, then lines along z back.
 */
#include "sim/spectral/spectral.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/simd.h"
#include "core/threads.h"
#include "sim/spectral/block.h"
#include "sim/spectral/lines.h"
#include "sim/spectral/tridiagonal.h"

#include <math.h>
#include <omp.h>

struct BrumeSpectral {
    BrumeGrid grid;
    BrumeEnds ends[3];
    BrumeAxis x, z;
    BrumeAxis y;       ///< between periodic sides only; otherwise systems along y are tridiagonal
    float *factors[3]; ///< for diffusion: what a mode is multiplied with, along x, y and z
    int team;          ///< most threads that have work space
    size_t work_floats;
    float *work; ///< (team x work_floats)
};

// a thread's work space: two blocks, and what the tridiagonal solves need
typedef struct Work {
    float *block, *other, *lines;
} Work;

static int longest(BrumeGrid grid)
{
    const int across = grid.nx > grid.nz ? grid.nx : grid.nz;
    return across > grid.ny ? across : grid.ny;
}

static Work work_of(const BrumeSpectral *spectral, int thread)
{
    float *start = spectral->work + spectral->work_floats * (size_t)thread;
    const size_t block = (size_t)BRUME_BLOCK * (size_t)longest(spectral->grid);
    return (Work){start, start + block, start + 2 * block};
}

static int team_of(const BrumeSpectral *spectral)
{
    const int threads = brume_get_threads();
    return threads < spectral->team ? threads : spectral->team;
}

static bool periodic_y(const BrumeSpectral *spectral) { return spectral->ends[1] == BRUME_ENDS_PERIODIC; }

BrumeStatus brume_spectral_create(BrumeSpectral **spectral, BrumeGrid grid, const BrumeEnds ends[3], BrumeError *error)
{
    *spectral = NULL;
    BrumeSpectral *made = brume_alloc(1, sizeof *made);
    if (!made) {
        return brume_out_of_grid_memory(error, "the pressure solver");
    }
    const int cores = brume_physical_cores();
    const int threads = brume_get_threads();
    made->grid = grid;
    memcpy(made->ends, ends, sizeof made->ends);
    made->team = threads > cores ? threads : cores;
    made->work_floats =
        (size_t)2 * BRUME_BLOCK * (size_t)longest(grid) + (size_t)BRUME_TRIDIAGONAL_LINES * ((size_t)grid.ny + 1);
    made->work = brume_alloc_untouched((size_t)made->team * made->work_floats, sizeof *made->work);
    BrumeStatus status = BRUME_OK;
    bool enough = made->work != NULL;
    for (int axis = 0; axis < 3; axis++) {
        made->factors[axis] = brume_alloc((size_t)brume_cells_along(grid, axis), sizeof **made->factors);
        enough = enough && made->factors[axis];
    }
    if (!enough) {
        status = brume_out_of_grid_memory(error, "the pressure solver");
    }
    if (status == BRUME_OK) {
        status = brume_axis_create(&made->x, ends[0], grid.nx, error);
    }
    if (status == BRUME_OK && periodic_y(made)) {
        status = brume_axis_create(&made->y, ends[1], grid.ny, error);
    }
    if (status == BRUME_OK) {
        status = brume_axis_create(&made->z, ends[2], grid.nz, error);
    }
    if (status != BRUME_OK) {
        brume_spectral_destroy(made);
        return status;
    }
    *spectral = made;
    return BRUME_OK;
}

void brume_spectral_destroy(BrumeSpectral *spectral)
{
    if (!spectral) {
        return;
    }
    brume_axis_destroy(&spectral->x);
    brume_axis_destroy(&spectral->y);
    brume_axis_destroy(&spectral->z);
    for (int axis = 0; axis < 3; axis++) {
        brume_free(spectral->factors[axis]);
    }
    brume_free(spectral->work);
    brume_free(spectral);
}

size_t brume_spectral_bytes(const BrumeSpectral *spectral)
{
    const BrumeGrid grid = spectral->grid;
    const size_t floats =
        (size_t)spectral->team * spectral->work_floats + (size_t)grid.nx + (size_t)grid.ny + (size_t)grid.nz;
    return sizeof *spectral + floats * sizeof(float) + brume_axis_bytes(&spectral->x) + brume_axis_bytes(&spectral->y) +
           brume_axis_bytes(&spectral->z);
}

// how many of `step` lines from `i` on there are
static int lines_from(int i, int count, int step) { return count - i + 1 < step ? count - i + 1 : step; }

typedef float *Transform(const BrumeAxis *axis, float *x, float *y);

// from -> to along z: coefficient k of a line takes the place of its point k
static void transform_z(const BrumeSpectral *spectral, BrumeField *to, const BrumeField *from, Transform *transform,
                        const int *slots_in, const int *slots_out)
{
    const BrumeGrid grid = to->grid;
#pragma omp parallel for schedule(static) num_threads(team_of(spectral))
    for (int j = 1; j <= grid.ny; j++) {
        const Work work = work_of(spectral, omp_get_thread_num());
        for (int i = 1; i <= grid.nx; i += BRUME_BLOCK) {
            const int width = lines_from(i, grid.nx, BRUME_BLOCK);
            const ptrdiff_t c = brume_field_index(to, i, j, 1);
            brume_columns_in(work.block, slots_in, from->data + c, from->sz, grid.nz, width);
            const float *result = transform(&spectral->z, work.block, work.other);
            brume_columns_out(to->data + c, to->sz, result, slots_out, grid.nz, width);
        }
    }
}

// a plane's rows along x, in place
static void transform_rows(const BrumeSpectral *spectral, Work work, BrumeField *x, int k, Transform *transform,
                           const int *slots_in, const int *slots_out)
{
    const BrumeGrid grid = x->grid;
    for (int j = 1; j <= grid.ny; j += BRUME_BLOCK) {
        const int count = lines_from(j, grid.ny, BRUME_BLOCK);
        float *rows = x->data + brume_field_index(x, 1, j, k);
        brume_rows_in(work.block, slots_in, rows, x->sy, grid.nx, count);
        const float *result = transform(&spectral->x, work.block, work.other);
        brume_rows_out(rows, x->sy, result, slots_out, grid.nx, count);
    }
}

// coefficients of a block divided by their eigenvalues, which are sums of one a lane and one a point
BRUME_KERNEL static void spectral_divide(float *block, const float *lanes, const float *points, float shift,
                                         float scale, int length, int width)
{
    for (int n = 0; n < length; n++) {
        float *point = block + brume_point(n);
        for (int lane = 0; lane < width; lane++) {
            const float eigenvalue = lanes[lane] + (points[n] + shift);
            const float quotient = scale * point[lane] / (eigenvalue > 0.0f ? eigenvalue : 1.0f);
            point[lane] = eigenvalue > 0.0f ? quotient : 0.0f;
        }
    }
}

// the systems along y of plane k, between periodic sides
static void divide_plane(const BrumeSpectral *spectral, Work work, BrumeField *x, int k, float scale)
{
    const BrumeGrid grid = x->grid;
    const BrumeAxis *axis = &spectral->y;
    for (int i = 1; i <= grid.nx; i += BRUME_BLOCK) {
        const int width = lines_from(i, grid.nx, BRUME_BLOCK);
        float *columns = x->data + brume_field_index(x, i, 1, k);
        brume_columns_in(work.block, axis->slots, columns, x->sy, grid.ny, width);
        float *result = brume_axis_forward(axis, work.block, work.other);
        spectral_divide(result, spectral->x.eigenvalues + i - 1, axis->eigenvalues, spectral->z.eigenvalues[k - 1],
                        scale * axis->scale, grid.ny, width);
        result = brume_axis_backward(axis, result, result == work.block ? work.other : work.block);
        brume_columns_out(columns, x->sy, result, axis->back_slots, grid.ny, width);
    }
}

// the same between walls and open sides
static void eliminate_plane(const BrumeSpectral *spectral, Work work, BrumeField *x, int k, float scale)
{
    const BrumeGrid grid = x->grid;
    const BrumeEnds ends = spectral->ends[1];
    const BrumeTridiagonal system = {
        .length = grid.ny,
        .lower = ends == BRUME_ENDS_OPEN || ends == BRUME_ENDS_OPEN_WALL ? 1.0f : 0.0f,
        .upper = ends == BRUME_ENDS_OPEN || ends == BRUME_ENDS_WALL_OPEN ? 1.0f : 0.0f,
        .shift = spectral->z.eigenvalues[k - 1],
        .scale = scale,
    };
    for (int i = 1; i <= grid.nx; i += BRUME_TRIDIAGONAL_LINES) {
        brume_tridiagonal_solve(&system, x->data + brume_field_index(x, i, 1, k), x->sy,
                                spectral->x.eigenvalues + i - 1, lines_from(i, grid.nx, BRUME_TRIDIAGONAL_LINES),
                                work.lines);
    }
}

void brume_spectral_solve(const BrumeSpectral *spectral, BrumeField *x, const BrumeField *b)
{
    const BrumeAxis *along_x = &spectral->x;
    const BrumeAxis *along_z = &spectral->z;
    const float scale = along_x->scale * along_z->scale;
    transform_z(spectral, x, b, brume_axis_forward, along_z->slots, NULL);
#pragma omp parallel for schedule(static) num_threads(team_of(spectral))
    for (int k = 1; k <= x->grid.nz; k++) {
        const Work work = work_of(spectral, omp_get_thread_num());
        transform_rows(spectral, work, x, k, brume_axis_forward, along_x->slots, NULL);
        if (periodic_y(spectral)) {
            divide_plane(spectral, work, x, k, scale);
        } else {
            eliminate_plane(spectral, work, x, k, scale);
        }
        transform_rows(spectral, work, x, k, brume_axis_backward, NULL, along_x->back_slots);
    }
    transform_z(spectral, x, x, brume_axis_backward, NULL, along_z->back_slots);
}

// The decay of diffusion is a product of one factor for each axis, so that axes follow each other.
BRUME_KERNEL static void spectral_multiply(float *block, const float *factors, int length)
{
    for (int n = 0; n < length; n++) {
        for (int lane = 0; lane < BRUME_BLOCK; lane++) {
            block[brume_point(n) + lane] *= factors[n];
        }
    }
}

static float *decay_block(const BrumeAxis *axis, const float *factors, Work work)
{
    float *result = brume_axis_forward(axis, work.block, work.other);
    spectral_multiply(result, factors, axis->length);
    return brume_axis_backward(axis, result, result == work.block ? work.other : work.block);
}

static void decay_columns(const BrumeAxis *axis, const float *factors, Work work, float *x, ptrdiff_t stride, int count)
{
    for (int i = 1; i <= count; i += BRUME_BLOCK) {
        const int width = lines_from(i, count, BRUME_BLOCK);
        brume_columns_in(work.block, axis->slots, x + i, stride, axis->length, width);
        const float *result = decay_block(axis, factors, work);
        brume_columns_out(x + i, stride, result, axis->back_slots, axis->length, width);
    }
}

static void fill_factors(float *factors, const BrumeAxis *axis, float alpha)
{
    for (int n = 0; n < axis->length; n++) {
        factors[n] = (float)((double)axis->scale * exp(-(double)alpha * (double)axis->eigenvalues[n]));
    }
}

void brume_spectral_diffuse(const BrumeSpectral *spectral, BrumeField *x, float alpha)
{
    const BrumeGrid grid = x->grid;
    const BrumeAxis *axes[3] = {&spectral->x, &spectral->y, &spectral->z};
    for (int axis = 0; axis < 3; axis++) {
        fill_factors(spectral->factors[axis], axes[axis], alpha);
    }
#pragma omp parallel for schedule(static) num_threads(team_of(spectral))
    for (int j = 1; j <= grid.ny; j++) {
        const Work work = work_of(spectral, omp_get_thread_num());
        decay_columns(axes[2], spectral->factors[2], work, x->data + brume_field_index(x, 0, j, 1), x->sz, grid.nx);
    }
#pragma omp parallel for schedule(static) num_threads(team_of(spectral))
    for (int k = 1; k <= grid.nz; k++) {
        const Work work = work_of(spectral, omp_get_thread_num());
        decay_columns(axes[1], spectral->factors[1], work, x->data + brume_field_index(x, 0, 1, k), x->sy, grid.nx);
        for (int j = 1; j <= grid.ny; j += BRUME_BLOCK) {
            const int count = lines_from(j, grid.ny, BRUME_BLOCK);
            float *rows = x->data + brume_field_index(x, 1, j, k);
            brume_rows_in(work.block, axes[0]->slots, rows, x->sy, grid.nx, count);
            const float *result = decay_block(axes[0], spectral->factors[0], work);
            brume_rows_out(rows, x->sy, result, axes[0]->back_slots, grid.nx, count);
        }
    }
}
