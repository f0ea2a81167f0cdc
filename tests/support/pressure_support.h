/**
 * @file pressure_support.h
 * Boxes, right-hand sides and solves for the tests of the pressure solvers. Cells are filled in directly, so that
 * tests can use any shape of air.
 */
#ifndef BRUME_TESTS_SUPPORT_PRESSURE_SUPPORT_H
#define BRUME_TESTS_SUPPORT_PRESSURE_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/field.h"
#include "core/memory.h"
#include "core/parallel/threads.h"
#include "core/random.h"
#include "sim/grid/cells.h"
#include "sim/pressure/poisson/poisson.h"
#include "sim/pressure/pressure.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/** Fails with value, expected and tolerance unless |value - expected| <= tolerance. */
static inline void expect_near(const char *what, double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%s: %.9g, expected %.9g, tolerance %.3g", what, value, expected, tolerance);
    }
}

/** Fails unless value <= limit. */
static inline void expect_at_most(const char *what, double value, double limit)
{
    if (!(value <= limit)) {
        fail_msg("%s: %.9g, expected at most %.9g", what, value, limit);
    }
}

/** The conditions on the sides of a box, and its solid cells. */
typedef struct Box {
    BrumeGrid grid;
    bool periodic[3];
    bool open[BRUME_FACE_COUNT];
    bool (*solid)(BrumeGrid grid, int i, int j, int k); ///< NULL for none
} Box;

static inline bool box_is_air(const Box *box, int i, int j, int k)
{
    return !box->solid || !box->solid(box->grid, i, j, k);
}

/** Cells of a box, by the rules of cells.h. Free with brume_free(cells.flags). */
static inline BrumeCells make_cells(const Box *box)
{
    const BrumeGrid grid = box->grid;
    const int size[3] = {grid.nx, grid.ny, grid.nz};
    BrumeCells cells = {.grid = grid, .sy = grid.nx + 2, .sz = (ptrdiff_t)(grid.nx + 2) * (grid.ny + 2)};
    cells.flags = brume_alloc(brume_grid_entries(grid), 1);
    assert_non_null(cells.flags);
    for (int axis = 0; axis < 3; axis++) {
        cells.periodic[axis] = cells.coupled[axis] = box->periodic[axis];
    }
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        cells.open[side] = box->open[side];
    }
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                if (!box_is_air(box, i, j, k)) {
                    cells.bodies = true;
                    continue;
                }
                int flags = BRUME_CELL_FLUID;
                for (int side = 0; side < BRUME_FACE_COUNT; side++) {
                    const int axis = side / 2;
                    int at[3] = {i, j, k};
                    at[axis] += side % 2 ? 1 : -1;
                    bool open;
                    if (at[axis] >= 1 && at[axis] <= size[axis]) {
                        open = box_is_air(box, at[0], at[1], at[2]);
                    } else if (box->periodic[axis]) {
                        at[axis] = side % 2 ? 1 : size[axis];
                        open = box_is_air(box, at[0], at[1], at[2]);
                    } else {
                        open = box->open[side];
                    }
                    flags |= open ? 1 << side : 0;
                }
                cells.flags[i + cells.sy * j + cells.sz * k] = (uint8_t)flags;
            }
        }
    }
    return cells;
}

static inline bool cell_is_air(const BrumeCells *cells, int i, int j, int k)
{
    return cells->flags[i + cells->sy * j + cells->sz * k] & BRUME_CELL_FLUID;
}

static inline BrumeField make_field(BrumeGrid grid)
{
    BrumeField field;
    BrumeError error;
    if (brume_field_create(&field, grid, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return field;
}

/** Random numbers in [-1, 1) in cells of air, 0 elsewhere. */
static inline void fill_random(BrumeField *field, const BrumeCells *cells, uint32_t seed)
{
    const BrumeGrid grid = field->grid;
    brume_field_fill(field, 0.0f);
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                if (cell_is_air(cells, i, j, k)) {
                    const ptrdiff_t at = brume_field_index(field, i, j, k);
                    field->data[at] = 2.0f * brume_unit_float(brume_hash3((uint32_t)at, seed, 17u)) - 1.0f;
                }
            }
        }
    }
}

