// The pressure system of cut cells: symmetric and positive; equal to that of whole cells where all fractions are 0 or
// 1; the same bits from the reference kernels at any number of threads; and as fast to solve as whole cells.
#include "cut_support.h"

#include "sim/grid/parity_rows.h"
#include "sim/pressure/multigrid/multigrid.h"
#include "sim/pressure/poisson/components.h"
#include "sim/reference/kernels.h"

// a box on the faces of 24 cells: 9 x 5 x 16 of them
static double aligned_box_distance(const double at[3])
{
    const double lower[3] = {6.0, 8.0, 4.0};
    const double upper[3] = {15.0, 13.0, 20.0};
    double distance = -24.0;
    for (int axis = 0; axis < 3; axis++) {
        distance = fmax(distance, fmax(lower[axis] - 24.0 * at[axis], 24.0 * at[axis] - upper[axis]));
    }
    return distance;
}

#define WALLS                                                                                                          \
    {                                                                                                                  \
        BRUME_WALL, BRUME_WALL, BRUME_WALL, BRUME_WALL, BRUME_WALL, BRUME_WALL                                         \
    }
#define OPEN_TOP                                                                                                       \
    {                                                                                                                  \
        BRUME_WALL, BRUME_WALL, BRUME_WALL, BRUME_OPEN, BRUME_WALL, BRUME_WALL                                         \
    }
#define OPEN                                                                                                           \
    {                                                                                                                  \
        BRUME_OPEN, BRUME_OPEN, BRUME_OPEN, BRUME_OPEN, BRUME_OPEN, BRUME_OPEN                                         \
    }
#define PERIODIC                                                                                                       \
    {                                                                                                                  \
        BRUME_PERIODIC, BRUME_PERIODIC, BRUME_PERIODIC, BRUME_PERIODIC, BRUME_PERIODIC, BRUME_PERIODIC                 \
    }
#define PERIODIC_X                                                                                                     \
    {                                                                                                                  \
        BRUME_PERIODIC, BRUME_PERIODIC, BRUME_WALL, BRUME_OPEN, BRUME_WALL, BRUME_WALL                                 \
    }

static const CutBox boxes[] = {
    {.grid = {24, 24, 24, NULL}, .sides = OPEN_TOP, .distance = ball_distance},
    {.grid = {23, 27, 25, NULL}, .sides = WALLS, .distance = tilted_box_distance},
    {.grid = {26, 30, 22, NULL}, .sides = OPEN, .distance = torus_distance},
    {.grid = {32, 24, 28, NULL}, .sides = PERIODIC, .distance = torus_distance},
    {.grid = {21, 25, 19, NULL}, .sides = PERIODIC, .distance = ball_distance},
    {.grid = {31, 23, 22, NULL}, .sides = PERIODIC_X, .distance = tilted_box_distance},
    {.grid = {20, 22, 30, NULL}, .sides = WALLS, .distance = rooms_distance},
    {.grid = {18, 26, 21, NULL}, .sides = OPEN_TOP, .distance = rooms_distance},
    {.grid = {22, 21, 24, NULL}, .sides = OPEN_TOP, .distance = sponge_distance},
    {.grid = {24, 18, 20, NULL}, .sides = PERIODIC, .distance = sponge_distance},
    {.grid = {30, 24, 1, NULL}, .sides = OPEN_TOP, .distance = ball_distance},
};

enum { BOX_COUNT = sizeof boxes / sizeof *boxes };

static BrumePressureResult solve(BrumeCells *cells, const BrumePressureDef *def, BrumeField *p, BrumeField *scratch,
                                 bool smooth)
{
    BrumePressure *pressure;
    assert_int_equal(brume_pressure_create(&pressure, def, cells, NULL), BRUME_OK);
    if (smooth) {
        fill_plume(&scratch[0], cells);
    } else {
        fill_random(&scratch[0], cells, 6);
    }
    const BrumePressureResult result = brume_pressure_solve(pressure, p, scratch);
    brume_pressure_destroy(pressure);
    return result;
}

static void make_scratch(BrumeField scratch[BRUME_PRESSURE_SCRATCH], BrumeGrid grid)
{
    for (int n = 0; n < BRUME_PRESSURE_SCRATCH; n++) {
        scratch[n] = make_field(grid);
    }
}

