#include "sim/pressure/poisson/poisson.h"

#include "core/domain.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/reductions.h"
#include "core/parallel/simd.h"
#include "sim/grid/parity_rows.h"
#include "sim/grid/seven_point.h"

#include <string.h>

enum {
    X_FACES = BRUME_CELL_X_LOWER | BRUME_CELL_X_UPPER,
    MIN_UNIFORM_ROW = 3, // two end cells and one between them
};

// 1 for each open face
BRUME_INLINE BrumeFaceWeights face_weights(int flags)
{
    return (BrumeFaceWeights){(float)(flags & 1),      (float)(flags >> 1 & 1), (float)(flags >> 2 & 1),
                              (float)(flags >> 3 & 1), (float)(flags >> 4 & 1), (float)(flags >> 5 & 1)};
}

static bool row_is_uniform(const uint8_t *flags, int nx)
{
    if (nx < MIN_UNIFORM_ROW || !(flags[1] & BRUME_CELL_FACES) || !(flags[nx] & BRUME_CELL_FACES)) {
        return false;
    }
    for (int i = 2; i < nx; i++) {
        if (flags[i] != flags[2] || (flags[i] & X_FACES) != X_FACES) {
            return false;
        }
    }
    return true;
}

// Whether x may be other than 0 behind a face of a cell: a fluid cell, or a copy of one.
static bool neighbor_is_fluid(const BrumeCells *cells, int side, const int cell[3])
{
    const int axis = side / 2;
    const int count = brume_cells_along(cells->grid, axis);
    int at[3] = {cell[0], cell[1], cell[2]};
    at[axis] += side % 2 ? 1 : -1;
    if (at[axis] < 1 || at[axis] > count) {
        if (!cells->coupled[axis]) {
            return false;
        }
        at[axis] = brume_wrap_index(at[axis], count);
    }
    return cells->flags[at[0] + cells->sy * at[1] + cells->sz * at[2]] & BRUME_CELL_FLUID;
}

static bool row_is_cut(const BrumePoisson *poisson, int j, int k)
{
    const BrumeCells *cells = poisson->cells;
    const ptrdiff_t row = cells->sy * j + cells->sz * k;
    for (int i = 1; brume_fractions_row_is_cut(cells->fractions, j, k) && i <= cells->grid.nx; i++) {
        for (int side = 0; side < BRUME_FACE_COUNT && cells->flags[row + i] & BRUME_CELL_FLUID; side++) {
            const float coefficient = brume_poisson_coefficient(poisson, side, i, j, k);
            if ((coefficient > 0.0f && coefficient < 1.0f) ||
                (coefficient == 0.0f && neighbor_is_fluid(cells, side, (const int[3]){i, j, k}))) {
                return true;
            }
        }
    }
    return false;
}

BrumeStatus brume_poisson_create(BrumePoisson *poisson, const BrumeCells *cells, BrumeError *error)
{
    const BrumeGrid grid = cells->grid;
    *poisson = (BrumePoisson){.cells = cells, .parallel = brume_needs_team(grid)};
    if (grid.nx > BRUME_PRESSURE_MAX_ROW) {
        return brume_fail(error, BRUME_BAD_INPUT, "%d cells along x: the pressure solvers take at most %d", grid.nx,
                          BRUME_PRESSURE_MAX_ROW);
    }
    poisson->uniform = brume_alloc((size_t)grid.ny * (size_t)grid.nz, sizeof *poisson->uniform);
    poisson->partials = brume_alloc((size_t)grid.nz + 2, sizeof *poisson->partials);
    if (cells->fractions) {
        poisson->cut = brume_alloc((size_t)grid.ny * (size_t)grid.nz, sizeof *poisson->cut);
    }
    if (!poisson->uniform || !poisson->partials || (cells->fractions && !poisson->cut)) {
        brume_poisson_destroy(poisson);
        return brume_out_of_grid_memory(error, "the pressure solver");
    }
#pragma omp parallel for schedule(static) if (poisson->parallel)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t row = (ptrdiff_t)(k - 1) * grid.ny + (j - 1);
            if (poisson->cut) {
                poisson->cut[row] = row_is_cut(poisson, j, k);
            }
            poisson->uniform[row] =
                row_is_uniform(brume_poisson_flags(poisson, j, k), grid.nx) && !brume_poisson_cut(poisson, j, k);
        }
    }
    return BRUME_OK;
}

void brume_poisson_destroy(BrumePoisson *poisson)
{
    brume_free(poisson->uniform);
    brume_free(poisson->cut);
    brume_free(poisson->partials);
    *poisson = (BrumePoisson){0};
}

size_t brume_poisson_bytes(const BrumePoisson *poisson)
{
    const BrumeGrid grid = poisson->cells->grid;
    const size_t rows = (size_t)grid.ny * (size_t)grid.nz;
    return rows * sizeof *poisson->uniform + (poisson->cut ? rows * sizeof *poisson->cut : 0) +
           ((size_t)grid.nz + 2) * sizeof *poisson->partials;
}

