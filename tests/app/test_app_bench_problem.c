// The linear system of the comparison with other solvers has the right-hand side and the operator of Brume.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "benchmarks/peers/lift_problem.h"
#include "brume/brume.h"
#include "core/field.h"
#include "sim/grid/cells.h"
#include "sim/pressure/pressure.h"

enum { N = 24 };

static void fill(BrumeField *b, bool open_top)
{
    for (int k = 1; k <= N; k++) {
        for (int j = 1; j <= N; j++) {
            for (int i = 1; i <= N; i++) {
                b->data[brume_field_index(b, i, j, k)] = (float)lift_at(N, open_top, i - 1, j - 1, k - 1);
            }
        }
    }
}

// the residual that Brume reports equals that of lift_problem.h, at any tolerance
static void check(bool open_top, float tolerance)
{
    static float interior[N * N * N];
    BrumeSimDef def = brume_default_sim_def();
    def.nx = def.ny = def.nz = N;
    def.dx = 1.0f / N;
    def.faces[BRUME_FACE_Y_MAX].kind = open_top ? BRUME_OPEN : BRUME_WALL;
    const BrumeGrid grid = brume_grid(N, N, N);
    const BrumePressureDef pressure_def = {
        .method = "cg", .tolerance = tolerance, .max_iterations = 1000, .over_relaxation = 1.9f};
    BrumeError error;
    BrumeCells cells;
    BrumeField p;
    BrumeField scratch[BRUME_PRESSURE_SCRATCH];
    BrumePressure *pressure;
    assert_int_equal(brume_cells_create(&cells, &def, &error), BRUME_OK);
    assert_int_equal(brume_field_create(&p, grid, &error), BRUME_OK);
    for (int n = 0; n < BRUME_PRESSURE_SCRATCH; n++) {
        assert_int_equal(brume_field_create(&scratch[n], grid, &error), BRUME_OK);
    }
    assert_int_equal(brume_pressure_create(&pressure, &pressure_def, &cells, &error), BRUME_OK);
    fill(&scratch[0], open_top);
    const BrumePressureResult result = brume_pressure_solve(pressure, &p, scratch);
    for (int k = 0; k < N; k++) {
        for (int j = 0; j < N; j++) {
            memcpy(interior + (k * N + j) * N, &p.data[brume_field_index(&p, 1, j + 1, k + 1)], N * sizeof *interior);
        }
    }
    const double residual = lift_residual(N, open_top, interior, NULL);
    if (!(fabs(residual - result.residual) <= 0.01 * result.residual)) {
        fail_msg("%s, tolerance %g: residual %.6g, Brume reports %.6g", open_top ? "open top" : "closed",
                 (double)tolerance, residual, result.residual);
    }
    assert_true(result.residual > 0.0 && result.residual <= (double)tolerance);
    brume_pressure_destroy(pressure);
    for (int n = 0; n < BRUME_PRESSURE_SCRATCH; n++) {
        brume_field_destroy(&scratch[n]);
    }
    brume_field_destroy(&p);
    brume_cells_destroy(&cells);
}

static void test_same_operator(void **state)
{
    (void)state;
    check(false, 1e-1f);
    check(false, 1e-3f);
    check(true, 1e-1f);
    check(true, 1e-3f);
}

// the flux through an inner face cancels, so a column sums to the flux through the top
static void test_right_hand_side(void **state)
{
    (void)state;
    for (int open_top = 0; open_top < 2; open_top++) {
        const int middle = N / 2;
        double sum = 0.0;
        for (int j = 0; j < N; j++) {
            sum += lift_at(N, open_top == 1, middle, j, middle);
        }
        const double x = (middle + 0.5) / N;
        const double outflow = open_top ? lift_heat(x, 1.0, x) : 0.0;
        assert_true(fabs(sum + outflow) < 1e-14);
    }
    bool open_top = false;
    assert_true(lift_read_box("open-top", &open_top) && open_top);
    assert_true(lift_read_box("closed", &open_top) && !open_top);
    assert_false(lift_read_box("open", &open_top));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_operator),
        cmocka_unit_test(test_right_hand_side),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
