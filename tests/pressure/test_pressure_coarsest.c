// The direct solve of the coarsest level: A x = b without its mean on singular components, for every kind of box.
#include "pressure_support.h"

#include "core/field.h"
#include "sim/grid/parity_rows.h"
#include "sim/pressure/multigrid/coarsest.h"

#include <math.h>

enum { AXES = 3 };

static bool rubble(BrumeGrid grid, int i, int j, int k)
{
    (void)grid;
    return brume_unit_float(brume_hash3((uint32_t)i, (uint32_t)j, (uint32_t)k)) < 0.8f;
}

// two rooms behind a wall of two cells
static bool two_rooms(BrumeGrid grid, int i, int j, int k)
{
    (void)j;
    (void)k;
    return i == grid.nx / 2 || i == grid.nx / 2 + 1;
}

static const Box boxes[] = {
    {.grid = {12, 12, 12, NULL}},
    {.grid = {8, 8, 8, NULL}, .open = {[BRUME_FACE_Y_MAX] = true}},
    {.grid = {11, 7, 9, NULL}, .open = {[BRUME_FACE_X_MIN] = true, [BRUME_FACE_Z_MAX] = true}},
    {.grid = {12, 12, 12, NULL}, .periodic = {true, true, true}},
    {.grid = {4, 3, 2, NULL}, .periodic = {true, true, true}},
    {.grid = {2, 10, 12, NULL}, .periodic = {true, false, true}, .open = {[BRUME_FACE_Y_MIN] = true}},
    {.grid = {12, 12, 12, NULL}, .solid = two_rooms},
    {.grid = {12, 12, 12, NULL}, .open = {[BRUME_FACE_X_MIN] = true}, .solid = two_rooms},
    {.grid = {12, 12, 12, NULL}, .open = {[BRUME_FACE_Y_MAX] = true}, .solid = rubble},
    {.grid = {12, 12, 12, NULL}, .periodic = {true, false, true}, .solid = rubble},
    {.grid = {2, 2, 2, NULL}},
};

static BrumeMultigridLevel make_level(const BrumeCells *cells)
{
    BrumePoisson poisson;
    BrumeMultigridLevel level;
    BrumeError error;
    assert_int_equal(brume_poisson_create(&poisson, cells, &error), BRUME_OK);
    assert_int_equal(brume_level_coarsen_finest(&level, &poisson, true, &error), BRUME_OK);
    brume_poisson_destroy(&poisson);
    return level;
}

static double coefficient(const BrumeMultigridLevel *level, int axis, int upper, int i, int j, int k)
{
    return (double)brume_field_at(&level->face[axis], i + (axis == 0 && upper), j + (axis == 1 && upper),
                                  k + (axis == 2 && upper));
}

// x in the neighbor of a cell
static double neighbor(const BrumeMultigridLevel *level, const BrumeField *x, int axis, int upper, int i, int j, int k)
{
    int at[AXES] = {i, j, k};
    const int size = brume_cells_along(level->grid, axis);
    at[axis] += upper ? 1 : -1;
    if (at[axis] < 1 || at[axis] > size) {
        if (!level->periodic[axis]) {
            return 0.0;
        }
        at[axis] = upper ? 1 : size;
    }
    return (double)brume_field_at(x, at[0], at[1], at[2]);
}

// the component of a cell, -1 for none
static int component_of(const BrumeMultigridLevel *level, int i, int j, int k)
{
    for (int n = 0; n < level->components.run_count; n++) {
        const BrumeRun *run = &level->components.runs[n];
        if (run->j == j && run->k == k && run->first <= i && i <= run->last) {
            return run->component;
        }
    }
    return -1;
}

// means of a field over the singular components
static void find_means(const BrumeMultigridLevel *level, const BrumeField *field, double *means)
{
    for (int c = 0; c < level->components.count; c++) {
        means[c] = 0.0;
    }
    for (int n = 0; n < level->components.run_count; n++) {
        const BrumeRun *run = &level->components.runs[n];
        for (int i = run->first; i <= run->last; i++) {
            means[run->component] += (double)brume_field_at(field, i, run->j, run->k);
        }
    }
    for (int c = 0; c < level->components.count; c++) {
        means[c] /= level->components.cells[c];
    }
}

