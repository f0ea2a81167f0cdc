#include "sim/pressure/poisson.h"

#include "core/memory.h"
#include "core/simd.h"

#include <string.h>

enum {
    X_FACES = BRUME_CELL_X_LOWER | BRUME_CELL_X_UPPER,
    MIN_UNIFORM_ROW = 3, // two ends and something between them
};

static int count_faces(int flags)
{
    int count = 0;
    for (int bits = flags & BRUME_CELL_FACES; bits != 0; bits &= bits - 1) {
        count++;
    }
    return count;
}

static uint8_t classify_row(const uint8_t *flags, int nx)
{
    if (nx < MIN_UNIFORM_ROW || !(flags[1] & BRUME_CELL_FACES) || !(flags[nx] & BRUME_CELL_FACES)) {
        return 0;
    }
    for (int i = 2; i < nx; i++) {
        if (flags[i] != flags[2] || (flags[i] & X_FACES) != X_FACES) {
            return 0;
        }
    }
    return (uint8_t)count_faces(flags[2]);
}

BrumeStatus brume_poisson_create(BrumePoisson *poisson, const BrumeCells *cells, BrumeError *error)
{
    const BrumeGrid grid = cells->grid;
    *poisson = (BrumePoisson){.cells = cells};
    if (grid.nx > BRUME_PRESSURE_MAX_ROW) {
        return brume_fail(error, BRUME_BAD_INPUT, "%d cells along x: the pressure solvers take at most %d", grid.nx,
                          BRUME_PRESSURE_MAX_ROW);
    }
    poisson->uniform = brume_alloc((size_t)grid.ny * (size_t)grid.nz, sizeof *poisson->uniform);
    poisson->partials = brume_alloc((size_t)grid.nz, sizeof *poisson->partials);
    if (!poisson->uniform || !poisson->partials) {
        brume_poisson_destroy(poisson);
        return brume_fail(error, BRUME_FAILED, "out of memory for the pressure solver (lower the resolution)");
    }
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            poisson->uniform[(ptrdiff_t)(k - 1) * grid.ny + (j - 1)] =
                classify_row(brume_poisson_flags(poisson, j, k), grid.nx);
        }
    }
    return BRUME_OK;
}

void brume_poisson_destroy(BrumePoisson *poisson)
{
    brume_free(poisson->uniform);
    brume_free(poisson->partials);
    *poisson = (BrumePoisson){0};
}

size_t brume_poisson_bytes(const BrumePoisson *poisson)
{
    const BrumeGrid grid = poisson->cells->grid;
    return (size_t)grid.ny * (size_t)grid.nz * sizeof *poisson->uniform + (size_t)grid.nz * sizeof *poisson->partials;
}

void brume_poisson_exchange_plane(const BrumePoisson *poisson, BrumeField *x, int k)
{
    const BrumeCells *cells = poisson->cells;
    const int nx = x->grid.nx;
    const int ny = x->grid.ny;
    float *plane = x->data + x->sz * k;
    const size_t row_bytes = (size_t)x->sy * sizeof *plane;
    for (int j = 1; j <= ny; j++) {
        float *row = plane + x->sy * j;
        row[0] = cells->periodic[0] ? row[nx] : 0.0f;
        row[nx + 1] = cells->periodic[0] ? row[1] : 0.0f;
    }
    if (cells->periodic[1]) {
        memcpy(plane, plane + x->sy * ny, row_bytes);
        memcpy(plane + x->sy * (ny + 1), plane + x->sy, row_bytes);
    } else {
        memset(plane, 0, row_bytes);
        memset(plane + x->sy * (ny + 1), 0, row_bytes);
    }
}

void brume_poisson_exchange_ends(const BrumePoisson *poisson, BrumeField *x)
{
    const int nz = x->grid.nz;
    const size_t plane_bytes = (size_t)x->sz * sizeof *x->data;
    float *lower = x->data;
    float *upper = x->data + x->sz * (nz + 1);
    if (poisson->cells->periodic[2]) {
        memcpy(lower, x->data + x->sz * nz, plane_bytes);
        memcpy(upper, x->data + x->sz, plane_bytes);
    } else {
        memset(lower, 0, plane_bytes);
        memset(upper, 0, plane_bytes);
    }
}

void brume_poisson_exchange(const BrumePoisson *poisson, BrumeField *x)
{
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= x->grid.nz; k++) {
        brume_poisson_exchange_plane(poisson, x, k);
    }
    brume_poisson_exchange_ends(poisson, x);
}

