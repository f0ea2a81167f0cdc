// Coefficients of coarse faces where cells are reassigned to other blocks. A finer face couples the coarse cells of its
// two cells; in most cases these are one and the same or adjacent, and the coefficient is added to the face between
// them. If they are not adjacent, as at the edge of a plate, the coupling is distributed over the faces of a path of
// coarse cells that are coupled already. No coupling may be lost: the corrections of a coarse cell with too weak a
// coupling are too large, and the cycle is no longer positive definite.
#include "core/field.h"
#include "sim/pressure/multigrid/aggregation.h"
#include "sim/pressure/multigrid/level.h"

#include <stdlib.h>

enum {
    AXES = 3,
    LONGEST_PATH = 9, ///< faces between the coarse cells of two adjacent cells
};

// copies the lower faces of the first cells along a periodic axis to the upper faces of the last: they are the same
static void copy_periodic_faces(BrumeField *face, int axis, bool periodic)
{
    const BrumeGrid grid = face->grid;
    const int count = brume_cells_along(grid, axis);
    const ptrdiff_t stride = brume_stride(face, axis);
    for (int k = 1; periodic && k <= (axis == 2 ? 1 : grid.nz); k++) {
        for (int j = 1; j <= (axis == 1 ? 1 : grid.ny); j++) {
            for (int i = 1; i <= (axis == 0 ? 1 : grid.nx); i++) {
                float *first = &face->data[brume_field_index(face, i, j, k)];
                first[stride * count] = *first;
            }
        }
    }
}

// The coarse faces that are summed, and the data from which they are computed.
typedef struct Couplings {
    BrumeField *face; ///< (3)
    const uint8_t *map;
    const BrumeMultigridLevel *fine;
} Couplings;

// the coarse face between a coarse cell and the next one in direction `step` (1 or -1) along an axis
static float *face_between(const Couplings *couplings, const int at[AXES], int axis, int step)
{
    BrumeField *face = &couplings->face[axis];
    int upper[AXES] = {at[0], at[1], at[2]};
    upper[axis] += step > 0;
    for (int a = 0; a < AXES; a++) {
        const int count = brume_cells_along(face->grid, a);
        upper[a] = couplings->fine->periodic[a] ? brume_wrap_index(upper[a], count) : upper[a];
    }
    return &face->data[brume_field_index(face, upper[0], upper[1], upper[2])];
}

// the orders in which a path can follow the three axes
static const int orders[][AXES] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

// the faces of the path from one coarse cell to another that follows the axes in `order`; returns their number
static int find_path(float *path[], const Couplings *couplings, const int from[AXES], const int to[AXES],
                     const int order[AXES])
{
    int at[AXES] = {from[0], from[1], from[2]};
    int count = 0;
    for (int n = 0; n < AXES; n++) {
        const int axis = order[n];
        while (at[axis] != to[axis] && count < LONGEST_PATH) {
            const int step = to[axis] > at[axis] ? 1 : -1;
            path[count++] = face_between(couplings, at, axis, step);
            at[axis] += step;
        }
    }
    return count;
}

// Adds a coupling of two coarse cells to all faces of a path between them: the first path without a closed face, else
// the last one. A path of n faces gets n times the coefficient on each of them: by Cauchy-Schwarz, (x_1 - x_n+1)^2 is
// at most n times the sum of the squared differences along the path, so the coarse operator is not weaker than the
// coupling.
static void add_along_path(const Couplings *couplings, const int from[AXES], const int to[AXES], float coefficient)
{
    float *path[LONGEST_PATH] = {NULL};
    int count = 0;
    for (size_t n = 0; n < sizeof orders / sizeof *orders; n++) {
        bool open = true;
        count = find_path(path, couplings, from, to, orders[n]);
        for (int face = 0; face < count; face++) {
            open = open && *path[face] > 0.0f;
        }
        if (open) {
            break;
        }
    }
    for (int face = 0; face < count; face++) {
        *path[face] += (float)count * coefficient;
    }
}

