// Coarse faces from finer ones where cells need not be part of their block. A finer face couples the owners of its two
// cells, which mostly are one or lie beside each other. Where they do not, as at the edge of a plate, the coupling goes
// by way of coarse cells that are coupled anyway, so that none is lost and no coarse cell is left without: corrections
// of a coarse cell that is coupled too weakly would be too long, and the cycle no longer positive.
#include "sim/pressure/multigrid/aggregation.h"
#include "sim/pressure/multigrid/level.h"

#include <stdlib.h>

enum {
    AXES = 3,
    LONGEST_WAY = 9, ///< faces, between the owners of two cells that touch
};

static int wrapped(int n, int count) { return n < 1 ? n + count : n > count ? n - count : n; }

static float face_below(const BrumeLevel *level, int axis, const int cell[AXES])
{
    return brume_field_at(&level->face[axis], cell[0], cell[1], cell[2]);
}

// the upper faces of the last cells along a periodic axis are the lower ones of the first
static void copy_seam(BrumeField *face, int axis, bool periodic)
{
    const BrumeGrid grid = face->grid;
    const int count = brume_cells_along(grid, axis);
    const ptrdiff_t stride = axis == 0 ? 1 : axis == 1 ? face->sy : face->sz;
    for (int k = 1; periodic && k <= (axis == 2 ? 1 : grid.nz); k++) {
        for (int j = 1; j <= (axis == 1 ? 1 : grid.ny); j++) {
            for (int i = 1; i <= (axis == 0 ? 1 : grid.nx); i++) {
                float *first = &face->data[brume_field_index(face, i, j, k)];
                first[stride * count] = *first;
            }
        }
    }
}

// Coarse faces while they are summed up.
typedef struct Sums {
    BrumeField *face; ///< (3)
    const uint8_t *moves;
    const BrumeLevel *fine;
} Sums;

// the coarse face between a cell and the one a step (1 or -1) along an axis from it
static float *face_between(const Sums *sums, const int at[AXES], int axis, int step)
{
    BrumeField *face = &sums->face[axis];
    int upper[AXES] = {at[0], at[1], at[2]};
    upper[axis] += step > 0;
    for (int a = 0; a < AXES; a++) {
        upper[a] = sums->fine->periodic[a] ? wrapped(upper[a], brume_cells_along(face->grid, a)) : upper[a];
    }
    return &face->data[brume_field_index(face, upper[0], upper[1], upper[2])];
}

// the orders in which axes can be gone along
static const int orders[][AXES] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};

// the faces on the way from one coarse cell to another; returns how many
static int find_way(float *way[], const Sums *sums, const int from[AXES], const int to[AXES], const int order[AXES])
{
    int at[AXES] = {from[0], from[1], from[2]};
    int count = 0;
    for (int n = 0; n < AXES; n++) {
        const int axis = order[n];
        while (at[axis] != to[axis] && count < LONGEST_WAY) {
            const int step = to[axis] > at[axis] ? 1 : -1;
            way[count++] = face_between(sums, at, axis, step);
            at[axis] += step;
        }
    }
    return count;
}

// a coupling of cells that are not beside each other: by way of cells that are coupled anyway. As strong on each of
// its faces as the coarse operator must be, not to be weaker than the coupling: (x_1 - x_n)^2 is at most n - 1 times
// the sum of the squared steps between.
static void add_way(const Sums *sums, const int from[AXES], const int to[AXES], float coefficient)
{
    float *way[LONGEST_WAY] = {NULL};
    int count = 0;
    for (size_t n = 0; n < sizeof orders / sizeof *orders; n++) {
        bool open = true;
        count = find_way(way, sums, from, to, orders[n]);
        for (int face = 0; face < count; face++) {
            open = open && *way[face] > 0.0f;
        }
        if (open) {
            break;
        }
    }
    for (int face = 0; face < count; face++) {
        *way[face] += (float)count * coefficient;
    }
}

// Adds the coefficient below `cell`, of coarse cells beside each other or of others. What lies beyond an open side is
// a coarse cell, too, here.
static void add_face(const Sums *sums, int axis, const int cell[AXES], bool beside)
{
    const BrumeLevel *fine = sums->fine;
    const int size = brume_cells_along(fine->grid, axis);
    const int coarse_size = brume_cells_along(sums->face->grid, axis);
    const bool before_first = cell[axis] == 1;
    const bool behind_last = cell[axis] > size;
    if (behind_last && fine->periodic[axis]) {
        return; // the first cell's face once more
    }
    int lower[AXES] = {cell[0], cell[1], cell[2]};
    lower[axis] = before_first ? size : cell[axis] - 1;
    int from[AXES];
    int to[AXES];
    brume_strays_owner(from, sums->moves, fine, before_first && !fine->periodic[axis] ? cell : lower);
    brume_strays_owner(to, sums->moves, fine, behind_last ? lower : cell);
    if (fine->periodic[axis]) {
        from[axis] -= before_first ? coarse_size : 0;
    } else {
        from[axis] = before_first ? 0 : from[axis];
        to[axis] = behind_last ? coarse_size + 1 : to[axis];
    }
    int steps = 0;
    for (int a = 0; a < AXES; a++) {
        steps += abs(to[a] - from[a]);
    }
    if (beside ? steps == 1 : steps > 1) {
        add_way(sums, from, to, face_below(fine, axis, cell));
    }
}

void brume_strays_sum_faces(BrumeField face[3], const uint8_t *moves, const BrumeLevel *fine)
{
    const Sums sums = {face, moves, fine};
    const BrumeGrid grid = fine->grid;
    for (int pass = 0; pass < 2; pass++) {
        for (int axis = 0; axis < AXES; axis++) {
            const int end[AXES] = {grid.nx + (axis == 0), grid.ny + (axis == 1), grid.nz + (axis == 2)};
            for (int k = 1; k <= end[2]; k++) {
                for (int j = 1; j <= end[1]; j++) {
                    for (int i = 1; i <= end[0]; i++) {
                        if (face_below(fine, axis, (const int[AXES]){i, j, k}) > 0.0f) {
                            add_face(&sums, axis, (const int[AXES]){i, j, k}, pass == 0);
                        }
                    }
                }
            }
        }
    }
    // a seam's face is the first cell's lower and the last one's upper one
    for (int axis = 0; axis < AXES; axis++) {
        copy_seam(&face[axis], axis, fine->periodic[axis]);
    }
}
