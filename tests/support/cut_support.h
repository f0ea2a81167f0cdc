/**
 * @file cut_support.h
 * Boxes with solids that cut their cells, from signed distances, for the tests of the pressure solvers.
 */
#ifndef BRUME_TESTS_SUPPORT_CUT_SUPPORT_H
#define BRUME_TESTS_SUPPORT_CUT_SUPPORT_H

#include "pressure_support.h"

#include "brume/sim_def.h"
#include "sim/grid/cut_cells.h"

/** A signed distance at a point of the unit box, above 0 in the air. */
typedef double Distance(const double at[3]);

/** The conditions on the sides of a box, and its solids. The shortest side is 1. */
typedef struct CutBox {
    BrumeGrid grid;
    BrumeFaceKind sides[BRUME_FACE_COUNT];
    Distance *distance;
} CutBox;

static inline double ball_distance(const double at[3])
{
    const double x = at[0] - 0.51;
    const double y = at[1] - 0.42;
    const double z = at[2] - 0.49;
    return sqrt(x * x + y * y + z * z) - 0.21;
}

/** Of a box with three different edges, turned about two axes. */
static inline double tilted_box_distance(const double at[3])
{
    const double half[3] = {0.24, 0.16, 0.11};
    const double x = at[0] - 0.49;
    const double y = at[1] - 0.45;
    const double z = at[2] - 0.52;
    const double turned_x = cos(0.5) * x + sin(0.5) * y;
    const double turned_y = -sin(0.5) * x + cos(0.5) * y;
    const double own[3] = {turned_x, cos(0.8) * turned_y + sin(0.8) * z, -sin(0.8) * turned_y + cos(0.8) * z};
    double outside = 0.0;
    double inside = -1.0;
    for (int axis = 0; axis < 3; axis++) {
        const double distance = fabs(own[axis]) - half[axis];
        outside += distance > 0.0 ? distance * distance : 0.0;
        inside = distance > inside ? distance : inside;
    }
    return inside > 0.0 ? sqrt(outside) : inside;
}

static inline double torus_distance(const double at[3])
{
    const double x = at[0] - 0.5;
    const double y = at[1] - 0.48;
    const double z = at[2] - 0.53;
    const double turned_y = cos(0.4) * y - sin(0.4) * z;
    const double turned_z = sin(0.4) * y + cos(0.4) * z;
    const double across = sqrt(x * x + turned_z * turned_z) - 0.27;
    return sqrt(across * across + turned_y * turned_y) - 0.09;
}

/** Two rooms behind a wall of less than a cell on coarse grids, with a ball across one side. */
static inline double rooms_distance(const double at[3])
{
    const double wall = fabs(0.8 * (at[0] - 0.48) + 0.6 * (at[1] - 0.5)) - 0.021;
    const double z = at[2] - 0.98;
    const double ball = sqrt((at[0] - 0.2) * (at[0] - 0.2) + (at[1] - 0.3) * (at[1] - 0.3) + z * z) - 0.17;
    return wall < ball ? wall : ball;
}

/** Rough air: the solid is where a sum of waves is high; pockets, bridges and slivers at any resolution. */
static inline double sponge_distance(const double at[3])
{
    return 0.1 * (0.35 - sin(23.0 * at[0] + 1.0) * sin(19.0 * at[1] + 2.0) - sin(29.0 * at[2]) * sin(17.0 * at[0]));
}

/** The whole cells of such a box: those whose centers are in the air. With `cut`, its cut cells. */
static inline BrumeCells make_cut_cells(const CutBox *box, bool cut)
{
    const BrumeGrid grid = box->grid;
    BrumeSimDef def = brume_default_sim_def();
    def.nx = grid.nx;
    def.ny = grid.ny;
    def.nz = grid.nz;
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        def.faces[side].kind = box->sides[side];
    }
    def.body_count = 1; // the distance takes the place of its shape
    def.bodies[0].disabled = true;
    BrumeCells cells;
    BrumeError error;
    assert_int_equal(brume_cells_create(&cells, &def, &error), BRUME_OK);
    const double shortest = fmin(grid.nx, fmin(grid.ny, grid.nz));
    BrumeField distance = make_field(grid);
    for (int k = 1; k <= grid.nz + 1; k++) {
        for (int j = 1; j <= grid.ny + 1; j++) {
            for (int i = 1; i <= grid.nx + 1; i++) {
                const double shift = cut ? 1.0 : 0.5;
                const double at[3] = {(i - shift) / shortest, (j - shift) / shortest, (k - shift) / shortest};
                const ptrdiff_t c = brume_field_index(&distance, i, j, k);
                distance.data[c] = (float)box->distance(at);
                if (!cut && i <= grid.nx && j <= grid.ny && k <= grid.nz && !(distance.data[c] > 0.0f)) {
                    brume_cells_set_solid(&cells, c, 0);
                }
            }
        }
    }
    if (cut) {
        assert_int_equal(brume_cells_cut_at(&cells, &distance, &error), BRUME_OK);
    } else {
        brume_cells_find_open_faces(&cells);
    }
    brume_field_destroy(&distance);
    return cells;
}

#endif
