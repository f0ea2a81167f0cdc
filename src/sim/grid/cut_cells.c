#include "sim/grid/cut_cells.h"

#include "core/error.h"
#include "core/field.h"
#include "core/memory.h"
#include "core/parallel/simd.h"
#include "core/shape.h"
#include "core/vec3.h"

#include <assert.h>

// The body that is nearest to a point, and its distance there; distances above `nearest` are not needed exactly.
static int nearest_body(const BrumeSimDef *def, BrumeVec3 point, float *nearest)
{
    int body = 0;
    for (int n = 0; n < def->body_count; n++) {
        const float distance = def->bodies[n].disabled ? *nearest : brume_shape_distance(&def->bodies[n].shape, point);
        if (distance < *nearest) {
            *nearest = distance;
            body = n;
        }
    }
    return body;
}

// Row (j, k): fluid where a part of the volume is open; which body closes the rest. Returns whether nothing is
// closed.
static bool set_cells(BrumeCells *cells, const BrumeSimDef *def, int j, int k)
{
    const BrumeField *volume = &cells->fractions->volume;
    bool whole = true;
    for (int i = 1; i <= cells->grid.nx; i++) {
        const ptrdiff_t c = brume_field_index(volume, i, j, k);
        const bool open = volume->data[c] > 0.0f;
        int id = 0;
        if (volume->data[c] < 1.0f) {
            float nearest = 2.0f * (def ? def->dx : 0.0f); // above the half diagonal of a cell
            id = def ? 1 + nearest_body(def, brume_cell_center(def, i, j, k), &nearest) : 1;
            whole = false;
        }
        cells->flags[c] = open ? BRUME_CELL_FLUID : BRUME_CELL_SOLID;
        cells->wall_ids[c] = (uint8_t)id;
        cells->body_ids[c] = (uint8_t)(open ? 0 : id);
    }
    return whole;
}

// closes the faces of a row of which no part is open; `x`, `y`, `z` are the fractions of the lower faces
BRUME_KERNEL static void close_covered_faces(uint8_t *restrict flags, const float *x, const float *y, const float *z,
                                             ptrdiff_t sy, ptrdiff_t sz, int count)
{
    for (int i = 1; i <= count; i++) {
        const int open = (x[i] > 0.0f) | (x[i + 1] > 0.0f) << 1 | (y[i] > 0.0f) << 2 | (y[i + sy] > 0.0f) << 3 |
                         (z[i] > 0.0f) << 4 | (z[i + sz] > 0.0f) << 5;
        flags[i] = (uint8_t)(flags[i] & (open | ~BRUME_CELL_FACES));
    }
}

// cuts the cells by distances at their corners; `def` has the bodies, NULL for the first one alone
static BrumeStatus cut(BrumeCells *cells, const BrumeField *distance, const BrumeSimDef *def, BrumeError *error)
{
    assert(!cells->fractions && cells->body_ids);
    BrumeFractions *fractions = brume_alloc(1, sizeof *fractions);
    uint8_t *wall_ids = brume_alloc(brume_grid_entries(cells->grid), sizeof *wall_ids);
    if (!fractions || !wall_ids) {
        brume_free(fractions);
        brume_free(wall_ids);
        return brume_out_of_grid_memory(error, "cut cells");
    }
    const BrumeStatus status = brume_fractions_create(fractions, distance, cells->periodic, error);
    if (status != BRUME_OK) {
        brume_free(fractions);
        brume_free(wall_ids);
        return status;
    }
    cells->fractions = fractions;
    cells->wall_ids = wall_ids;
    const BrumeGrid grid = cells->grid;
    bool whole = true;
#pragma omp parallel for schedule(static) reduction(&& : whole)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            whole = set_cells(cells, def, j, k) && whole;
        }
    }
    cells->bodies = !whole;
    brume_cells_find_open_faces(cells);
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t row = brume_field_index(distance, 0, j, k);
            close_covered_faces(cells->flags + row, fractions->face[0].data + row, fractions->face[1].data + row,
                                fractions->face[2].data + row, distance->sy, distance->sz, grid.nx);
        }
    }
    return brume_cells_find_friction_faces(cells, distance, error);
}

BrumeStatus brume_cells_find_friction_faces(BrumeCells *cells, const BrumeField *distance, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int axis = 0; axis < 3 && status == BRUME_OK; axis++) {
        brume_friction_faces_destroy(&cells->friction_faces[axis]);
        status = brume_friction_faces_create(&cells->friction_faces[axis], cells, distance, axis, error);
    }
    return status;
}

BrumeStatus brume_cells_cut_at(BrumeCells *cells, const BrumeField *distance, BrumeError *error)
{
    return cut(cells, distance, NULL, error);
}

BrumeStatus brume_cells_cut(BrumeCells *cells, const BrumeSimDef *def, BrumeError *error)
{
    const BrumeGrid grid = cells->grid;
    BrumeField distance;
    BrumeStatus status = brume_field_create(&distance, grid, error);
    if (status != BRUME_OK) {
        return status;
    }
    const float half = 0.5f * def->dx;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz + 1; k++) {
        for (int j = 1; j <= grid.ny + 1; j++) {
            for (int i = 1; i <= grid.nx + 1; i++) {
                const BrumeVec3 corner = brume_sub(brume_cell_center(def, i, j, k), brume_vec3(half, half, half));
                float nearest = 2.0f * def->dx; // above the diagonal of a cell
                (void)nearest_body(def, corner, &nearest);
                distance.data[brume_field_index(&distance, i, j, k)] = nearest;
            }
        }
    }
    status = cut(cells, &distance, def, error);
    brume_field_destroy(&distance);
    return status;
}
