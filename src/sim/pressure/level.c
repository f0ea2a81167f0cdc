#include "sim/pressure/level.h"

#include "core/simd.h"
#include "sim/pressure/red_black.h"

#include <string.h>

BRUME_KERNEL static void apply_faces(float *restrict out, const float *x, const float *fx, const float *fy,
                                     const float *fz, ptrdiff_t sy, ptrdiff_t sz, int nx)
{
    for (int i = 1; i <= nx; i++) {
        const float c = x[i];
        const float along_x = fx[i] * (c - x[i - 1]) + fx[i + 1] * (c - x[i + 1]);
        const float along_y = fy[i] * (c - x[i - sy]) + fy[i + sy] * (c - x[i + sy]);
        const float along_z = fz[i] * (c - x[i - sz]) + fz[i + sz] * (c - x[i + sz]);
        out[i] = along_x + along_y + along_z;
    }
}

void brume_level_apply_row(const BrumeLevel *level, float *out, int j, int k)
{
    const ptrdiff_t start = brume_field_index(&level->x, 0, j, k);
    apply_faces(out, level->x.data + start, level->face[0].data + start, level->face[1].data + start,
                level->face[2].data + start, level->x.sy, level->x.sz, level->grid.nx);
}

BRUME_KERNEL static void add_live(float *restrict x, const float *restrict y, const float *restrict inverse, int nx)
{
    for (int i = 1; i <= nx; i++) {
        x[i] += inverse[i] > 0.0f ? y[i] : 0.0f;
    }
}

void brume_level_add_row(BrumeLevel *level, const float *row, int j, int k)
{
    const ptrdiff_t start = brume_field_index(&level->x, 0, j, k);
    add_live(level->x.data + start, row, level->inverse.data + start, level->grid.nx);
}

static void exchange_plane(BrumeLevel *level, int k)
{
    const int nx = level->grid.nx;
    const int ny = level->grid.ny;
    const ptrdiff_t sy = level->x.sy;
    float *plane = level->x.data + level->x.sz * k;
    if (level->periodic[0]) {
        for (int j = 1; j <= ny; j++) {
            float *row = plane + sy * j;
            row[0] = row[nx];
            row[nx + 1] = row[1];
        }
    }
    if (level->periodic[1]) {
        memcpy(plane, plane + sy * ny, (size_t)sy * sizeof *plane);
        memcpy(plane + sy * (ny + 1), plane + sy, (size_t)sy * sizeof *plane);
    }
}

static void exchange_ends(void *context)
{
    BrumeField *x = &((BrumeLevel *)context)->x;
    const size_t bytes = (size_t)x->sz * sizeof *x->data;
    memcpy(x->data, x->data + x->sz * x->grid.nz, bytes);
    memcpy(x->data + x->sz * (x->grid.nz + 1), x->data + x->sz, bytes);
}

void brume_level_exchange(BrumeLevel *level)
{
    for (int k = 1; k <= level->grid.nz; k++) {
        exchange_plane(level, k);
    }
    if (level->periodic[2]) {
        exchange_ends(level);
    }
}

// all coefficients of the row are `c`, or belong to closed faces with an x of 0 behind them
static void relax_uniform(float *x, const float *b, const float *inverse, float c, ptrdiff_t sy, ptrdiff_t sz, int from,
                          int nx)
{
    for (int i = from; i <= nx; i += 2) {
        const float sum = (x[i - 1] + x[i + 1]) + (x[i - sy] + x[i + sy]) + (x[i - sz] + x[i + sz]);
        x[i] = inverse[i] * (b[i] + c * sum);
    }
}

static void relax_faces(float *x, const float *b, const float *inverse, const float *fx, const float *fy,
                        const float *fz, ptrdiff_t sy, ptrdiff_t sz, int from, int nx)
{
    for (int i = from; i <= nx; i += 2) {
        const float c = x[i];
        const float along_x = fx[i] * (c - x[i - 1]) + fx[i + 1] * (c - x[i + 1]);
        const float along_y = fy[i] * (c - x[i - sy]) + fy[i + sy] * (c - x[i + sy]);
        const float along_z = fz[i] * (c - x[i - sz]) + fz[i + sz] * (c - x[i + sz]);
        x[i] = c + inverse[i] * (b[i] - (along_x + along_y + along_z));
    }
}

static void relax_plane(void *context, int k, int color)
{
    BrumeLevel *level = context;
    const BrumeGrid grid = level->grid;
    const ptrdiff_t sy = level->x.sy;
    const ptrdiff_t sz = level->x.sz;
    for (int j = 1; j <= grid.ny; j++) {
        const ptrdiff_t start = brume_field_index(&level->x, 0, j, k);
        const int from = 1 + ((1 + j + k + color) & 1);
        const float c = level->uniform[(ptrdiff_t)(k - 1) * grid.ny + (j - 1)];
        float *x = level->x.data + start;
        const float *b = level->b.data + start;
        const float *inverse = level->inverse.data + start;
        if (c > 0.0f) {
            relax_uniform(x, b, inverse, c, sy, sz, from, grid.nx);
        } else {
            relax_faces(x, b, inverse, level->face[0].data + start, level->face[1].data + start,
                        level->face[2].data + start, sy, sz, from, grid.nx);
        }
    }
    exchange_plane(level, k);
}

static void start_plane(void *context, int k, int color)
{
    BrumeLevel *level = context;
    const BrumeGrid grid = level->grid;
    for (int j = 1; j <= grid.ny; j++) {
        const ptrdiff_t start = brume_field_index(&level->x, 0, j, k);
        float *x = level->x.data + start;
        memset(x, 0, (size_t)level->x.sy * sizeof *x);
        for (int i = 1 + ((1 + j + k + color) & 1); i <= grid.nx; i += 2) {
            x[i] = level->inverse.data[start + i] * level->b.data[start + i];
        }
    }
    exchange_plane(level, k);
}

static void sweep(BrumeLevel *level, int first, bool from_zero)
{
    const BrumeRedBlack order = {
        .context = level,
        .planes = level->grid.nz,
        .parallel = level->parallel,
        .first_half = from_zero ? start_plane : relax_plane,
        .second_half = relax_plane,
        .wrap = level->periodic[2] ? exchange_ends : NULL,
    };
    brume_red_black_sweep(&order, first);
}

void brume_level_sweep(BrumeLevel *level, int first) { sweep(level, first, false); }

void brume_level_sweep_from_zero(BrumeLevel *level, int first) { sweep(level, first, true); }
