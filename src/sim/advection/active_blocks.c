/*
 * Active blocks: blocks in which the velocity has vorticity, or in which temperature or smoke make a force, and blocks
 * that air from them reaches. A component of the vorticity belongs to an edge of a cell, where it is the circulation
 * around the edge through the four faces at it, over the area of a cell face.
 */
#include "core/field.h"
#include "core/minmax.h"
#include "core/parallel/simd.h"
#include "sim/advection/advection.h"
#include "sim/boundary/geometry.h"

#include <math.h>
#include <string.h>

enum { SIDE = BRUME_ACTIVE_SIDE, MOST_SCALARS = BRUME_FIELD_COUNT - BRUME_FIELD_TEMPERATURE };

BrumeGrid brume_active_grid(BrumeGrid cells)
{
    return (BrumeGrid){(cells.nx + BRUME_ACTIVE_SIDE - 1) / BRUME_ACTIVE_SIDE,
                       (cells.ny + BRUME_ACTIVE_SIDE - 1) / BRUME_ACTIVE_SIDE,
                       (cells.nz + BRUME_ACTIVE_SIDE - 1) / BRUME_ACTIVE_SIDE};
}

size_t brume_active_block(BrumeGrid cells, int i, int j, int k)
{
    const BrumeGrid blocks = brume_active_grid(cells);
    const int a = brume_min_int((i - 1) / BRUME_ACTIVE_SIDE, blocks.nx - 1);
    const int b = brume_min_int((j - 1) / BRUME_ACTIVE_SIDE, blocks.ny - 1);
    const int c = brume_min_int((k - 1) / BRUME_ACTIVE_SIDE, blocks.nz - 1);
    return (size_t)a + (size_t)blocks.nx * ((size_t)b + (size_t)blocks.ny * (size_t)c);
}

// the blocks from..to along an axis within `reach` of block n, before wrapping; at a closed side they end
static void blocks_near(int n, int count, int reach, bool periodic, int *from, int *to)
{
    *from = periodic ? n - reach : brume_max_int(n - reach, 0);
    *to = periodic ? n + reach : brume_min_int(n + reach, count - 1);
}

// block n, counted from 0
static int wrapped(int n, int count) { return brume_wrap_any_index(n + 1, count) - 1; }

static void mark_around(const BrumeSim *sim, BrumeGrid blocks, int reach, const int at[3], uint8_t *marks)
{
    const bool *periodic = sim->geometry->cells.periodic;
    int from[3];
    int to[3];
    for (int axis = 0; axis < 3; axis++) {
        blocks_near(at[axis], brume_cells_along(blocks, axis), reach, periodic[axis], &from[axis], &to[axis]);
    }
    for (int c = from[2]; c <= to[2]; c++) {
        for (int b = from[1]; b <= to[1]; b++) {
            const size_t row =
                (size_t)blocks.nx * ((size_t)wrapped(b, blocks.ny) + (size_t)blocks.ny * (size_t)wrapped(c, blocks.nz));
            for (int a = from[0]; a <= to[0]; a++) {
                marks[row + (size_t)wrapped(a, blocks.nx)] = 1;
            }
        }
    }
}

void brume_dilate_blocks(const BrumeSim *sim, const uint8_t *active, int distance, uint8_t *dilated)
{
    const BrumeGrid cells = sim->geometry->cells.grid;
    const BrumeGrid blocks = brume_active_grid(cells);
    const int most = brume_max_int(blocks.nx, brume_max_int(blocks.ny, blocks.nz));
    // across a periodic side the last block, which may be smaller, counts as one more
    const int near = brume_min_int(distance, most * BRUME_ACTIVE_SIDE);
    const int whole = (near + BRUME_ACTIVE_SIDE - 1) / BRUME_ACTIVE_SIDE;
    const bool *periodic = sim->geometry->cells.periodic;
    const bool partial = (periodic[0] && cells.nx % BRUME_ACTIVE_SIDE) ||
                         (periodic[1] && cells.ny % BRUME_ACTIVE_SIDE) || (periodic[2] && cells.nz % BRUME_ACTIVE_SIDE);
    const int reach = brume_min_int(whole + partial, most);
    memset(dilated, 0, brume_grid_cells(blocks));
    for (int c = 0; c < blocks.nz; c++) {
        for (int b = 0; b < blocks.ny; b++) {
            for (int a = 0; a < blocks.nx; a++) {
                if (active[(size_t)a + (size_t)blocks.nx * ((size_t)b + (size_t)blocks.ny * (size_t)c)]) {
                    mark_around(sim, blocks, reach, (const int[3]){a, b, c}, dilated);
                }
            }
        }
    }
}

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