// Adds the coefficient of a cell's lower face if the coarse cells that it couples are adjacent, or, without `adjacent`,
// if they are not. The ghost beyond an open side counts as a coarse cell here.
static void add_coupling(const Couplings *couplings, int axis, const int cell[AXES], bool adjacent)
{
    const BrumeMultigridLevel *fine = couplings->fine;
    const int size = brume_cells_along(fine->grid, axis);
    const int coarse_size = brume_cells_along(couplings->face->grid, axis);
    const bool before_first = cell[axis] == 1;
    const bool behind_last = cell[axis] > size;
    if (behind_last && fine->periodic[axis]) {
        return; // the same face as the lower one of the first cell
    }
    int lower[AXES] = {cell[0], cell[1], cell[2]};
    lower[axis] = before_first ? size : cell[axis] - 1;
    int from[AXES];
    int to[AXES];
    brume_aggregate_of(from, couplings->map, fine, before_first && !fine->periodic[axis] ? cell : lower);
    brume_aggregate_of(to, couplings->map, fine, behind_last ? lower : cell);
    if (fine->periodic[axis]) {
        from[axis] -= before_first ? coarse_size : 0;
    } else {
        from[axis] = before_first ? 0 : from[axis];
        to[axis] = behind_last ? coarse_size + 1 : to[axis];
    }
    int distance = 0;
    for (int a = 0; a < AXES; a++) {
        distance += abs(to[a] - from[a]);
    }
    if (adjacent ? distance == 1 : distance > 1) {
        add_along_path(couplings, from, to, brume_level_face(fine, axis, cell));
    }
}

// Whether the lower face of a cell is inside the box and both of its cells belong to their own blocks, as nearly all.
static bool between_own_blocks(const Couplings *couplings, int axis, const int cell[AXES])
{
    const BrumeField *x = &couplings->fine->x;
    const ptrdiff_t c = brume_field_index(x, cell[0], cell[1], cell[2]);
    return cell[axis] > 1 && cell[axis] <= brume_cells_along(x->grid, axis) && couplings->map[c] == BRUME_OWN_BLOCK &&
           couplings->map[c - brume_stride(x, axis)] == BRUME_OWN_BLOCK;
}

// add_coupling for such a face: the cells of a block are 2n - 1 and 2n, and adjacent blocks are coupled by one face
static void add_to_block_face(const Couplings *couplings, int axis, const int cell[AXES], bool adjacent)
{
    if (adjacent && cell[axis] % 2 != 0) {
        BrumeField *face = &couplings->face[axis];
        face->data[brume_field_index(face, (cell[0] + 1) / 2, (cell[1] + 1) / 2, (cell[2] + 1) / 2)] +=
            brume_level_face(couplings->fine, axis, cell);
    }
}

void brume_aggregation_sum_couplings(BrumeField face[3], const uint8_t *map, const BrumeMultigridLevel *fine)
{
    const Couplings couplings = {face, map, fine};
    const BrumeGrid grid = fine->grid;
    for (int pass = 0; pass < 2; pass++) { // adjacent coarse cells first: they decide which paths are open
        for (int axis = 0; axis < AXES; axis++) {
            const int end[AXES] = {grid.nx + (axis == 0), grid.ny + (axis == 1), grid.nz + (axis == 2)};
            for (int k = 1; k <= end[2]; k++) {
                for (int j = 1; j <= end[1]; j++) {
                    for (int i = 1; i <= end[0]; i++) {
                        const int cell[AXES] = {i, j, k};
                        if (between_own_blocks(&couplings, axis, cell)) {
                            add_to_block_face(&couplings, axis, cell, pass == 0);
                        } else if (brume_level_face(fine, axis, cell) > 0.0f) {
                            add_coupling(&couplings, axis, cell, pass == 0);
                        }
                    }
                }
            }
        }
    }
    for (int axis = 0; axis < AXES; axis++) {
        copy_periodic_faces(&face[axis], axis, fine->periodic[axis]);
    }
}
