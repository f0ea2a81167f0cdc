// Special cases of pressure solves: sealed parts, right-hand sides that no pressure can balance, bad starts, very small
// and large values, and any number of threads.
#include "core/field.h"
#include "pressure_support.h"

#include <math.h>

// three sealed hollows of different sizes, one of them a single cell, and the air around them
static bool hollows(BrumeGrid grid, int i, int j, int k)
{
    (void)grid;
    const int at[3][3] = {{6, 6, 6}, {15, 6, 10}, {7, 15, 13}};
    const int reach[3] = {3, 2, 0};
    for (int n = 0; n < 3; n++) {
        const int x = abs(i - at[n][0]);
        const int y = abs(j - at[n][1]);
        const int z = abs(k - at[n][2]);
        const int farthest = x > y ? (x > z ? x : z) : (y > z ? y : z);
        if (farthest == reach[n] + 1) {
            return true;
        }
    }
    return false;
}

static bool is_in_hollow(int i, int j, int k, int cx, int cy, int cz, int reach)
{
    return abs(i - cx) <= reach && abs(j - cy) <= reach && abs(k - cz) <= reach;
}

// adds a constant to all cells of air; returns their mean before
static double shift(const BrumeCells *cells, BrumeField *field, double by)
{
    const BrumeGrid grid = cells->grid;
    double sum = 0.0;
    double count = 0.0;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                if (cell_is_air(cells, i, j, k)) {
                    float *value = &field->data[brume_field_index(field, i, j, k)];
                    sum += (double)*value;
                    count += 1.0;
                    *value = (float)((double)*value + by);
                }
            }
        }
    }
    return sum / count;
}

static void sealed_parts_are_independent(void **state)
{
    (void)state;
    for (int closed = 0; closed < 2; closed++) {
        const Box box = {.grid = {20, 20, 20, NULL}, .open = {[BRUME_FACE_Y_MAX] = !closed}, .solid = hollows};
        for (int method = 0; brume_pressure_name(method); method++) {
            Bench bench = make_bench(&box);
            if (!method_fits(brume_pressure_name(method), &bench.cells)) {
                destroy_bench(&bench);
                continue;
            }
            BrumeField *b = &bench.scratch[0];
            fill_random(b, &bench.cells, 4);
            // each hollow gets a different mean
            for (int k = 1; k <= 20; k++) {
                for (int j = 1; j <= 20; j++) {
                    for (int i = 1; i <= 20; i++) {
                        float *value = &b->data[brume_field_index(b, i, j, k)];
                        *value += is_in_hollow(i, j, k, 6, 6, 6, 3) ? 5.0f : 0.0f;
                        *value += is_in_hollow(i, j, k, 15, 6, 10, 2) ? -7.0f : 0.0f;
                    }
                }
            }
            b->data[brume_field_index(b, 7, 15, 13)] = 3.0f;
            fill_random(&bench.p, &bench.cells, 5);
            const BrumePressureResult result = solve_bench(&bench, brume_pressure_name(method), 1e-5f);
            assert_true(result.converged);
            double sum[3] = {0};
            double b_sum[2] = {0};
            for (int k = 1; k <= 20; k++) {
                for (int j = 1; j <= 20; j++) {
                    for (int i = 1; i <= 20; i++) {
                        const double p = (double)brume_field_at(&bench.p, i, j, k);
                        const double rest = (double)brume_field_at(b, i, j, k);
                        assert_true(isfinite(p));
                        if (!cell_is_air(&bench.cells, i, j, k)) {
                            expect_near("p in a solid cell", p, 0.0, 0.0);
                        } else if (is_in_hollow(i, j, k, 6, 6, 6, 3)) {
                            sum[0] += p;
                            b_sum[0] += rest;
                        } else if (is_in_hollow(i, j, k, 15, 6, 10, 2)) {
                            sum[1] += p;
                            b_sum[1] += rest;
                        } else {
                            sum[2] += p;
                        }
                    }
                }
            }
            expect_near("mean of p in the first hollow", sum[0] / 343.0, 0.0, 1e-6);
            expect_near("mean of p in the second hollow", sum[1] / 125.0, 0.0, 1e-6);
            expect_near("mean of b in the first hollow", b_sum[0] / 343.0, 0.0, 1e-6);
            expect_near("mean of b in the second hollow", b_sum[1] / 125.0, 0.0, 1e-6);
            expect_near("p of the sealed cell", (double)brume_field_at(&bench.p, 7, 15, 13), 0.0, 0.0);
            if (closed) {
                expect_near("sum of p around the hollows", sum[2] / 8000.0, 0.0, 1e-6);
            }
            expect_near("reported residual", result.residual, true_residual(&bench.cells, b, &bench.p),
                        0.1 * result.residual);
            destroy_bench(&bench);
        }
    }
}

