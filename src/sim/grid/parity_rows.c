#include "sim/grid/parity_rows.h"

#include "core/domain.h"
#include "core/parallel/simd.h"

#include <string.h>

BRUME_KERNEL static void separate_parities(float *restrict even, float *restrict odd, const float *row, int pairs)
{
    for (int n = 0; n < pairs; n++) {
        even[n] = row[2 * n];
        odd[n] = row[2 * n + 1];
    }
}

BRUME_KERNEL static void interleave_parities(float *restrict row, const float *even, const float *odd, int pairs)
{
    for (int n = 0; n < pairs; n++) {
        row[2 * n] = even[n];
        row[2 * n + 1] = odd[n];
    }
}

void brume_row_to_parity_order(float *restrict to, const float *from, int nx)
{
    separate_parities(to, to + brume_parity_odd_start(nx), from, (nx + 2) / 2);
    if (nx % 2 != 0) {
        to[(nx + 1) / 2] = from[nx + 1];
    }
}

void brume_row_from_parity_order(float *restrict to, const float *from, int nx)
{
    interleave_parities(to, from, from + brume_parity_odd_start(nx), (nx + 2) / 2);
    if (nx % 2 != 0) {
        to[nx + 1] = from[(nx + 1) / 2];
    }
}

static void reorder_plane(BrumeField *field, int k, void (*reorder)(float *restrict, const float *, int))
{
    float row[BRUME_PRESSURE_MAX_ROW + 2];
    for (int j = 0; j <= field->grid.ny + 1; j++) {
        float *entries = field->data + field->sy * j + field->sz * k;
        memcpy(row, entries, (size_t)field->sy * sizeof *row);
        reorder(entries, row, field->grid.nx);
    }
}

static void reorder_field(BrumeField *field, bool parallel, void (*reorder)(float *restrict, const float *, int))
{
    const int nz = field->grid.nz;
#pragma omp parallel for schedule(static) if (parallel)
    for (int k = 1; k <= nz; k++) {
        reorder_plane(field, k, reorder);
    }
    reorder_plane(field, 0, reorder);
    reorder_plane(field, nz + 1, reorder);
}

void brume_field_to_parity_order(BrumeField *field, bool parallel)
{
    reorder_field(field, parallel, brume_row_to_parity_order);
}

void brume_field_from_parity_order(BrumeField *field, bool parallel)
{
    reorder_field(field, parallel, brume_row_from_parity_order);
}

void brume_parity_clear_ghosts(BrumeField *field, bool parallel)
{
    const BrumeGrid grid = field->grid;
    const size_t row_bytes = (size_t)field->sy * sizeof *field->data;
    const ptrdiff_t last = brume_parity_entry(grid.nx, grid.nx + 1);
#pragma omp parallel for schedule(static) if (parallel)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        float *plane = field->data + field->sz * k;
        memset(plane, 0, row_bytes);
        memset(plane + field->sy * (grid.ny + 1), 0, row_bytes);
        for (int j = 1; j <= grid.ny; j++) {
            plane[field->sy * j] = 0.0f;
            plane[field->sy * j + last] = 0.0f;
        }
    }
    for (int k = 0; k <= grid.nz + 1; k += grid.nz + 1) {
        if (brume_has_plane(grid, k)) {
            memset(field->data + field->sz * k, 0, (size_t)field->sz * sizeof *field->data);
        }
    }
}

void brume_parity_fill_ghosts(BrumeField *field, const bool periodic[3], int k, int from, int to)
{
    const int nx = field->grid.nx;
    const int ny = field->grid.ny;
    float *plane = field->data + field->sz * k;
    if (periodic[0]) {
        const ptrdiff_t first = brume_parity_entry(nx, 1);
        const ptrdiff_t last = brume_parity_entry(nx, nx);
        const ptrdiff_t upper_ghost = brume_parity_entry(nx, nx + 1);
        for (int j = from; j < to; j++) {
            float *row = plane + field->sy * j;
            row[0] = row[last];
            row[upper_ghost] = row[first];
        }
    }
    if (periodic[1]) {
        const size_t row_bytes = (size_t)field->sy * sizeof *plane;
        memcpy(plane, plane + field->sy * ny, row_bytes);
        memcpy(plane + field->sy * (ny + 1), plane + field->sy, row_bytes);
    }
}

void brume_parity_fill_ghost_planes(BrumeField *field)
{
    const int nz = field->grid.nz;
    const size_t bytes = (size_t)field->sz * sizeof *field->data;
    if (brume_has_plane(field->grid, 0) || brume_has_plane(field->grid, nz + 1)) {
        memcpy(field->data, field->data + field->sz * nz, bytes);
        memcpy(field->data + field->sz * (nz + 1), field->data + field->sz, bytes);
    }
}
