/*
 * Active blocks: advection of velocity in a part of the box. Where the velocity has neither vorticity nor force, its
 * advection is a gradient, which the projection removes; there the velocity need not be advected. The results are set
 * in the active blocks; elsewhere the velocity is extrapolated. The corrector of an active block reads predicted values
 * up to one displacement away, and those inside obstacles are extrapolated from two more layers: the predictor
 * therefore runs in the active blocks and a margin around them, and the trace in the cells beside the faces of both.
 */
#include "core/field.h"
#include "core/minmax.h"
#include "core/parallel/simd.h"
#include "sim/advection/advection.h"
#include "sim/boundary/geometry.h"

#include <assert.h>
#include <string.h>

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

BRUME_KERNEL static void reflect_row(float *restrict to, const float *base, const float *carried, int count)
{
    for (int i = 0; i < count; i++) {
        to[i] = 2.0f * base[i] - carried[i];
    }
}

// sets the entries of row (j, k) that are in blocks which are not active
static void set_inactive_row(BrumeGrid cells, int entries, int j, int k, const uint8_t *active, const BrumeField *base,
                             const BrumeField *carried, BrumeField *to)
{
    const BrumeGrid blocks = brume_active_grid(cells);
    const uint8_t *row = active + brume_active_block(cells, 1, j, k);
    for (int a = 0; a < blocks.nx; a++) {
        const int first = BRUME_ACTIVE_SIDE * a + 1;
        const int last = a == blocks.nx - 1 ? entries : first + BRUME_ACTIVE_SIDE - 1;
        const ptrdiff_t c = brume_field_index(to, first, j, k);
        if (!row[a]) {
            reflect_row(to->data + c, base->data + c, carried->data + c, last - first + 1);
        }
    }
}

static void set_inactive(const BrumeSim *sim, const BrumeActiveBlocks *blocks, const BrumeField carried[3],
                         BrumeField to[3])
{
    for (int axis = 0; axis < 3; axis++) {
        const BrumeGrid entries = brume_advected_entries(sim, axis);
#pragma omp parallel for schedule(static)
        for (int k = 1; k <= entries.nz; k++) {
            for (int j = 1; j <= entries.ny; j++) {
                set_inactive_row(sim->geometry->cells.grid, entries.nx, j, k, blocks->active, &blocks->base[axis],
                                 &carried[axis], &to[axis]);
            }
        }
    }
}

void brume_advect_active_velocity(BrumeSim *sim, const BrumeField transport[3], BrumeField carried[3], double max_speed,
                                  float dt, const BrumeActiveBlocks *blocks, BrumeField results[3])
{
    sim->advection->region = blocks->active;
    brume_advect_velocity(sim, transport, carried, max_speed, dt, results);
    sim->advection->region = NULL;
    brume_invalidate(sim, BRUME_VALID_DISPLACEMENT);
    set_inactive(sim, blocks, carried, results);
}