static void expect_solution(const BrumeMultigridLevel *level, const BrumeField *x, const BrumeField *b, int box)
{
    double b_means[BRUME_COARSEST_CELLS];
    double x_means[BRUME_COARSEST_CELLS];
    find_means(level, b, b_means);
    find_means(level, x, x_means);
    for (int c = 0; c < level->components.count; c++) {
        expect_near("mean of x", x_means[c], 0.0, 1e-6);
    }
    const BrumeGrid grid = level->grid;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                double ax = 0.0;
                double diagonal = 0.0;
                const double own = (double)brume_field_at(x, i, j, k);
                for (int side = 0; side < BRUME_FACE_COUNT; side++) {
                    const double c = coefficient(level, side / 2, side % 2, i, j, k);
                    ax += c * (own - neighbor(level, x, side / 2, side % 2, i, j, k));
                    diagonal += c;
                }
                const int component = component_of(level, i, j, k);
                const double mean = component >= 0 ? b_means[component] : 0.0;
                const double expected = diagonal > 0.0 ? (double)brume_field_at(b, i, j, k) - mean : 0.0;
                if (!(fabs(ax - expected) <= 2e-5) || (diagonal == 0.0 && own != 0.0)) {
                    fail_msg("box %d, cell (%d, %d, %d): A x = %.9g, expected %.9g", box, i, j, k, ax, expected);
                }
            }
        }
    }
}

static void it_solves_every_box(void **state)
{
    (void)state;
    for (int n = 0; n < (int)(sizeof boxes / sizeof *boxes); n++) {
        BrumeCells cells = make_cells(&boxes[n]);
        BrumeMultigridLevel level = make_level(&cells);
        BrumeCoarsest coarsest;
        BrumeError error;
        assert_int_equal(brume_coarsest_create(&coarsest, &level, &error), BRUME_OK);
        BrumeField x = make_field(level.grid);
        BrumeField b = make_field(level.grid);
        for (size_t entry = 0; entry < brume_grid_entries(level.grid); entry++) {
            b.data[entry] = 2.0f * brume_unit_float(brume_hash3((uint32_t)entry, (uint32_t)n, 5u)) - 1.0f;
            x.data[entry] = NAN; // x must not be read
        }
        BrumeField reordered = make_field(level.grid);
        copy_field(&reordered, &b);
        brume_field_to_parity_order(&reordered, false);
        brume_coarsest_solve(&coarsest, &x, &reordered);
        brume_field_from_parity_order(&x, false);
        expect_solution(&level, &x, &b, n);
        brume_field_destroy(&reordered);
        brume_field_destroy(&x);
        brume_field_destroy(&b);
        brume_coarsest_destroy(&coarsest);
        brume_level_destroy(&level);
        brume_free(cells.flags);
    }
}

// a preconditioner of conjugate gradients must be symmetric
static void it_is_exactly_symmetric(void **state)
{
    (void)state;
    for (int n = 0; n < (int)(sizeof boxes / sizeof *boxes); n++) {
        BrumeCells cells = make_cells(&boxes[n]);
        BrumeMultigridLevel level = make_level(&cells);
        BrumeCoarsest coarsest;
        BrumeError error;
        assert_int_equal(brume_coarsest_create(&coarsest, &level, &error), BRUME_OK);
        assert_int_equal(coarsest.count, (int)brume_grid_cells(level.grid));
        assert_int_equal(brume_coarsest_bytes(&coarsest), (size_t)(coarsest.count * coarsest.count) * sizeof(float));
        for (int row = 0; row < coarsest.count; row++) {
            for (int column = 0; column < row; column++) {
                assert_true(coarsest.inverse[row * coarsest.count + column] ==
                            coarsest.inverse[column * coarsest.count + row]);
            }
        }
        brume_coarsest_destroy(&coarsest);
        brume_level_destroy(&level);
        brume_free(cells.flags);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_solves_every_box),
        cmocka_unit_test(it_is_exactly_symmetric),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