/** The divergence of random speeds in [-1, 1) on open faces, as in a projection of turbulent air. */
static inline void fill_random_divergence(BrumeField *field, const BrumeCells *cells, uint32_t seed)
{
    const BrumeGrid grid = field->grid;
    const int size[3] = {grid.nx, grid.ny, grid.nz};
    brume_field_fill(field, 0.0f);
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t at = brume_field_index(field, i, j, k);
                for (int side = 0; side < BRUME_FACE_COUNT; side++) {
                    if (!(cells->flags[at] >> side & 1)) {
                        continue;
                    }
                    const int axis = side / 2;
                    int face[3] = {i, j, k}; // the cell whose lower face it is
                    face[axis] += side % 2;
                    if (cells->periodic[axis] && face[axis] > size[axis]) {
                        face[axis] = 1;
                    }
                    const uint32_t hash =
                        brume_hash3((uint32_t)(face[0] + 4099 * face[1]), (uint32_t)face[2], seed + (uint32_t)axis);
                    const float speed = 2.0f * brume_unit_float(hash) - 1.0f;
                    field->data[at] += side % 2 ? -speed : speed;
                }
            }
        }
    }
}

/** The divergence of the buoyancy of a column of hot air. */
static inline void fill_plume(BrumeField *field, const BrumeCells *cells)
{
    const BrumeGrid grid = field->grid;
    brume_field_fill(field, 0.0f);
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const uint8_t flags = cells->flags[i + cells->sy * j + cells->sz * k];
                const double x = (i - 0.5) / grid.nx - 0.5;
                const double z = (k - 0.5) / grid.nz - 0.5;
                double force = 0.0;
                for (int upper = 0; upper < 2; upper++) {
                    if (flags & (upper ? BRUME_CELL_Y_UPPER : BRUME_CELL_Y_LOWER)) {
                        const double y = (double)(j - 1 + upper) / grid.ny;
                        const double radius = 0.06 + 0.1 * y;
                        const double drift = 0.05 * sin(9.0 * y);
                        const double squared = ((x - drift) * (x - drift) + z * z) / (radius * radius);
                        const double heat = exp(-squared) * (1.0 + 0.5 * sin(25.0 * y)) / (1.0 + exp(30.0 * (y - 0.7)));
                        force += upper ? heat : -heat;
                    }
                }
                field->data[brume_field_index(field, i, j, k)] = (float)-force;
            }
        }
    }
}

/** The cells of a box, and the fields of a solve. */
typedef struct Bench {
    BrumeCells cells;
    BrumeField p;
    BrumeField scratch[BRUME_PRESSURE_SCRATCH];
} Bench;

static inline Bench make_bench(const Box *box)
{
    Bench bench = {.cells = make_cells(box), .p = make_field(box->grid)};
    for (int n = 0; n < BRUME_PRESSURE_SCRATCH; n++) {
        bench.scratch[n] = make_field(box->grid);
        // solvers must not read scratch
        brume_field_fill(&bench.scratch[n], NAN);
    }
    return bench;
}

static inline void destroy_bench(Bench *bench)
{
    brume_free(bench->cells.flags);
    brume_field_destroy(&bench->p);
    for (int n = 0; n < BRUME_PRESSURE_SCRATCH; n++) {
        brume_field_destroy(&bench->scratch[n]);
    }
}

static inline BrumePressure *make_solver(const BrumeCells *cells, const char *method, float tolerance)
{
    const BrumePressureDef def = {
        .method = method, .tolerance = tolerance, .max_iterations = 20000, .over_relaxation = 1.9f};
    BrumePressure *pressure;
    BrumeError error;
    if (brume_pressure_create(&pressure, &def, cells, &error) != BRUME_OK) {
        fail_msg("%s", error.text);
    }
    return pressure;
}

