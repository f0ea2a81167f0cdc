#include "sim/grid/cut_cells.h"

#include "core/error.h"
#include "core/field.h"
#include "core/memory.h"
#include "core/parallel/simd.h"
#include "core/shape.h"
#include "core/vec3.h"

#include <assert.h>

enum { SIDES = 6 };

// Gives the solid cells whose center lies in no obstacle, next to a thin or blunt edge, the obstacle of a neighbor.
static void find_obstacles_of_closed_cells(BrumeCells *cells, const BrumeField *volume)
{
    const BrumeGrid grid = cells->grid;
    const ptrdiff_t neighbors[SIDES] = {-1, 1, -cells->sy, cells->sy, -cells->sz, cells->sz};
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t c = brume_field_index(volume, i, j, k);
                uint8_t *id = &cells->obstacle_ids[c];
                if (volume->data[c] > 0.0f || *id > 0) {
                    continue;
                }
                for (int n = 0; n < SIDES && *id == 0; n++) {
                    *id = id[neighbors[n]];
                }
                *id = *id > 0 ? *id : 1;
            }
        }
    }
}

// row (j, k): fluid where a part of the volume is open. Returns whether all of each volume is.
static bool set_cells(BrumeCells *cells, const BrumeField *volume, int j, int k)
{
    bool whole = true;
    for (int i = 1; i <= cells->grid.nx; i++) {
        const ptrdiff_t c = brume_field_index(volume, i, j, k);
        const bool open = volume->data[c] > 0.0f;
        whole = whole && volume->data[c] == 1.0f;
        cells->flags[c] = open ? BRUME_CELL_FLUID : BRUME_CELL_SOLID;
        cells->obstacle_ids[c] = open ? 0 : cells->obstacle_ids[c];
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

BrumeStatus brume_cells_cut_at(BrumeCells *cells, const BrumeField *distance, BrumeError *error)
{
    assert(!cells->fractions && cells->obstacle_ids);
    BrumeFractions *fractions = brume_alloc(1, sizeof *fractions);
    if (!fractions) {
        return brume_out_of_grid_memory(error, "cut cells");
    }
    const BrumeStatus status = brume_fractions_create(fractions, distance, cells->periodic, error);
    if (status != BRUME_OK) {
        brume_free(fractions);
        return status;
    }
    cells->fractions = fractions;
    const BrumeGrid grid = cells->grid;
    find_obstacles_of_closed_cells(cells, &fractions->volume);
    bool whole = true;
#pragma omp parallel for schedule(static) reduction(&& : whole)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            whole = set_cells(cells, &fractions->volume, j, k) && whole;
        }
    }
    cells->obstacles = !whole;
    brume_cells_find_open_faces(cells);
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t row = brume_field_index(distance, 0, j, k);
            close_covered_faces(cells->flags + row, fractions->face[0].data + row, fractions->face[1].data + row,
                                fractions->face[2].data + row, distance->sy, distance->sz, grid.nx);
        }
    }
    return BRUME_OK;
}

// The distance of a corner to the nearest obstacle. A distance of more than a cell's diagonal is not needed exactly.
static float distance_at(const BrumeSimDef *def, BrumeVec3 corner)
{
    float nearest = 2.0f * def->dx;
    for (int n = 0; n < def->obstacle_count; n++) {
        const float distance =
            def->obstacles[n].disabled ? nearest : brume_shape_distance(&def->obstacles[n].shape, corner);
        nearest = distance < nearest ? distance : nearest;
    }
    return nearest;
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
                const BrumeVec3 center = brume_cell_center(def, i, j, k);
                distance.data[brume_field_index(&distance, i, j, k)] =
                    distance_at(def, brume_vec3(center.x - half, center.y - half, center.z - half));
            }
        }
    }
    status = brume_cells_cut_at(cells, &distance, error);
    brume_field_destroy(&distance);
    return status;
}
