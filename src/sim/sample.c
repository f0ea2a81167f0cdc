#include "sim/sample.h"

BrumePlace brume_place(const BrumeSim *sim, int location)
{
    const BrumeField *field = &sim->fields[BRUME_FIELD_PRESSURE];
    BrumePlace place = {.sy = field->sy, .sz = field->sz};
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

enum { TILE = 4 }; // rows and planes of a tile

static void do_tile(BrumeGrid grid, int first_j, int first_k, BrumeRowWork *work, const void *context)
{
    const int end_j = first_j + TILE < grid.ny + 1 ? first_j + TILE : grid.ny + 1;
    const int end_k = first_k + TILE < grid.nz + 1 ? first_k + TILE : grid.nz + 1;
    for (int first = 1; first <= grid.nx; first += BRUME_STRETCH) {
        const int left = grid.nx + 1 - first;
        const int count = left < BRUME_LANES ? BRUME_LANES : left < BRUME_STRETCH ? left : BRUME_STRETCH;
        const int i = left < BRUME_LANES ? grid.nx + 1 - BRUME_LANES : first;
        for (int k = first_k; k < end_k; k++) {
            for (int j = first_j; j < end_j; j++) {
                work(context, i, j, k, count);
            }
        }
    }
}

void brume_walk(BrumeGrid grid, BrumeRowWork *work, const void *context)
{
#pragma omp parallel for schedule(static) collapse(2)
    for (int k = 1; k <= grid.nz; k += TILE) {
        for (int j = 1; j <= grid.ny; j += TILE) {
            do_tile(grid, j, k, work, context);
        }
    }
}