static void destroy_scratch(BrumeField scratch[BRUME_PRESSURE_SCRATCH])
{
    for (int n = 0; n < BRUME_PRESSURE_SCRATCH; n++) {
        brume_field_destroy(&scratch[n]);
    }
}

static void check_reference(int n, const char *method, float tolerance, int max_iterations, bool smooth)
{
    BrumeCells cells = make_cut_cells(&boxes[n], true);
    const BrumeGrid grid = cells.grid;
    BrumeField scratch[BRUME_PRESSURE_SCRATCH];
    make_scratch(scratch, grid);
    BrumeField expected = make_field(grid);
    BrumeField p = make_field(grid);
    BrumePressureDef def = {.method = method,
                            .tolerance = tolerance,
                            .max_iterations = max_iterations,
                            .kernels = &brume_reference_cycle_kernels};
    brume_set_threads(1);
    const BrumePressureResult reference = solve(&cells, &def, &expected, scratch, smooth);
    def.kernels = NULL;
    for (int threads = 1; threads <= 3; threads += 2) {
        brume_set_threads(threads);
        brume_field_fill(&p, 0.0f);
        const BrumePressureResult result = solve(&cells, &def, &p, scratch, smooth);
        if (result.iterations != reference.iterations ||
            memcmp(&result.residual, &reference.residual, sizeof result.residual) != 0 ||
            memcmp(p.data, expected.data, brume_grid_entries(grid) * sizeof(float)) != 0) {
            fail_msg("%s, box %d, %d threads: %d iterations to %.17g, the reference has %d iterations to %.17g", method,
                     n, threads, result.iterations, result.residual, reference.iterations, reference.residual);
        }
    }
    destroy_scratch(scratch);
    brume_field_destroy(&p);
    brume_field_destroy(&expected);
    brume_cells_destroy(&cells);
}

static void reference_kernels_give_the_same_bits(void **state)
{
    (void)state;
    const int before = brume_get_threads();
    for (int n = 0; n < BOX_COUNT; n++) {
        check_reference(n, "mgpcg", 1e-5f, 8, true);
        check_reference(n, "mgpcg", 1e-4f, 20, false);
        check_reference(n, "multigrid", 1e-4f, 12, false);
    }
    brume_set_threads(before);
}

// |b - Ap| / |b| with the fractions, in double precision
static double true_cut_residual(const BrumeCells *cells, const BrumeField *b, const BrumeField *p)
{
    const BrumeGrid grid = cells->grid;
    double residual = 0.0;
    double size = 0.0;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t at = brume_field_index(p, i, j, k);
                if (!(cells->flags[at] & BRUME_CELL_FACES)) {
                    continue;
                }
                double r = (double)b->data[at];
                size += r * r;
                for (int side = 0; side < BRUME_FACE_COUNT; side++) {
                    const BrumeField *face = &cells->fractions->face[side / 2];
                    const ptrdiff_t stride = brume_stride(face, side / 2);
                    const double open = (double)face->data[at + (side % 2 ? stride : 0)];
                    const double step = (double)p->data[at] - (double)p->data[at + (side % 2 ? stride : -stride)];
                    r -= cells->flags[at] >> side & 1 ? open * step : 0.0;
                }
                residual += r * r;
            }
        }
    }
    return sqrt(residual / size);
}

static void solvers_agree(void **state)
{
    (void)state;
    const char *const methods[] = {"mgpcg", "multigrid", "cg"};
    for (int n = 0; n < BOX_COUNT; n++) {
        BrumeCells cells = make_cut_cells(&boxes[n], true);
        BrumeField scratch[BRUME_PRESSURE_SCRATCH];
        make_scratch(scratch, cells.grid);
        BrumeField b = make_field(cells.grid);
        BrumeField p = make_field(cells.grid);
        BrumeComponents components;
        assert_int_equal(brume_components_create(&components, &cells, NULL), BRUME_OK);
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            const BrumePressureDef def = {.method = methods[m], .tolerance = 1e-5f, .max_iterations = 2000};
            brume_field_fill(&p, 0.0f);
            const BrumePressureResult result = solve(&cells, &def, &p, scratch, false);
            fill_random(&b, &cells, 6);
            BrumePoisson poisson;
            assert_int_equal(brume_poisson_create(&poisson, &cells, NULL), BRUME_OK);
            brume_poisson_clear_inactive(&poisson, &b);
            brume_components_remove_mean(&components, b.data, b.sy, b.sz, false);
            brume_poisson_destroy(&poisson);
            if (getenv("BRUME_VERBOSE")) {
                print_message("box %2d: %-9s %3d iterations, residual %.2e\n", n, methods[m], result.iterations,
                              result.residual);
            }
            assert_true(result.converged);
            const double residual = true_cut_residual(&cells, &b, &p);
            expect_at_most("relative residual", residual, 1e-5);
            expect_near("relative residual that the solver reports", result.residual, residual, 1e-6);
            if (m < 2) {
                expect_at_most("iterations", result.iterations, 14);
            }
        }
        brume_components_destroy(&components);
        destroy_scratch(scratch);
        brume_field_destroy(&b);
        brume_field_destroy(&p);
        brume_cells_destroy(&cells);
    }
}