// a right-hand side that no pressure can balance is solved without its mean
static void mean_is_removed(void **state)
{
    (void)state;
    const Box box = {.grid = {12, 16, 20, NULL}};
    Bench bench = make_bench(&box);
    BrumeField plain = make_field(box.grid);
    fill_random(&bench.scratch[0], &bench.cells, 9);
    (void)shift(&bench.cells, &bench.scratch[0], -shift(&bench.cells, &bench.scratch[0], 0.0));
    assert_true(solve_bench(&bench, "mgpcg", 1e-5f).converged);
    copy_field(&plain, &bench.p);

    brume_field_fill(&bench.p, 0.0f);
    fill_random(&bench.scratch[0], &bench.cells, 9);
    (void)shift(&bench.cells, &bench.scratch[0], 2.0);
    assert_true(solve_bench(&bench, "mgpcg", 1e-5f).converged);
    expect_at_most("relative change of the gradient by a constant",
                   gradient_norm(&bench.cells, &plain, &bench.p) / gradient_norm(&bench.cells, &plain, NULL), 2e-5);

    // a constant right-hand side
    brume_field_fill(&bench.scratch[0], 2.5f);
    const BrumePressureResult result = solve_bench(&bench, "mgpcg", 1e-5f);
    assert_int_equal(result.iterations, 0);
    assert_true(result.converged);
    expect_near("p for a constant right-hand side", gradient_norm(&bench.cells, &bench.p, NULL), 0.0, 0.0);
    brume_field_destroy(&plain);
    destroy_bench(&bench);
}

static void bits_do_not_depend_on_threads(void **state)
{
    (void)state;
    const Box boxes[] = {
        {.grid = {33, 40, 37, NULL}, .open = {[BRUME_FACE_Y_MAX] = true}, .solid = ball_and_plates},
        {.grid = {21, 9, 24, NULL}, .periodic = {true, true, true}},
        {.grid = {64, 64, 64, NULL}},
    };
    const int counts[] = {1, 2, 3, 5, 8};
    const int before = brume_get_threads();
    for (size_t n = 0; n < sizeof boxes / sizeof *boxes; n++) {
        Bench bench = make_bench(&boxes[n]);
        BrumeField reference = make_field(boxes[n].grid);
        for (int method = 0; brume_pressure_name(method); method++) {
            if (!method_fits(brume_pressure_name(method), &bench.cells)) {
                continue;
            }
            BrumePressureResult expected = {0};
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
                brume_set_threads(counts[c]);
                BrumePressureDef def = {.method = brume_pressure_name(method),
                                        .tolerance = 1e-5f,
                                        .max_iterations = method == 0 ? 20 : 12,
                                        .over_relaxation = 1.9f};
                BrumePressure *pressure;
                assert_int_equal(brume_pressure_create(&pressure, &def, &bench.cells, NULL), BRUME_OK);
                fill_random(&bench.scratch[0], &bench.cells, 6);
                brume_field_fill(&bench.p, 0.0f);
                const BrumePressureResult result = brume_pressure_solve(pressure, &bench.p, bench.scratch);
                brume_pressure_destroy(pressure);
                if (c == 0) {
                    expected = result;
                    copy_field(&reference, &bench.p);
                }
                assert_int_equal(result.iterations, expected.iterations);
                assert_memory_equal(&result.residual, &expected.residual, sizeof result.residual);
                assert_memory_equal(bench.p.data, reference.data, brume_grid_entries(boxes[n].grid) * sizeof(float));
            }
        }
        brume_field_destroy(&reference);
        destroy_bench(&bench);
    }
    brume_set_threads(before);
}

