/*
 * A solve makes three passes over the field: forward transforms along z; then, plane by plane while it is in the cache,
 * forward transforms along x, tridiagonal systems along y, backward transforms along x; then backward along z. Where
 * several ranks share the grid, each has all planes of some rows for the passes along z, before and after which the
 * field is transposed.
 */
#include "sim/spectral/spectral.h"

#include "core/domain.h"
#include "core/elementary.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "core/parallel/simd.h"
#include "core/parallel/threads.h"
#include "sim/spectral/lines.h"
#include "sim/spectral/tridiagonal.h"

#include <math.h>
#include <omp.h>

struct BrumeSpectral {
    BrumeGrid grid;
    BrumeEnds ends[3];
    BrumeAxis x, z;
    BrumeAxis y;       ///< only if y is periodic; otherwise the systems along y are tridiagonal
    float *factors[3]; ///< of diffusion: the factors of each mode along x, y and z
    int team;          ///< number of threads that there is work space for
    size_t work_floats;
    float *work; ///< (team x work_floats)
};

// The work space of a thread: two blocks of lines, and the work space of the tridiagonal solves.
typedef struct SpectralWork {
    float *block, *other, *lines;
} SpectralWork;

static int longest_side(BrumeGrid grid) { return brume_max_int(brume_max_int(grid.nx, grid.nz), grid.ny); }

static SpectralWork thread_work(const BrumeSpectral *spectral, int thread)
{
    float *start = spectral->work + spectral->work_floats * (size_t)thread;
    const size_t block = (size_t)BRUME_LINE_BLOCK * (size_t)longest_side(spectral->grid);
    return (SpectralWork){start, start + block, start + 2 * block};
}

static int team_size(const BrumeSpectral *spectral) { return brume_min_int(brume_get_threads(), spectral->team); }

static bool periodic_y(const BrumeSpectral *spectral) { return spectral->ends[1] == BRUME_ENDS_PERIODIC; }

