#include "sim/advection/sampling.h"
#include "core/domain.h"
#include "sim/advection/advection.h"
#include "sim/boundary/geometry.h"

#include <assert.h>

int brume_displacement_bound(double displacement)
{
    // one cell more than the displacement, which is rounded; comparison with NaN is false
    return displacement < (double)BRUME_DISPLACEMENT_UNBOUNDED ? (int)displacement + 1 : BRUME_DISPLACEMENT_UNBOUNDED;
}

BrumeGrid brume_advected_entries(const BrumeSim *sim, int location)
{
    BrumeGrid entries = sim->geometry->cells.grid;
    entries.nx += location == 0 && sim->geometry->cells.open[BRUME_FACE_X_MAX];
    entries.ny += location == 1 && sim->geometry->cells.open[BRUME_FACE_Y_MAX];
    entries.nz += location == 2 && sim->geometry->cells.open[BRUME_FACE_Z_MAX];
    return entries;
}

BrumeSamplingDomain brume_sampling_domain(const BrumeSim *sim, int location)
{
    const BrumeField *field = &sim->fields[BRUME_FIELD_PRESSURE];
    const int bound = sim->advection->displacement_bound;
    assert(bound > 0);
    BrumeSamplingDomain domain = {
        .sy = field->sy,
        .sz = field->sz,
        .entries = (ptrdiff_t)brume_grid_entries(field->grid),
        .bound = bound,
        .first_interior = 2 + bound,
    };
    for (int axis = 0; axis < 3; axis++) {
        const int cells = brume_cells_along(field->grid, axis);
        const float n = (float)cells;
        const bool normal = location == axis;
        const bool periodic = sim->geometry->cells.periodic[axis];
        // paths end at walls; through other sides they reach the ghosts, which hold the values outside the box
        const bool ends_lower = periodic || sim->def.faces[2 * axis].kind == BRUME_WALL;
        const bool ends_upper = periodic || sim->def.faces[2 * axis + 1].kind == BRUME_WALL;
        domain.lowest[axis] = normal ? 1.0f : ends_lower ? 0.5f : 0.0f;
        domain.highest[axis] = normal ? n + 1.0f : ends_upper ? n + 0.5f : n + 1.0f;
        domain.last[axis] = cells;
        domain.period[axis] = periodic ? n : 0.0f;
        domain.inverse_period[axis] = periodic ? 1.0f / n : 0.0f;
        domain.periodic = domain.periodic || periodic;
        domain.last_interior[axis] = cells - 1 - bound;
    }
    return domain;
}

// entries from..to of a row, in segments
static void run_segments(BrumeGrid grid, int from, int to, int j, int k, BrumeSegmentKernel *kernel,
                         const void *context)
{
    const BrumeBlocks blocks = brume_blocks(grid);
    for (int first = from; first <= to; first += BRUME_SEGMENT) {
        const int left = to + 1 - first;
        const int x = (first - 1) / BRUME_SEGMENT;
        const int y = (j - 1) / BRUME_BLOCK_ROWS;
        const BrumeRowSegment segment = {
            .i = left < BRUME_LANES ? to + 1 - BRUME_LANES : first,
            .j = j,
            .k = k,
            .count = left < BRUME_LANES     ? BRUME_LANES
                     : left < BRUME_SEGMENT ? left
                                            : BRUME_SEGMENT,
            .strip = brume_block(&blocks, x, y, k - 1),
            .block = brume_block(&blocks, x, y, (k - 1) / BRUME_BLOCK_ROWS),
        };
        kernel(context, &segment);
    }
}

void brume_for_each_segment_of_row(BrumeGrid grid, int j, int k, BrumeSegmentKernel *kernel, const void *context)
{
    run_segments(grid, 1, grid.nx, j, k, kernel, context);
}

// the blocks of the rows that a test reads: one row for faces, up to four for cells
typedef struct BlockRows {
    const uint8_t *rows[4];
    int count;
    int blocks;     // in a row
    bool with_next; // whether the next block along x counts, too
    bool periodic;  // along x
} BlockRows;

static bool any_active(const BlockRows *rows, int a)
{
    bool any = false;
    for (int n = 0; n < rows->count; n++) {
        any = any || rows->rows[n][a];
    }
    return any;
}

static bool is_processed(const BlockRows *rows, int a)
{
    if (any_active(rows, a)) {
        return true;
    }
    const bool last = a == rows->blocks - 1;
    return rows->with_next && (!last || rows->periodic) && any_active(rows, last ? 0 : a + 1);
}

// whether any of the rows has a block that is active
BRUME_KERNEL static int rows_have_blocks(const BlockRows *rows)
{
    uint8_t any = 0;
    for (int n = 0; n < rows->count; n++) {
        for (int a = 0; a < rows->blocks; a++) {
            any |= rows->rows[n][a];
        }
    }
    return any;
}

// adjacent blocks are processed as one run
static void run_blocks(const BlockRows *rows, BrumeGrid grid, int j, int k, BrumeSegmentKernel *kernel,
                       const void *context)
{
    if (!rows_have_blocks(rows)) {
        return;
    }
    int a = 0;
    while (a < rows->blocks) {
        int end = a;
        while (end < rows->blocks && is_processed(rows, end)) {
            end++;
        }
        if (end > a) {
            run_segments(grid, BRUME_ACTIVE_SIDE * a + 1, end == rows->blocks ? grid.nx : BRUME_ACTIVE_SIDE * end, j, k,
                         kernel, context);
        }
        a = end + 1;
    }
}

void brume_for_each_active_segment_of_row(const BrumeRegion *region, BrumeGrid grid, int j, int k,
                                          BrumeSegmentKernel *kernel, const void *context)
{
    if (!region->blocks) {
        brume_for_each_segment_of_row(grid, j, k, kernel, context);
        return;
    }
    const BlockRows rows = {
        .rows = {region->blocks + brume_active_block(region->cells, 1, j, k)},
        .count = 1,
        .blocks = brume_active_grid(region->cells).nx,
    };
    run_blocks(&rows, grid, j, k, kernel, context);
}

// the row above row n along an axis: of a face whose lower neighbor is in row n
static int row_above(const BrumeRegion *region, int axis, int n)
{
    const int last = brume_cells_along(region->cells, axis);
    return n < last ? n + 1 : region->periodic[axis] ? 1 : last;
}

void brume_for_each_segment_next_to_active(const BrumeRegion *region, int j, int k, BrumeSegmentKernel *kernel,
                                           const void *context)
{
    if (!region->blocks) {
        brume_for_each_segment_of_row(region->cells, j, k, kernel, context);
        return;
    }
    BlockRows rows = {
        .blocks = brume_active_grid(region->cells).nx,
        .with_next = true,
        .periodic = region->periodic[0],
    };
    const int y[2] = {j, row_above(region, 1, j)};
    const int z[2] = {k, row_above(region, 2, k)};
    for (int n = 0; n < 4; n++) {
        rows.rows[rows.count++] = region->blocks + brume_active_block(region->cells, 1, y[n % 2], z[n / 2]);
    }
    run_blocks(&rows, region->cells, j, k, kernel, context);
}

void brume_for_each_segment(BrumeGrid grid, BrumeSegmentKernel *kernel, const void *context)
{
#pragma omp parallel for schedule(static)
    for (int k = brume_first_plane(grid); k <= brume_last_plane(grid); k++) {
        for (int j = 1; j <= grid.ny; j++) {
            brume_for_each_segment_of_row(grid, j, k, kernel, context);
        }
    }
}