void brume_poisson_fill_ghost_rows(const BrumePoisson *poisson, BrumeField *x, int k, int from, int to)
{
    const BrumeCells *cells = poisson->cells;
    const int nx = x->grid.nx;
    const int ny = x->grid.ny;
    float *plane = x->data + x->sz * k;
    const size_t row_bytes = (size_t)x->sy * sizeof *plane;
    for (int j = from; j < to; j++) {
        float *row = plane + x->sy * j;
        row[0] = cells->coupled[0] ? row[nx] : 0.0f;
        row[nx + 1] = cells->coupled[0] ? row[1] : 0.0f;
    }
    if (cells->coupled[1]) {
        memcpy(plane, plane + x->sy * ny, row_bytes);
        memcpy(plane + x->sy * (ny + 1), plane + x->sy, row_bytes);
    } else {
        memset(plane, 0, row_bytes);
        memset(plane + x->sy * (ny + 1), 0, row_bytes);
    }
}

void brume_poisson_fill_ghost_planes(const BrumePoisson *poisson, BrumeField *x)
{
    if (poisson->cells->coupled[2]) {
        brume_parity_fill_ghost_planes(x); // rows of any order
        return;
    }
    for (int k = 0; k <= x->grid.nz + 1; k += x->grid.nz + 1) {
        if (brume_has_plane(x->grid, k)) {
            memset(x->data + x->sz * k, 0, (size_t)x->sz * sizeof *x->data);
        }
    }
}

void brume_poisson_fill_ghosts(const BrumePoisson *poisson, BrumeField *x)
{
#pragma omp parallel for schedule(static) if (poisson->parallel)
    for (int k = brume_first_plane(x->grid); k <= brume_last_plane(x->grid); k++) {
        brume_poisson_fill_ghost_rows(poisson, x, k, 1, x->grid.ny + 1);
    }
    brume_exchange_field(x, 1);
    brume_poisson_fill_ghost_planes(poisson, x);
}

void brume_poisson_fill_thin_ghosts(const BrumePoisson *poisson, BrumeField *x)
{
    const BrumeCells *cells = poisson->cells;
    const size_t row_bytes = (size_t)x->sy * sizeof *x->data;
    const size_t plane_bytes = (size_t)x->sz * sizeof *x->data;
    if (cells->periodic[1] && !cells->coupled[1]) {
        for (int k = brume_lowest_plane(x->grid); k <= brume_highest_plane(x->grid); k++) {
            float *row = x->data + x->sz * k + x->sy;
            memcpy(row - x->sy, row, row_bytes);
            memcpy(row + x->sy, row, row_bytes);
        }
    }
    if (cells->periodic[2] && !cells->coupled[2] && brume_has_plane(x->grid, 1)) {
        float *plane = x->data + x->sz;
        memcpy(plane - x->sz, plane, plane_bytes);
        memcpy(plane + x->sz, plane, plane_bytes);
    }
}

void brume_poisson_clear_inactive(const BrumePoisson *poisson, BrumeField *x)
{
    const BrumeGrid grid = x->grid;
#pragma omp parallel for schedule(static) if (poisson->parallel)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        for (int j = 1; j <= grid.ny; j++) {
            if (brume_poisson_uniform(poisson, j, k)) {
                continue;
            }
            const uint8_t *flags = brume_poisson_flags(poisson, j, k);
            float *row = x->data + brume_field_index(x, 0, j, k);
            for (int i = 1; i <= grid.nx; i++) {
                row[i] = flags[i] & BRUME_CELL_FACES ? row[i] : 0.0f;
            }
        }
    }
}

// A row of cells 2..nx-1 with the same open faces, also along x.
BRUME_KERNEL static void apply_uniform(float *restrict out, const float *x, ptrdiff_t sy, ptrdiff_t sz, int nx,
                                       int flags)
{
    const BrumeFaceWeights weights = face_weights(flags | X_FACES);
    for (int i = 2; i < nx; i++) {
        out[i] = brume_seven_point_weighted(x + i, sy, sz, &weights);
    }
}

BRUME_KERNEL static void apply_flags(float *restrict out, const float *x, ptrdiff_t sy, ptrdiff_t sz, int nx,
                                     const uint8_t *flags)
{
    for (int i = 1; i <= nx; i++) {
        const BrumeFaceWeights weights = face_weights(flags[i]);
        out[i] = brume_seven_point_weighted(x + i, sy, sz, &weights);
    }
}