/** Whether the method is applicable to such cells. */
static inline bool method_fits(const char *method, const BrumeCells *cells)
{
    const bool all_periodic = cells->periodic[0] && cells->periodic[1] && cells->periodic[2];
    return !brume_pressure_unmet_need(method, cells->bodies, all_periodic);
}

/** Solves from the values of bench->p, for the right-hand side in scratch[0]. */
static inline BrumePressureResult solve_bench(Bench *bench, const char *method, float tolerance)
{
    BrumePressure *pressure = make_solver(&bench->cells, method, tolerance);
    const BrumePressureResult result = brume_pressure_solve(pressure, &bench->p, bench->scratch);
    brume_pressure_destroy(pressure);
    return result;
}

/** Copies all entries. */
static inline void copy_field(BrumeField *to, const BrumeField *from)
{
    memcpy(to->data, from->data, brume_grid_entries(to->grid) * sizeof *to->data);
}

/** A ball, and plates one cell thick: a shelf with a gap, and a curtain from the floor to mid-height. */
static inline bool ball_and_plates(BrumeGrid grid, int i, int j, int k)
{
    const double x = (i - 0.5) / grid.nx - 0.5;
    const double y = (j - 0.5) / grid.ny - 0.4;
    const double z = (k - 0.5) / grid.nz - 0.5;
    const bool ball = x * x + y * y + z * z < 0.15 * 0.15;
    const bool shelf = j == grid.ny * 3 / 4 + 1 && i > grid.nx / 8 && i < grid.nx * 7 / 8 && k > grid.nz / 8;
    const bool curtain = i == grid.nx / 5 && j < grid.ny / 2;
    return ball || shelf || curtain;
}

/** |b - Ap|_2 / |b|_2 in double precision, computed from the flags; periodic ghosts of p must be filled. */
static inline double true_residual(const BrumeCells *cells, const BrumeField *b, const BrumeField *p)
{
    const BrumeGrid grid = cells->grid;
    const ptrdiff_t stride[3] = {1, cells->sy, cells->sz};
    double residual = 0.0;
    double size = 0.0;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t at = brume_field_index(p, i, j, k);
                double r = (double)b->data[at];
                size += r * r;
                for (int side = 0; side < BRUME_FACE_COUNT; side++) {
                    if (cells->flags[at] >> side & 1) {
                        const ptrdiff_t beyond = at + (side % 2 ? stride[side / 2] : -stride[side / 2]);
                        r -= (double)p->data[at] - (double)p->data[beyond];
                    }
                }
                residual += r * r;
            }
        }
    }
    return sqrt(residual / size);
}

/** Root of the sum of squares of differences of p across open faces; with `other`, of p - other. */
static inline double gradient_norm(const BrumeCells *cells, const BrumeField *p, const BrumeField *other)
{
    const BrumeGrid grid = cells->grid;
    const ptrdiff_t stride[3] = {1, cells->sy, cells->sz};
    double sum = 0.0;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t at = brume_field_index(p, i, j, k);
                for (int axis = 0; axis < 3; axis++) {
                    if (cells->flags[at] >> (2 * axis) & 1) {
                        double step = (double)p->data[at] - (double)p->data[at - stride[axis]];
                        if (other) {
                            step -= (double)other->data[at] - (double)other->data[at - stride[axis]];
                        }
                        sum += step * step;
                    }
                }
            }
        }
    }
    return sqrt(sum);
}

// |field|_2 over the cells
static inline double field_norm(const BrumeField *field)
{
    const BrumeGrid grid = field->grid;
    double sum = 0.0;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const double value = (double)brume_field_at(field, i, j, k);
                sum += value * value;
            }
        }
    }
    return sqrt(sum);
}

#endif
