#include "sim/pressure/multigrid/split.h"

#include "core/simd.h"
#include "sim/pressure/poisson.h"

#include <string.h>

BRUME_KERNEL static void split_entries(float *restrict even, float *restrict odd, const float *row, int pairs)
{
    for (int n = 0; n < pairs; n++) {
        even[n] = row[2 * n];
        odd[n] = row[2 * n + 1];
    }
}

BRUME_KERNEL static void join_entries(float *restrict row, const float *even, const float *odd, int pairs)
{
    for (int n = 0; n < pairs; n++) {
        row[2 * n] = even[n];
        row[2 * n + 1] = odd[n];
    }
}

void brume_split_row(float *restrict split, const float *row, int nx)
{
    split_entries(split, split + brume_split_odd(nx), row, (nx + 2) / 2);
    if (nx % 2 != 0) {
        split[(nx + 1) / 2] = row[nx + 1];
    }
}

void brume_join_row(float *restrict row, const float *split, int nx)
{
    join_entries(row, split, split + brume_split_odd(nx), (nx + 2) / 2);
    if (nx % 2 != 0) {
        row[nx + 1] = split[(nx + 1) / 2];
    }
}

static void convert_plane(BrumeField *field, int k, void (*convert)(float *restrict, const float *, int))
{
    float row[BRUME_PRESSURE_MAX_ROW + 2];
    for (int j = 0; j <= field->grid.ny + 1; j++) {
        float *entries = field->data + field->sy * j + field->sz * k;
        memcpy(row, entries, (size_t)field->sy * sizeof *row);
        convert(entries, row, field->grid.nx);
    }
}

static void convert_field(BrumeField *field, bool parallel, void (*convert)(float *restrict, const float *, int))
{
    const int nz = field->grid.nz;
#pragma omp parallel for schedule(static) if (parallel)
    for (int k = 1; k <= nz; k++) {
        convert_plane(field, k, convert);
    }
    convert_plane(field, 0, convert);
    convert_plane(field, nz + 1, convert);
}

void brume_split_field(BrumeField *field, bool parallel) { convert_field(field, parallel, brume_split_row); }

void brume_join_field(BrumeField *field, bool parallel) { convert_field(field, parallel, brume_join_row); }

void brume_split_clear_ghosts(BrumeField *field, bool parallel)
{
    const BrumeGrid grid = field->grid;
    const size_t row_bytes = (size_t)field->sy * sizeof *field->data;
    const ptrdiff_t last = brume_split_at(grid.nx, grid.nx + 1);
#pragma omp parallel for schedule(static) if (parallel)
    for (int k = 1; k <= grid.nz; k++) {
        float *plane = field->data + field->sz * k;
        memset(plane, 0, row_bytes);
        memset(plane + field->sy * (grid.ny + 1), 0, row_bytes);
        for (int j = 1; j <= grid.ny; j++) {
            plane[field->sy * j] = 0.0f;
            plane[field->sy * j + last] = 0.0f;
        }
    }
    memset(field->data, 0, (size_t)field->sz * sizeof *field->data);
    memset(field->data + field->sz * (grid.nz + 1), 0, (size_t)field->sz * sizeof *field->data);
}

void brume_split_exchange_rows(BrumeField *field, const bool periodic[3], int k, int from, int to)
{
    const int nx = field->grid.nx;
    const int ny = field->grid.ny;
    float *plane = field->data + field->sz * k;
    if (periodic[0]) {
        const ptrdiff_t first = brume_split_at(nx, 1);
        const ptrdiff_t last = brume_split_at(nx, nx);
        const ptrdiff_t beyond = brume_split_at(nx, nx + 1);
        for (int j = from; j < to; j++) {
            float *row = plane + field->sy * j;
            row[0] = row[last];
            row[beyond] = row[first];
        }
    }
    if (periodic[1]) {
        const size_t row_bytes = (size_t)field->sy * sizeof *plane;
        memcpy(plane, plane + field->sy * ny, row_bytes);
        memcpy(plane + field->sy * (ny + 1), plane + field->sy, row_bytes);
    }
}

void brume_split_exchange_ends(BrumeField *field)
{
    const int nz = field->grid.nz;
    const size_t bytes = (size_t)field->sz * sizeof *field->data;
    memcpy(field->data, field->data + field->sz * nz, bytes);
    memcpy(field->data + field->sz * (nz + 1), field->data + field->sz, bytes);
}
