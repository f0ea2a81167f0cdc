#include "sim/advection/sampling.h"
#include "sim/advection/advection.h"
#include "sim/boundary/geometry.h"

#include <assert.h>

int brume_displacement_bound(double displacement)
{
    // one cell more than the displacement, which is rounded; comparison with NaN is false
    return displacement < (double)BRUME_DISPLACEMENT_UNBOUNDED ? (int)displacement + 1 : BRUME_DISPLACEMENT_UNBOUNDED;
}

BrumeSamplingDomain brume_sampling_domain(const BrumeSim *sim, int location)
{
    const BrumeField *field = &sim->fields[BRUME_FIELD_PRESSURE];
    const int bound = sim->advection->displacement_bound;
    assert(bound > 0);
    BrumeSamplingDomain domain = {.sy = field->sy, .sz = field->sz, .bound = bound};
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
        domain.cells[axis] = cells;
    }
    return domain;
}

void brume_for_each_segment_of_row(BrumeGrid grid, int j, int k, BrumeSegmentKernel *kernel, const void *context)
{
    const BrumeBlocks blocks = brume_blocks(grid);
    for (int x = 0; x < blocks.nx; x++) {
        const int first = x * BRUME_SEGMENT + 1;
        const int left = grid.nx + 1 - first;
        const int most = left < BRUME_SEGMENT ? left : BRUME_SEGMENT;
        const int y = (j - 1) / BRUME_BLOCK_ROWS;
        const BrumeRowSegment segment = {
            .i = left < BRUME_LANES ? grid.nx + 1 - BRUME_LANES : first,
            .j = j,
            .k = k,
            .count = left < BRUME_LANES ? BRUME_LANES : most,
            .strip = brume_block(&blocks, x, y, k - 1),
            .block = brume_block(&blocks, x, y, (k - 1) / BRUME_BLOCK_ROWS),
        };
        kernel(context, &segment);
    }
}

void brume_for_each_segment(BrumeGrid grid, BrumeSegmentKernel *kernel, const void *context)
{
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            brume_for_each_segment_of_row(grid, j, k, kernel, context);
        }
    }
}
