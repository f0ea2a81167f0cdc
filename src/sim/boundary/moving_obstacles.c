/*
 * Obstacles that travel. At each step of the frame an obstacle is where it is at the step's end, and air at its surface
 * has its normal velocity: the faces that it covers carry its velocity, which the divergence before the projection
 * sees, and no pressure acts on them (Bridson 2015, chapter 5). What it uncovers takes the mean of the air around,
 * layer by layer; what is in cells that it newly covers is lost, as the air ahead of it has moved on.
 */
#include "core/vec3.h"
#include "sim/sim_internal.h"

enum { NOTHING, KNOWN, WANTED, FOUND }; // marks of an entry

typedef struct Box {
    int from[3], to[3];
} Box;

static BrumeVec3 moved_by(BrumeVec3 point, BrumeVec3 velocity, double seconds)
{
    return brume_vec3((float)((double)point.x + (double)velocity.x * seconds),
                      (float)((double)point.y + (double)velocity.y * seconds),
                      (float)((double)point.z + (double)velocity.z * seconds));
}

/** Takes the obstacles that travel to where they are at the end of the next `dt` [s]. The sim is as before on failure.
 */
BrumeStatus brume_move_obstacles(BrumeSim *sim, double dt, BrumeError *error)
{
    if (!sim->moving) {
        return BRUME_OK;
    }
    const double start = brume_frame_end(sim, sim->frames);
    const double end = brume_frame_end(sim, sim->frames + 1);
    const double then = sim->time + dt;
    const double elapsed = (end - then > 1e-9 * end ? then : end) - start; // [s], to the last bit at the frame's end
    BrumeSimDef def = sim->def;
    for (int n = 0; n < def.obstacle_count; n++) {
        const BrumeMotion *motion = &sim->motions[n];
        if (brume_length(motion->velocity) > 0.0f) {
            def.obstacles[n].shape = motion->from;
            def.obstacles[n].shape.a = moved_by(motion->from.a, motion->velocity, elapsed);
            def.obstacles[n].shape.b = moved_by(motion->from.b, motion->velocity, elapsed);
        }
    }

    BrumeCells cells;
    BrumeStatus status = brume_cells_create(&cells, &def, error);
    if (status != BRUME_OK) {
        return status;
    }
    BrumeGeometry *geometry = NULL;
    if (brume_cells_same(&cells, &sim->geometry->cells)) {
        brume_cells_destroy(&cells);
    } else {
        status = brume_geometry_of_cells(&geometry, &cells, &def, error);
        if (status != BRUME_OK) {
            return status;
        }
    }
    sim->def = def;
    if (geometry) {
        brume_take_geometry(sim, geometry);
    } else {
        brume_clean_boundary(sim);
    }
    return BRUME_OK;
}

/** Gives the faces along `axis` of obstacles that travel, surfaces included, the obstacle's velocity. */
void brume_impose_motion(const BrumeSim *sim, int axis, BrumeField *velocity)
{
    if (!sim->moving) {
        return;
    }
    const BrumeCells *cells = &sim->geometry->cells;
    const ptrdiff_t stride = brume_stride(velocity, axis);
    const int last = brume_cells_along(cells->grid, axis);
    for (int n = 0; n < sim->def.obstacle_count; n++) {
        const float value = brume_component(sim->motions[n].velocity, axis);
        if (value == 0.0f) {
            continue;
        }
        Box box;
        brume_cells_around(&sim->def, &sim->def.obstacles[n].shape, box.from, box.to);
        for (int k = box.from[2]; k <= box.to[2]; k++) {
            for (int j = box.from[1]; j <= box.to[1]; j++) {
                for (int i = box.from[0]; i <= box.to[0]; i++) {
                    const ptrdiff_t c = brume_field_index(velocity, i, j, k);
                    if (cells->owners[c] != n + 1) {
                        continue;
                    }
                    velocity->data[c] = value;
                    velocity->data[c + stride] = value;
                    const int index = axis == 0 ? i : axis == 1 ? j : k;
                    if (cells->periodic[axis] && index == last) { // the same face as the first
                        velocity->data[c + stride * (1 - last)] = value;
                    }
                }
            }
        }
    }
}

/** Puts a geometry of the present settings in place of the one before, which is freed. */
void brume_take_geometry(BrumeSim *sim, BrumeGeometry *geometry)
{
    BrumeGeometry *before = sim->geometry;
    sim->geometry = geometry;
    brume_fill_uncovered(sim, &before->cells);
    brume_clean_boundary(sim);
    brume_geometry_destroy(before);
}