static void a_good_start_is_used_and_a_bad_one_ignored(void **state)
{
    (void)state;
    const Box box = {.grid = {24, 24, 24, NULL}, .open = {[BRUME_FACE_Y_MAX] = true}, .solid = ball_and_plates};
    for (int method = 0; brume_pressure_name(method); method++) {
        Bench bench = make_bench(&box);
        if (!method_fits(brume_pressure_name(method), &bench.cells)) {
            destroy_bench(&bench);
            continue;
        }
        BrumeField solution = make_field(box.grid);
        fill_random(&bench.scratch[0], &bench.cells, 2);
        assert_true(solve_bench(&bench, brume_pressure_name(method), 1e-5f).converged);
        copy_field(&solution, &bench.p);

        fill_random(&bench.scratch[0], &bench.cells, 2);
        const BrumePressureResult again = solve_bench(&bench, brume_pressure_name(method), 1e-4f);
        assert_int_equal(again.iterations, 0);
        assert_true(again.converged);
        assert_memory_equal(bench.p.data, solution.data, brume_grid_entries(box.grid) * sizeof(float));

        brume_field_fill(&bench.p, NAN);
        fill_random(&bench.scratch[0], &bench.cells, 2);
        assert_true(solve_bench(&bench, brume_pressure_name(method), 1e-5f).converged);
        expect_near("gradient after a start of NaN",
                    gradient_norm(&bench.cells, &bench.p, &solution) / gradient_norm(&bench.cells, &solution, NULL),
                    0.0, 1e-4);

        // a right-hand side with a NaN has no solution
        bench.scratch[0].data[brume_field_index(&bench.p, 2, 2, 2)] = NAN;
        const BrumePressureResult failed = solve_bench(&bench, brume_pressure_name(method), 1e-5f);
        assert_false(failed.converged);
        expect_near("p for a right-hand side with a NaN", gradient_norm(&bench.cells, &bench.p, NULL), 0.0, 0.0);
        brume_field_destroy(&solution);
        destroy_bench(&bench);
    }
}

static void scale_does_not_matter(void **state)
{
    (void)state;
    const Box box = {.grid = {16, 16, 16, NULL}};
    Bench bench = make_bench(&box);
    const float scales[] = {1e-30f, 1e-12f, 1e12f, 1e30f};
    for (size_t n = 0; n < sizeof scales / sizeof *scales; n++) {
        for (int method = 0; brume_pressure_name(method); method++) {
            if (!method_fits(brume_pressure_name(method), &bench.cells)) {
                continue;
            }
            fill_random(&bench.scratch[0], &bench.cells, 2);
            for (size_t at = 0; at < brume_grid_entries(box.grid); at++) {
                bench.scratch[0].data[at] *= scales[n];
            }
            brume_field_fill(&bench.p, 0.0f);
            const BrumePressureResult result = solve_bench(&bench, brume_pressure_name(method), 1e-4f);
            if (!result.converged) {
                fail_msg("%s, b of size %.0e: residual %.3g, expected 1e-4", brume_pressure_name(method),
                         (double)scales[n], result.residual);
            }
        }
    }
    destroy_bench(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sealed_parts_are_independent),  cmocka_unit_test(mean_is_removed),
        cmocka_unit_test(bits_do_not_depend_on_threads), cmocka_unit_test(a_good_start_is_used_and_a_bad_one_ignored),
        cmocka_unit_test(scale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