// A row with fractions; `fx`, `fy`, `fz` are those of its lower faces, `sy` and `sz` also the strides of fy and fz.
BRUME_KERNEL static void apply_cut(float *restrict out, const float *x, ptrdiff_t sy, ptrdiff_t sz, int nx,
                                   const uint8_t *flags, const float *fx, const float *fy, const float *fz)
{
    for (int i = 1; i <= nx; i++) {
        BrumeFaceWeights weights = face_weights(flags[i]);
        weights.x_lower *= fx[i];
        weights.x_upper *= fx[i + 1];
        weights.y_lower *= fy[i];
        weights.y_upper *= fy[i + sy];
        weights.z_lower *= fz[i];
        weights.z_upper *= fz[i + sz];
        out[i] = brume_seven_point_weighted(x + i, sy, sz, &weights);
    }
}

static float apply_cell(const float *x, ptrdiff_t sy, ptrdiff_t sz, int flags)
{
    const BrumeFaceWeights weights = face_weights(flags);
    return brume_seven_point_weighted(x, sy, sz, &weights);
}

void brume_poisson_apply_row(const BrumePoisson *poisson, float *out, const BrumeField *x, int j, int k)
{
    const int nx = x->grid.nx;
    const uint8_t *flags = brume_poisson_flags(poisson, j, k);
    const float *row = x->data + brume_field_index(x, 0, j, k);
    if (brume_poisson_cut(poisson, j, k)) {
        const BrumeField *face = poisson->cells->fractions->face;
        const ptrdiff_t start = brume_field_index(x, 0, j, k);
        apply_cut(out, row, x->sy, x->sz, nx, flags, face[0].data + start, face[1].data + start, face[2].data + start);
        return;
    }
    if (!brume_poisson_uniform(poisson, j, k)) {
        apply_flags(out, row, x->sy, x->sz, nx, flags);
        return;
    }
    apply_uniform(out, row, x->sy, x->sz, nx, flags[2]);
    out[1] = apply_cell(row + 1, x->sy, x->sz, flags[1]);
    out[nx] = apply_cell(row + nx, x->sy, x->sz, flags[nx]);
}

BRUME_KERNEL static void add_all(float *restrict x, const float *restrict y, int nx)
{
    for (int i = 1; i <= nx; i++) {
        x[i] += y[i];
    }
}

void brume_poisson_add_row(const BrumePoisson *poisson, BrumeField *x, const float *row, int j, int k)
{
    const int nx = x->grid.nx;
    float *target = x->data + brume_field_index(x, 0, j, k);
    if (brume_poisson_uniform(poisson, j, k)) {
        add_all(target, row, nx);
        return;
    }
    const uint8_t *flags = brume_poisson_flags(poisson, j, k);
    for (int i = 1; i <= nx; i++) {
        target[i] += flags[i] & BRUME_CELL_FACES ? row[i] : 0.0f;
    }
}

BRUME_KERNEL static double product_row(const float *a, const float *b, int count) { return brume_dot_row(a, b, count); }

// out = b - out
BRUME_KERNEL static void subtract_from(float *restrict out, const float *b, int nx)
{
    for (int i = 1; i <= nx; i++) {
        out[i] = b[i] - out[i];
    }
}

double brume_poisson_apply(const BrumePoisson *poisson, BrumeField *q, const BrumeField *s)
{
    const BrumeGrid grid = s->grid;
#pragma omp parallel for schedule(static) if (poisson->parallel)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        BrumePlaneSum sum = {0};
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t start = brume_field_index(s, 0, j, k);
            brume_poisson_apply_row(poisson, q->data + start, s, j, k);
            *brume_sum_of_block(&sum, j) += product_row(q->data + start + 1, s->data + start + 1, grid.nx);
        }
        poisson->partials[k] = brume_sum_of_plane(sum);
    }
    return brume_sum_planes(grid, poisson->partials);
}

double brume_poisson_residual(const BrumePoisson *poisson, BrumeField *r, const BrumeField *b, const BrumeField *x)
{
    const BrumeGrid grid = x->grid;
#pragma omp parallel for schedule(static) if (poisson->parallel)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        BrumePlaneSum sum = {0};
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t start = brume_field_index(x, 0, j, k);
            float *row = r->data + start;
            brume_poisson_apply_row(poisson, row, x, j, k);
            subtract_from(row, b->data + start, grid.nx);
            *brume_sum_of_block(&sum, j) += product_row(row + 1, row + 1, grid.nx);
        }
        poisson->partials[k] = brume_sum_of_plane(sum);
    }
    return brume_sum_planes(grid, poisson->partials);
}

double brume_poisson_dot(const BrumePoisson *poisson, const BrumeField *a, const BrumeField *b)
{
    const BrumeGrid grid = a->grid;
#pragma omp parallel for schedule(static) if (poisson->parallel)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        BrumePlaneSum sum = {0};
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t start = brume_field_index(a, 0, j, k);
            *brume_sum_of_block(&sum, j) += product_row(a->data + start + 1, b->data + start + 1, grid.nx);
        }
        poisson->partials[k] = brume_sum_of_plane(sum);
    }
    return brume_sum_planes(grid, poisson->partials);
}