// the operator of fractions 0 and 1 is that of whole cells, with its kernels and bits
static void whole_fractions_are_whole_cells(void **state)
{
    (void)state;
    const CutBox box = {.grid = {24, 24, 24, NULL}, .sides = OPEN_TOP, .distance = aligned_box_distance};
    BrumeCells cut = make_cut_cells(&box, true);
    BrumeCells whole = make_cut_cells(&box, true);
    brume_fractions_destroy(whole.fractions);
    brume_free(whole.fractions);
    whole.fractions = NULL;
    BrumePoisson poisson;
    assert_int_equal(brume_poisson_create(&poisson, &cut, NULL), BRUME_OK);
    int solids = 0;
    for (int k = 1; k <= box.grid.nz; k++) {
        for (int j = 1; j <= box.grid.ny; j++) {
            assert_false(brume_poisson_cut(&poisson, j, k));
            for (int i = 1; i <= box.grid.nx; i++) {
                solids += cut.flags[i + cut.sy * j + cut.sz * k] == BRUME_CELL_SOLID;
            }
        }
    }
    assert_int_equal(solids, 9 * 5 * 16);
    brume_poisson_destroy(&poisson);
    BrumeCells *const cells[2] = {&cut, &whole};
    BrumeField p[2];
    BrumeField scratch[BRUME_PRESSURE_SCRATCH];
    make_scratch(scratch, box.grid);
    const BrumePressureDef def = {.method = "mgpcg", .tolerance = 1e-5f, .max_iterations = 20};
    for (int n = 0; n < 2; n++) {
        p[n] = make_field(box.grid);
        assert_true(solve(cells[n], &def, &p[n], scratch, true).converged);
    }
    assert_memory_equal(p[0].data, p[1].data, brume_grid_entries(box.grid) * sizeof(float));
    for (int n = 0; n < 2; n++) {
        brume_field_destroy(&p[n]);
        brume_cells_destroy(cells[n]);
    }
    destroy_scratch(scratch);
}

enum { FIELDS = 4 };

typedef struct Kit {
    BrumeCells cells;
    BrumePoisson poisson;
    BrumeComponents components;
    BrumeMultigrid *multigrid;
    BrumeField x, y, image, reordered;
} Kit;

static void fill(const Kit *kit, BrumeField *field, uint32_t seed)
{
    fill_random(field, &kit->cells, seed);
    brume_poisson_clear_inactive(&kit->poisson, field);
    brume_components_remove_mean(&kit->components, field->data, field->sy, field->sz, false);
    brume_poisson_fill_ghosts(&kit->poisson, field);
}

static double apply(Kit *kit, const BrumeField *left, const BrumeField *right, bool cycle)
{
    if (!cycle) {
        (void)brume_poisson_apply(&kit->poisson, &kit->image, right);
        return brume_poisson_dot(&kit->poisson, left, &kit->image);
    }
    copy_field(&kit->reordered, right);
    brume_field_to_parity_order(&kit->reordered, false);
    brume_field_fill(&kit->image, 0.0f);
    brume_multigrid_cycle(kit->multigrid, &kit->image, &kit->reordered, NULL);
    brume_field_from_parity_order(&kit->image, false);
    return brume_poisson_dot(&kit->poisson, left, &kit->image);
}