void brume_poisson_clear_dead(const BrumePoisson *poisson, BrumeField *x)
{
    const BrumeGrid grid = x->grid;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
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

static inline float neighbors(const float *x, ptrdiff_t sy, ptrdiff_t sz)
{
    return (x[-1] + x[1]) + (x[-sy] + x[sy]) + (x[-sz] + x[sz]);
}

BRUME_KERNEL static void apply_uniform(float *restrict out, const float *x, ptrdiff_t sy, ptrdiff_t sz, int nx,
                                       float diagonal)
{
    for (int i = 1; i <= nx; i++) {
        out[i] = diagonal * x[i] - neighbors(x + i, sy, sz);
    }
}

BRUME_KERNEL static void apply_flags(float *restrict out, const float *x, ptrdiff_t sy, ptrdiff_t sz, int nx,
                                     const uint8_t *flags)
{
    for (int i = 1; i <= nx; i++) {
        const int f = flags[i];
        const int faces = (f & 1) + (f >> 1 & 1) + (f >> 2 & 1) + (f >> 3 & 1) + (f >> 4 & 1) + (f >> 5 & 1);
        const float value = (float)faces * x[i] - neighbors(x + i, sy, sz);
        out[i] = faces ? value : 0.0f;
    }
}

void brume_poisson_apply_row(const BrumePoisson *poisson, float *out, const BrumeField *x, int j, int k)
{
    const int nx = x->grid.nx;
    const uint8_t *flags = brume_poisson_flags(poisson, j, k);
    const float *row = x->data + brume_field_index(x, 0, j, k);
    const int faces = brume_poisson_uniform(poisson, j, k);
    if (faces == 0) {
        apply_flags(out, row, x->sy, x->sz, nx, flags);
        return;
    }
    apply_uniform(out, row, x->sy, x->sz, nx, (float)faces);
    out[1] = (float)count_faces(flags[1]) * row[1] - neighbors(row + 1, x->sy, x->sz);
    out[nx] = (float)count_faces(flags[nx]) * row[nx] - neighbors(row + nx, x->sy, x->sz);
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

// sums of products in eight lanes, so that every vector width adds in the same order
enum { LANES = 8 };

static inline double fold_lanes(const double lanes[LANES])
{
    return ((lanes[0] + lanes[4]) + (lanes[1] + lanes[5])) + ((lanes[2] + lanes[6]) + (lanes[3] + lanes[7]));
}

BRUME_KERNEL static double dot_row(const float *a, const float *b, int nx)
{
    double lanes[LANES] = {0};
    int i = 1;
    for (; i + LANES - 1 <= nx; i += LANES) {
        for (int lane = 0; lane < LANES; lane++) {
            lanes[lane] += (double)a[i + lane] * (double)b[i + lane];
        }
    }
    for (int lane = 0; i <= nx; i++, lane++) {
        lanes[lane] += (double)a[i] * (double)b[i];
    }
    return fold_lanes(lanes);
}

// out = b - out
BRUME_KERNEL static void subtract_from(float *restrict out, const float *b, int nx)
{
    for (int i = 1; i <= nx; i++) {
        out[i] = b[i] - out[i];
    }
}

static double sum_partials(const BrumePoisson *poisson)
{
    double sum = 0.0;
    for (int k = 0; k < poisson->cells->grid.nz; k++) {
        sum += poisson->partials[k];
    }
    return sum;
}

double brume_poisson_apply(const BrumePoisson *poisson, BrumeField *q, const BrumeField *s)
{
    const BrumeGrid grid = s->grid;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        double sum = 0.0;
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t start = brume_field_index(s, 0, j, k);
            brume_poisson_apply_row(poisson, q->data + start, s, j, k);
            sum += dot_row(q->data + start, s->data + start, grid.nx);
        }
        poisson->partials[k - 1] = sum;
    }
    return sum_partials(poisson);
}

double brume_poisson_residual(const BrumePoisson *poisson, BrumeField *r, const BrumeField *b, const BrumeField *x)
{
    const BrumeGrid grid = x->grid;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        double sum = 0.0;
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t start = brume_field_index(x, 0, j, k);
            float *row = r->data + start;
            brume_poisson_apply_row(poisson, row, x, j, k);
            subtract_from(row, b->data + start, grid.nx);
            sum += dot_row(row, row, grid.nx);
        }
        poisson->partials[k - 1] = sum;
    }
    return sum_partials(poisson);
}

double brume_poisson_dot(const BrumePoisson *poisson, const BrumeField *a, const BrumeField *b)
{
    const BrumeGrid grid = a->grid;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        double sum = 0.0;
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t start = brume_field_index(a, 0, j, k);
            sum += dot_row(a->data + start, b->data + start, grid.nx);
        }
        poisson->partials[k - 1] = sum;
    }
    return sum_partials(poisson);
}
