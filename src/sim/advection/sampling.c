#include "sim/advection/sampling.h"

int brume_reach(double travel)
{
    // one cell more than the travel, whose last bits are rounded; nothing is inside where it is beyond all bounds
    return travel < (double)BRUME_FARTHEST ? (int)travel + 1 : BRUME_FARTHEST;
}

BrumePlace brume_place(const BrumeSim *sim, int location)
{
    const BrumeField *field = &sim->fields[BRUME_FIELD_PRESSURE];
    BrumePlace place = {.sy = field->sy, .sz = field->sz, .first_inside = 2 + sim->reach};
    for (int axis = 0; axis < 3; axis++) {
        const float n = (float)brume_cells_along(field->grid, axis);
        const bool normal = location == axis;
        const bool periodic = sim->geometry->cells.periodic[axis];
        // walls stop a trace; through other sides it comes to the ghosts, which hold what is beyond
        const bool stops_lower = periodic || sim->def.faces[2 * axis].kind == BRUME_WALL;
        const bool stops_upper = periodic || sim->def.faces[2 * axis + 1].kind == BRUME_WALL;
        place.shift[axis] = normal ? 0.5f : 0.0f;
        place.from[axis] = normal ? 1.0f : stops_lower ? 0.5f : 0.0f;
        place.to[axis] = normal ? n + 1.0f : stops_upper ? n + 0.5f : n + 1.0f;
        place.last[axis] = brume_cells_along(field->grid, axis);
        place.period[axis] = periodic ? n : 0.0f;
        place.per_period[axis] = periodic ? 1.0f / n : 0.0f;
        place.wraps = place.wraps || periodic;
        place.last_inside[axis] = brume_cells_along(field->grid, axis) - 1 - sim->reach;
    }
    return place;
}

BrumeGrid brume_carried(const BrumeSim *sim, int location)
{
    BrumeGrid carried = sim->geometry->cells.grid;
    carried.nx += location == 0 && sim->geometry->cells.open[BRUME_FACE_X_MAX];
    carried.ny += location == 1 && sim->geometry->cells.open[BRUME_FACE_Y_MAX];
    carried.nz += location == 2 && sim->geometry->cells.open[BRUME_FACE_Z_MAX];
    return carried;
}

void brume_walk_row(BrumeGrid grid, int j, int k, BrumePieceWork *work, const void *context)
{
    const BrumeBlocks blocks = brume_blocks(grid);
    for (int x = 0; x < blocks.nx; x++) {
        const int first = x * BRUME_STRETCH + 1;
        const int left = grid.nx + 1 - first;
        const int most = left < BRUME_STRETCH ? left : BRUME_STRETCH;
        const int y = (j - 1) / BRUME_TILE;
        const BrumePiece piece = {
            .i = left < BRUME_LANES ? grid.nx + 1 - BRUME_LANES : first,
            .j = j,
            .k = k,
            .count = left < BRUME_LANES ? BRUME_LANES : most,
            .strip = brume_block(&blocks, x, y, k - 1),
            .block = brume_block(&blocks, x, y, (k - 1) / BRUME_TILE),
        };
        work(context, &piece);
    }
}

void brume_walk(BrumeGrid grid, BrumePieceWork *work, const void *context)
{
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            brume_walk_row(grid, j, k, work, context);
        }
    }
}