static void operator_and_cycle_are_symmetric(void **state)
{
    (void)state;
    for (int n = 0; n < BOX_COUNT; n++) {
        Kit kit = {.cells = make_cut_cells(&boxes[n], true)};
        BrumeField *const fields[FIELDS] = {&kit.x, &kit.y, &kit.image, &kit.reordered};
        for (int f = 0; f < FIELDS; f++) {
            *fields[f] = make_field(boxes[n].grid);
        }
        assert_int_equal(brume_components_create(&kit.components, &kit.cells, NULL), BRUME_OK);
        assert_int_equal(brume_poisson_create(&kit.poisson, &kit.cells, NULL), BRUME_OK);
        assert_int_equal(brume_multigrid_create(&kit.multigrid, &kit.poisson, kit.components.count > 0, NULL),
                         BRUME_OK);
        for (int cycle = 0; cycle < 2; cycle++) {
            fill(&kit, &kit.x, 1);
            fill(&kit, &kit.y, 2);
            const double xy = apply(&kit, &kit.x, &kit.y, cycle);
            const double yx = apply(&kit, &kit.y, &kit.x, cycle);
            const double xx = apply(&kit, &kit.x, &kit.x, cycle);
            const double yy = apply(&kit, &kit.y, &kit.y, cycle);
            assert_true(xx > 0.0 && yy > 0.0);
            expect_near(cycle ? "y.Mx" : "y.Ax", yx, xy, 1e-5 * sqrt(xx * yy));
        }
        brume_multigrid_destroy(kit.multigrid);
        brume_poisson_destroy(&kit.poisson);
        brume_components_destroy(&kit.components);
        for (int f = 0; f < FIELDS; f++) {
            brume_field_destroy(fields[f]);
        }
        brume_cells_destroy(&kit.cells);
    }
}

// as many iterations to 1e-4 with fractions as with whole cells, up to two
static void iterations_are_those_of_whole_cells(void **state)
{
    (void)state;
    Distance *const solids[] = {ball_distance, tilted_box_distance, torus_distance};
    const char *const names[] = {"ball", "tilted box", "torus"};
    const int size = 64;
    for (size_t n = 0; n < sizeof solids / sizeof *solids; n++) {
        const CutBox box = {.grid = {size, size, size, NULL}, .sides = OPEN_TOP, .distance = solids[n]};
        int iterations[2];
        for (int cut = 0; cut < 2; cut++) {
            BrumeCells cells = make_cut_cells(&box, cut);
            BrumeField scratch[BRUME_PRESSURE_SCRATCH];
            make_scratch(scratch, box.grid);
            BrumeField p = make_field(box.grid);
            const BrumePressureDef def = {.method = "mgpcg", .tolerance = 1e-4f, .max_iterations = 50};
            iterations[cut] = solve(&cells, &def, &p, scratch, true).iterations;
            brume_field_destroy(&p);
            destroy_scratch(scratch);
            brume_cells_destroy(&cells);
        }
        if (getenv("BRUME_VERBOSE")) {
            print_message("%-10s %d³: %d iterations with whole cells, %d with cut ones\n", names[n], size,
                          iterations[0], iterations[1]);
        }
        expect_at_most("iterations with cut cells beyond those with whole ones", iterations[1] - iterations[0], 1);
        expect_at_most("iterations with cut cells", iterations[1], 5);
    }
}

static void relaxation_is_refused(void **state)
{
    (void)state;
    BrumeCells cells = make_cut_cells(&boxes[0], true);
    const BrumePressureDef def = {.method = "relaxation", .tolerance = 1e-4f, .max_iterations = 50};
    BrumePressure *pressure;
    BrumeError error;
    assert_int_equal(brume_pressure_create(&pressure, &def, &cells, &error), BRUME_BAD_INPUT);
    assert_null(pressure);
    assert_string_equal(error.text, "pressure solver 'relaxation' needs whole cells ('auto' picks one that fits)");
    brume_cells_destroy(&cells);
}

int main(void)
{
    brume_set_threads(1); // small boxes
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operator_and_cycle_are_symmetric),     cmocka_unit_test(whole_fractions_are_whole_cells),
        cmocka_unit_test(reference_kernels_give_the_same_bits), cmocka_unit_test(solvers_agree),
        cmocka_unit_test(iterations_are_those_of_whole_cells),  cmocka_unit_test(relaxation_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