BrumeStatus brume_spectral_create(BrumeSpectral **spectral, BrumeGrid grid, const BrumeEnds ends[3], BrumeError *error)
{
    *spectral = NULL;
    BrumeSpectral *created = brume_alloc(1, sizeof *created);
    if (!created) {
        return brume_out_of_grid_memory(error, "the pressure solver");
    }
    const int cores = brume_physical_cores();
    const int threads = brume_get_threads();
    created->grid = grid;
    memcpy(created->ends, ends, sizeof created->ends);
    created->team = brume_max_int(threads, cores);
    created->work_floats = (size_t)2 * BRUME_LINE_BLOCK * (size_t)longest_side(grid) +
                           (size_t)BRUME_TRIDIAGONAL_LINES * ((size_t)grid.ny + 1);
    created->work = brume_alloc_untouched((size_t)created->team * created->work_floats, sizeof *created->work);
    BrumeStatus status = BRUME_OK;
    bool complete = created->work != NULL;
    for (int axis = 0; axis < 3; axis++) {
        created->factors[axis] = brume_alloc((size_t)brume_cells_along(grid, axis), sizeof **created->factors);
        complete = complete && created->factors[axis];
    }
    if (!complete) {
        status = brume_out_of_grid_memory(error, "the pressure solver");
    }
    if (status == BRUME_OK) {
        status = brume_axis_create(&created->x, ends[0], grid.nx, error);
    }
    if (status == BRUME_OK && periodic_y(created)) {
        status = brume_axis_create(&created->y, ends[1], grid.ny, error);
    }
    if (status == BRUME_OK) {
        status = brume_axis_create(&created->z, ends[2], grid.nz, error);
    }
    if (status != BRUME_OK) {
        brume_spectral_destroy(created);
        return status;
    }
    *spectral = created;
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

// number of lines from i on, at most `step`
static int lines_from(int i, int count, int step) { return brume_min_int(count - i + 1, step); }

typedef float *Transform(const BrumeAxis *axis, float *x, float *y);

// transforms lines along z from one field to another; coefficient k is stored at point k
static void transform_z(const BrumeSpectral *spectral, BrumeField *to, const BrumeField *from, bool forward)
{
    const BrumeGrid grid = to->grid;
    const BrumeAxis *axis = &spectral->z;
#pragma omp parallel for schedule(static) num_threads(team_size(spectral))
    for (int j = brume_first_row(grid); j <= brume_last_row(grid); j++) {
        const SpectralWork work = thread_work(spectral, omp_get_thread_num());
        for (int i = 1; i <= grid.nx; i += BRUME_LINE_BLOCK) {
            const int width = lines_from(i, grid.nx, BRUME_LINE_BLOCK);
            const ptrdiff_t c = brume_field_index(to, i, j, 1);
            const int *input_order = forward ? axis->input_order : NULL;
            brume_columns_to_block(work.block, input_order, from->data + c, from->sz, grid.nz, width);
            const float *result = forward ? brume_axis_forward(axis, work.block, work.other)
                                          : brume_axis_backward(axis, work.block, work.other);
            brume_block_to_columns(to->data + c, to->sz, result, forward ? NULL : axis->output_order, grid.nz, width);
        }
    }
}

// transforms the rows of a plane in place
static void transform_rows(const BrumeSpectral *spectral, SpectralWork work, BrumeField *x, int k, Transform *transform,
                           const int *input_order, const int *output_order)
{
    const BrumeGrid grid = x->grid;
    for (int j = 1; j <= grid.ny; j += BRUME_LINE_BLOCK) {
        const int count = lines_from(j, grid.ny, BRUME_LINE_BLOCK);
        float *rows = x->data + brume_field_index(x, 1, j, k);
        brume_rows_to_block(work.block, input_order, rows, x->sy, grid.nx, count);
        const float *result = transform(&spectral->x, work.block, work.other);
        brume_block_to_rows(rows, x->sy, result, output_order, grid.nx, count);
    }
}

// divides the coefficients of a block by their eigenvalues, sums of one per lane and one per point
BRUME_KERNEL static void spectral_divide(float *block, const float *lanes, const float *points, float shift,
                                         float scale, int length, int width)
{
    for (int n = 0; n < length; n++) {
        float *point = block + brume_block_point(n);
        for (int lane = 0; lane < width; lane++) {
            const float eigenvalue = lanes[lane] + (points[n] + shift);
            const float quotient = scale * point[lane] / (eigenvalue > 0.0f ? eigenvalue : 1.0f);
            point[lane] = eigenvalue > 0.0f ? quotient : 0.0f;
        }
    }
}

// solves the systems along y of plane k for a periodic y
static void divide_plane(const BrumeSpectral *spectral, SpectralWork work, BrumeField *x, int k, float scale)
{
    const BrumeGrid grid = x->grid;
    const BrumeAxis *axis = &spectral->y;
    for (int i = 1; i <= grid.nx; i += BRUME_LINE_BLOCK) {
        const int width = lines_from(i, grid.nx, BRUME_LINE_BLOCK);
        float *columns = x->data + brume_field_index(x, i, 1, k);
        brume_columns_to_block(work.block, axis->input_order, columns, x->sy, grid.ny, width);
        float *result = brume_axis_forward(axis, work.block, work.other);
        spectral_divide(result, spectral->x.eigenvalues + i - 1, axis->eigenvalues, spectral->z.eigenvalues[k - 1],
                        scale * axis->scale, grid.ny, width);
        result = brume_axis_backward(axis, result, result == work.block ? work.other : work.block);
        brume_block_to_columns(columns, x->sy, result, axis->output_order, grid.ny, width);
    }
}

// the same for walls and open sides
static void eliminate_plane(const BrumeSpectral *spectral, SpectralWork work, BrumeField *x, int k, float scale)
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

// whether constants are in the null space: no side is open
static bool is_singular(const BrumeSpectral *spectral)
{
    bool singular = true;
    for (int axis = 0; axis < 3; axis++) {
        singular =
            singular && (spectral->ends[axis] == BRUME_ENDS_WALLS || spectral->ends[axis] == BRUME_ENDS_PERIODIC);
    }
    return singular;
}

// The coefficients of the functions that are constant along x and z are the first entries of the rows of plane 1. Their
// mean is the mean of the field, up to a factor. Removes it.
static void remove_line_mean(BrumeField *x)
{
    float *line = x->data + brume_field_index(x, 1, 1, 1);
    const int ny = x->grid.ny;
    double sum = 0.0;
    for (int j = 0; j < ny; j++) {
        sum += (double)line[x->sy * j];
    }
    for (int j = 0; j < ny; j++) {
        line[x->sy * j] = (float)((double)line[x->sy * j] - sum / ny);
    }
}

// the systems in the planes, between the transforms along z
static void solve_planes(const BrumeSpectral *spectral, BrumeField *x)
{
    const BrumeAxis *along_x = &spectral->x;
    const float scale = along_x->scale * spectral->z.scale;
    const bool singular = is_singular(spectral) && !periodic_y(spectral);
#pragma omp parallel for schedule(static) num_threads(team_size(spectral))
    for (int k = brume_first_plane(x->grid); k <= brume_last_plane(x->grid); k++) {
        const SpectralWork work = thread_work(spectral, omp_get_thread_num());
        transform_rows(spectral, work, x, k, brume_axis_forward, along_x->input_order, NULL);
        if (singular && k == 1) {
            remove_line_mean(x);
        }
        if (periodic_y(spectral)) {
            divide_plane(spectral, work, x, k, scale);
        } else {
            eliminate_plane(spectral, work, x, k, scale);
        }
        if (singular && k == 1) {
            remove_line_mean(x);
        }
        transform_rows(spectral, work, x, k, brume_axis_backward, NULL, along_x->output_order);
    }
}

void brume_spectral_solve(const BrumeSpectral *spectral, BrumeField *x, const BrumeField *b)
{
    brume_exchange_rows(b);
    transform_z(spectral, x, b, true);
    brume_return_rows(x);
    solve_planes(spectral, x);
    brume_exchange_rows(x);
    transform_z(spectral, x, x, false);
    brume_return_rows(x);
}

// Diffusion multiplies each mode by a product of one factor per axis, so that the axes can be treated one after the
// other.
BRUME_KERNEL static void spectral_multiply(float *block, const float *factors, int length)
{
    for (int n = 0; n < length; n++) {
        for (int lane = 0; lane < BRUME_LINE_BLOCK; lane++) {
            block[brume_block_point(n) + lane] *= factors[n];
        }
    }
}

static float *diffuse_block(const BrumeAxis *axis, const float *factors, SpectralWork work)
{
    float *result = brume_axis_forward(axis, work.block, work.other);
    spectral_multiply(result, factors, axis->length);
    return brume_axis_backward(axis, result, result == work.block ? work.other : work.block);
}

static void diffuse_columns(const BrumeAxis *axis, const float *factors, SpectralWork work, float *x, ptrdiff_t stride,
                            int count)
{
    for (int i = 1; i <= count; i += BRUME_LINE_BLOCK) {
        const int width = lines_from(i, count, BRUME_LINE_BLOCK);
        brume_columns_to_block(work.block, axis->input_order, x + i, stride, axis->length, width);
        const float *result = diffuse_block(axis, factors, work);
        brume_block_to_columns(x + i, stride, result, axis->output_order, axis->length, width);
    }
}

static void fill_factors(float *factors, const BrumeAxis *axis, float alpha)
{
    for (int n = 0; n < axis->length; n++) {
        factors[n] = (float)((double)axis->scale * brume_exp(-(double)alpha * (double)axis->eigenvalues[n]));
    }
}

void brume_spectral_diffuse(const BrumeSpectral *spectral, BrumeField *x, float alpha)
{
    const BrumeGrid grid = x->grid;
    const BrumeAxis *axes[3] = {&spectral->x, &spectral->y, &spectral->z};
    for (int axis = 0; axis < 3; axis++) {
        fill_factors(spectral->factors[axis], axes[axis], alpha);
    }
    brume_exchange_rows(x);
#pragma omp parallel for schedule(static) num_threads(team_size(spectral))
    for (int j = brume_first_row(grid); j <= brume_last_row(grid); j++) {
        const SpectralWork work = thread_work(spectral, omp_get_thread_num());
        diffuse_columns(axes[2], spectral->factors[2], work, x->data + brume_field_index(x, 0, j, 1), x->sz, grid.nx);
    }
    brume_return_rows(x);
#pragma omp parallel for schedule(static) num_threads(team_size(spectral))
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        const SpectralWork work = thread_work(spectral, omp_get_thread_num());
        diffuse_columns(axes[1], spectral->factors[1], work, x->data + brume_field_index(x, 0, 1, k), x->sy, grid.nx);
        for (int j = 1; j <= grid.ny; j += BRUME_LINE_BLOCK) {
            const int count = lines_from(j, grid.ny, BRUME_LINE_BLOCK);
            float *rows = x->data + brume_field_index(x, 1, j, k);
            brume_rows_to_block(work.block, axes[0]->input_order, rows, x->sy, grid.nx, count);
            const float *result = diffuse_block(axes[0], spectral->factors[0], work);
            brume_block_to_rows(rows, x->sy, result, axes[0]->output_order, grid.nx, count);
        }
    }
}
