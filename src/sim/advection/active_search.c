/*
 * The search for active blocks (active_blocks.c): those in which the velocity has vorticity, or in which temperature or
 * smoke make a force. A component of the vorticity belongs to an edge of a cell, where it is the circulation around the
 * edge through the four faces beside it, over the area of a cell face.
 */
#include "core/minmax.h"
#include "core/parallel/simd.h"
#include "sim/advection/advection.h"
#include "sim/boundary/geometry.h"

#include <math.h>
#include <string.h>

enum { SIDE = BRUME_ACTIVE_SIDE, MOST_SCALARS = BRUME_FIELD_COUNT - BRUME_FIELD_TEMPERATURE };

// a row of cells: its entries of the velocity and the scalars
typedef struct SearchRow {
    const float *u, *v, *w;
    ptrdiff_t sy, sz;
    const float *scalars[MOST_SCALARS];
    int scalar_count;
    float limit; // of the vorticity times dx [m/s]
} SearchRow;

// whether any of `count` cells from `first` on has a vorticity above the limit at one of its lower edges, or a scalar
BRUME_INLINE bool is_active(const SearchRow *row, int first, int count)
{
    int32_t any = 0;
    for (int i = first; i < first + count; i++) {
        const float x = (row->w[i] - row->w[i - row->sy]) - (row->v[i] - row->v[i - row->sz]);
        const float y = (row->u[i] - row->u[i - row->sz]) - (row->w[i] - row->w[i - 1]);
        const float z = (row->v[i] - row->v[i - 1]) - (row->u[i] - row->u[i - row->sy]);
        any |= fabsf(x) > row->limit || fabsf(y) > row->limit || fabsf(z) > row->limit;
    }
    for (int n = 0; n < row->scalar_count; n++) {
        for (int i = first; i < first + count; i++) {
            any |= row->scalars[n][i] != 0.0f;
        }
    }
    return any != 0;
}

BRUME_KERNEL static void search_row(uint8_t *restrict active, const SearchRow *row, int count)
{
    const int blocks = (count + SIDE - 1) / SIDE;
    for (int a = 0; a < blocks; a++) {
        const int first = SIDE * a;
        if (!active[a]) {
            active[a] = count - first >= SIDE ? is_active(row, first, SIDE) : is_active(row, first, count - first);
        }
    }
}

const uint8_t *brume_find_active_blocks(BrumeSim *sim, float limit, int distance)
{
    const BrumeGrid cells = sim->geometry->cells.grid;
    uint8_t *active = sim->advection->found;
    const BrumeGrid blocks = brume_active_grid(cells);
    memset(active, 0, brume_grid_cells(blocks));
#pragma omp parallel for schedule(static)
    for (int c = 0; c < blocks.nz; c++) {
        // the last block along an axis has the edges on the upper side of the box too
        const int to_k = c == blocks.nz - 1 ? cells.nz + 1 : SIDE * (c + 1);
        for (int k = SIDE * c + 1; k <= to_k; k++) {
            for (int j = 1; j <= cells.ny + 1; j++) {
                const ptrdiff_t at = brume_field_index(&sim->fields[0], 1, j, k);
                SearchRow row = {
                    .u = sim->fields[BRUME_FIELD_U].data + at,
                    .v = sim->fields[BRUME_FIELD_V].data + at,
                    .w = sim->fields[BRUME_FIELD_W].data + at,
                    .sy = sim->fields[0].sy,
                    .sz = sim->fields[0].sz,
                    .limit = limit,
                };
                for (int id = BRUME_FIELD_TEMPERATURE; j <= cells.ny && k <= cells.nz && id < BRUME_FIELD_COUNT; id++) {
                    if (sim->fields[id].data) {
                        row.scalars[row.scalar_count++] = sim->fields[id].data + at;
                    }
                }
                search_row(active + brume_active_block(cells, 1, j, k), &row, cells.nx);
            }
        }
    }
    brume_dilate_blocks(sim, active, distance + 1, sim->advection->active);
    return sim->advection->active;
}
