#include "refine/vector_grid.h"

#include "core/memory.h"
#include "core/minmax.h"
#include "raymarch/grid_medium.h"

#include <math.h>
#include <string.h>

BrumeStatus brume_vector_grid_create(BrumeVectorGrid *vectors, BrumeGrid grid, BrumeError *error)
{
    vectors->grid = grid;
    vectors->values = brume_alloc(brume_grid_entries(grid), 4 * sizeof *vectors->values);
    brume_use_large_pages(vectors->values, brume_grid_entries(grid) * 4 * sizeof *vectors->values);
    return vectors->values ? BRUME_OK : brume_out_of_memory(error, "vectors of %zu cells", brume_grid_cells(grid));
}

void brume_vector_grid_destroy(BrumeVectorGrid *vectors)
{
    brume_free(vectors->values);
    *vectors = (BrumeVectorGrid){0};
}

static float finite_or_zero(float value) { return isfinite(value) ? value : 0.0f; }

bool brume_load_vectors(BrumeVectorGrid *vectors, const BrumeFrameGrids *frame, const char *name, float scale)
{
    const BrumeFrameGrid *grid = brume_frame_grids_find(frame, name);
    const BrumeGrid cells = frame->cells;
    if (!grid || grid->components != 3 || grid->location != BRUME_AT_CENTERS) {
        return false;
    }
#pragma omp parallel for schedule(static)
    for (int k = 0; k < cells.nz; k++) {
        for (int j = 0; j < cells.ny; j++) {
            const float *from = grid->values + 3 * (((size_t)k * (size_t)cells.ny + (size_t)j) * (size_t)cells.nx);
            float *to = brume_vector_entry(vectors, 1, j + 1, k + 1);
            for (int i = 0; i < cells.nx; i++, from += 3, to += 4) {
                for (int axis = 0; axis < 3; axis++) {
                    to[axis] = scale * finite_or_zero(from[axis]);
                }
                to[3] = 0.0f;
            }
        }
    }
    brume_replicate_edges(vectors->values, cells, 4);
    return true;
}

bool brume_load_velocity(BrumeVectorGrid *velocity, const BrumeFrameGrids *frame)
{
    const BrumeGrid cells = frame->cells;
    if (brume_load_vectors(velocity, frame, BRUME_GRID_VELOCITY, 1.0f)) {
        return true;
    }
    for (int axis = 0; axis < 3; axis++) {
        const char name[] = {BRUME_GRID_FACES[0], 'e', 'l', 'o', 'c', 'i', 't', 'y', '_', (char)('x' + axis), '\0'};
        const BrumeFrameGrid *faces = brume_frame_grids_find(frame, name);
        if (!faces || faces->components != 1 || faces->location != (BrumeGridLocation)(BRUME_AT_X_FACES + axis)) {
            return false;
        }
        const size_t nx = (size_t)cells.nx + (axis == 0);
        const size_t ny = (size_t)cells.ny + (axis == 1);
        const size_t next = axis == 0 ? 1 : axis == 1 ? nx : nx * ny;
#pragma omp parallel for schedule(static)
        for (int k = 0; k < cells.nz; k++) {
            for (int j = 0; j < cells.ny; j++) {
                const float *from = faces->values + ((size_t)k * ny + (size_t)j) * nx;
                float *to = brume_vector_entry(velocity, 1, j + 1, k + 1) + axis;
                for (int i = 0; i < cells.nx; i++, from++, to += 4) {
                    *to = finite_or_zero(0.5f * (from[0] + from[next]));
                }
            }
        }
    }
    brume_replicate_edges(velocity->values, cells, 4);
    return true;
}

void brume_vector_grid_mean(BrumeVectorGrid *mean, const BrumeVectorGrid *a, const BrumeVectorGrid *b)
{
    const ptrdiff_t count = 4 * (ptrdiff_t)brume_grid_entries(mean->grid);
#pragma omp parallel for schedule(static)
    for (ptrdiff_t n = 0; n < count; n++) {
        mean->values[n] = 0.5f * (a->values[n] + b->values[n]);
    }
}

// the largest absolute value of a component
static float largest_component(const BrumeVectorGrid *vectors)
{
    const ptrdiff_t count = 4 * (ptrdiff_t)brume_grid_entries(vectors->grid);
    float largest = 0.0f;
#pragma omp parallel for schedule(static) reduction(max : largest)
    for (ptrdiff_t n = 0; n < count; n++) {
        largest = brume_fmaxf(largest, fabsf(vectors->values[n]));
    }
    return largest;
}

void brume_trace_back(BrumeVectorGrid *displacements, const BrumeVectorGrid *velocity, double seconds, double dx)
{
    const BrumeGrid grid = velocity->grid;
    const float cells_per_mps = (float)(seconds / dx);
    const int parts = (int)ceilf(brume_clamp(largest_component(velocity) * fabsf(cells_per_mps), 1.0f, 16.0f));
    const float step = cells_per_mps / (float)parts;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const BrumeFloat4 center = {(float)i - 0.5f, (float)j - 0.5f, (float)k - 0.5f, 0.0f};
                BrumeFloat4 point = center;
                for (int part = 0; part < parts; part++) {
                    const BrumeFloat4 middle = point - 0.5f * step * brume_vector_at(velocity, point);
                    point -= step * brume_vector_at(velocity, middle);
                }
                point -= center;
                memcpy(brume_vector_entry(displacements, i, j, k), &point, 4 * sizeof(float));
            }
        }
    }
    brume_replicate_edges(displacements->values, grid, 4);
}