// the cells that were solid and are no longer; `to` below `from` for none
static Box find_uncovered(const BrumeCells *cells, const BrumeCells *before)
{
    const BrumeGrid grid = cells->grid;
    Box box = {{grid.nx + 1, grid.ny + 1, grid.nz + 1}, {0, 0, 0}};
    for (int k = 1; before->obstacles && k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            const ptrdiff_t row = cells->sy * j + cells->sz * k;
            for (int i = 1; i <= grid.nx; i++) {
                if (before->flags[row + i] & ~cells->flags[row + i] & BRUME_CELL_SOLID) {
                    const int index[3] = {i, j, k};
                    for (int axis = 0; axis < 3; axis++) {
                        box.from[axis] = index[axis] < box.from[axis] ? index[axis] : box.from[axis];
                        box.to[axis] = index[axis] > box.to[axis] ? index[axis] : box.to[axis];
                    }
                }
            }
        }
    }
    return box;
}

// the entries of a location that uncovered cells have, and their neighbors
static Box entries_around(Box cells, BrumeGrid grid, int location)
{
    Box box;
    for (int axis = 0; axis < 3; axis++) {
        const int beyond = location == axis; // a cell's upper face
        const int last = brume_cells_along(grid, axis) + beyond;
        box.from[axis] = cells.from[axis] > 1 ? cells.from[axis] - 1 : 1;
        box.to[axis] = cells.to[axis] + beyond < last ? cells.to[axis] + beyond + 1 : last;
    }
    return box;
}

static bool in_air(const BrumeCells *cells, ptrdiff_t c, ptrdiff_t below)
{
    return ((cells->flags[c] | cells->flags[c - below]) & BRUME_CELL_SOLID) == 0;
}

// the mean of the known neighbors within the box; false where there is none
static bool mean_around(const BrumeField *field, const uint8_t *marks, const Box *box, const int index[3], float *mean)
{
    const ptrdiff_t c = brume_field_index(field, index[0], index[1], index[2]);
    float sum = 0.0f;
    int count = 0;
    for (int axis = 0; axis < 3; axis++) {
        const ptrdiff_t stride = brume_stride(field, axis);
        if (index[axis] > box->from[axis] && marks[c - stride] == KNOWN) {
            sum += field->data[c - stride];
            count++;
        }
        if (index[axis] < box->to[axis] && marks[c + stride] == KNOWN) {
            sum += field->data[c + stride];
            count++;
        }
    }
    *mean = count > 0 ? sum / (float)count : 0.0f;
    return count > 0;
}

// one layer of entries; returns how many found a value
static int fill_layer(BrumeField *field, uint8_t *marks, const Box *box)
{
    int found = 0;
    for (int k = box->from[2]; k <= box->to[2]; k++) {
        for (int j = box->from[1]; j <= box->to[1]; j++) {
            for (int i = box->from[0]; i <= box->to[0]; i++) {
                const ptrdiff_t c = brume_field_index(field, i, j, k);
                if (marks[c] == WANTED && mean_around(field, marks, box, (const int[]){i, j, k}, &field->data[c])) {
                    marks[c] = FOUND;
                    found++;
                }
            }
        }
    }
    for (int k = box->from[2]; found > 0 && k <= box->to[2]; k++) {
        for (int j = box->from[1]; j <= box->to[1]; j++) {
            uint8_t *row = marks + brume_field_index(field, 0, j, k);
            for (int i = box->from[0]; i <= box->to[0]; i++) {
                row[i] = row[i] == FOUND ? KNOWN : row[i];
            }
        }
    }
    return found;
}

static void mark_entries(const BrumeCells *cells, const BrumeCells *before, ptrdiff_t below, const Box *box,
                         uint8_t *marks)
{
    for (int k = box->from[2]; k <= box->to[2]; k++) {
        for (int j = box->from[1]; j <= box->to[1]; j++) {
            for (int i = box->from[0]; i <= box->to[0]; i++) {
                const ptrdiff_t c = i + cells->sy * j + cells->sz * k;
                const bool was = in_air(before, c, below);
                const bool is = in_air(cells, c, below);
                marks[c] = is ? (was ? KNOWN : WANTED) : NOTHING;
            }
        }
    }
}

/**
 * Fills the entries that are in the air now and were not in the cells `before`, of the same grid: layer by layer with
 * the mean of their neighbors, 0 where no air is near. Uses the first scratch field; serial, but only around them.
 */
void brume_fill_uncovered(BrumeSim *sim, const BrumeCells *before)
{
    const BrumeCells *cells = &sim->geometry->cells;
    const Box uncovered = find_uncovered(cells, before);
    if (uncovered.to[0] == 0) {
        return;
    }
    uint8_t *marks = (uint8_t *)sim->scratch[0].data;
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        BrumeField *field = &sim->fields[id];
        if (!field->data || id == BRUME_FIELD_PRESSURE) {
            continue;
        }
        const int location = brume_location((BrumeFieldId)id);
        const ptrdiff_t below = location == BRUME_AT_CENTER ? 0 : brume_stride(field, location);
        const Box box = entries_around(uncovered, cells->grid, location);
        mark_entries(cells, before, below, &box, marks);
        while (fill_layer(field, marks, &box) > 0) {
        }
    }
}
