// What the pressure solvers reach: the same solution, the required tolerance, few iterations, a true residual.
#include "core/field.h"
#include "pressure_support.h"

#include <float.h>

// with sanitizers the large boxes take too long
#ifdef BRUME_SANITIZED
enum { LARGEST_BOX = 64 };
#else
enum { LARGEST_BOX = 128 };
#endif

static void methods_have_names(void **state)
{
    (void)state;
    assert_string_equal(brume_pressure_name(0), "mgpcg");
    assert_string_equal(brume_pressure_name(1), "multigrid");
    assert_string_equal(brume_pressure_name(2), "cg");
    assert_string_equal(brume_pressure_name(3), "relaxation");
    assert_string_equal(brume_pressure_name(4), "dct");
    assert_string_equal(brume_pressure_name(5), "fft");
    assert_string_equal(brume_pressure_name(6), "auto");
    assert_null(brume_pressure_name(7));
    assert_null(brume_pressure_name(-1));

    const Box box = {.grid = {8, 8, 8, NULL}};
    BrumeCells cells = make_cells(&box);
    const BrumePressureDef def = {
        .method = "jacobi", .tolerance = 1e-4f, .max_iterations = 100, .over_relaxation = 1.9f};
    BrumePressure *pressure = (BrumePressure *)&cells;
    BrumeError error;
    assert_int_equal(brume_pressure_create(&pressure, &def, &cells, &error), BRUME_BAD_INPUT);
    assert_null(pressure);
    assert_string_equal(error.text, "unknown pressure solver 'jacobi'");
    brume_pressure_destroy(NULL);
    brume_free(cells.flags);
}

static void methods_agree(void **state)
{
    (void)state;
    const float tolerance = 1e-5f;
    const Box boxes[] = {
        {.grid = {32, 32, 32, NULL}},
        {.grid = {32, 40, 24, NULL}, .open = {[BRUME_FACE_Y_MAX] = true}},
        {.grid = {32, 32, 32, NULL}, .open = {[BRUME_FACE_Y_MAX] = true}, .solid = ball_and_plates},
        {.grid = {21, 24, 17, NULL}, .periodic = {true, false, true}},
        {.grid = {15, 11, 13, NULL}, .periodic = {true, true, true}, .solid = ball_and_plates},
    };
    for (size_t n = 0; n < sizeof boxes / sizeof *boxes; n++) {
        Bench bench = make_bench(&boxes[n]);
        BrumeField reference = make_field(boxes[n].grid);
        for (int method = 0; brume_pressure_name(method); method++) {
            if (!method_fits(brume_pressure_name(method), &bench.cells)) {
                continue;
            }
            fill_random(&bench.scratch[0], &bench.cells, 8);
            brume_field_fill(&bench.p, 0.0f);
            const BrumePressureResult result = solve_bench(&bench, brume_pressure_name(method), tolerance);
            if (!result.converged) {
                fail_msg("%s in box %zu: residual %.3g after %d iterations, expected at most %.3g",
                         brume_pressure_name(method), n, result.residual, result.iterations, (double)tolerance);
            }
            if (method == 0) {
                copy_field(&reference, &bench.p);
                continue;
            }
            const double difference =
                gradient_norm(&bench.cells, &reference, &bench.p) / gradient_norm(&bench.cells, &reference, NULL);
            if (getenv("BRUME_VERBOSE")) {
                print_message("box %zu %s: gradient differs by %.3g, %d iterations\n", n, brume_pressure_name(method),
                              difference, result.iterations);
            }
            // the residual is bounded by the tolerance; the gradient's error is larger where it is smooth
            expect_at_most("relative difference of gradients", difference, 4.0 * (double)tolerance);
        }
        brume_field_destroy(&reference);
        destroy_bench(&bench);
    }
}

static void check_iterations(const char *method, const Box *box, int limit)
{
    Bench bench = make_bench(box);
    BrumeField b = make_field(box->grid);
    for (int plume = 0; plume < 2; plume++) {
        if (plume) {
            fill_plume(&b, &bench.cells);
        } else {
            fill_random(&b, &bench.cells, 21);
        }
        copy_field(&bench.scratch[0], &b);
        brume_field_fill(&bench.p, 0.0f);
        const BrumePressureResult result = solve_bench(&bench, method, 1e-4f);
        if (!result.converged || result.iterations > limit) {
            fail_msg("%s, %d^3, %s: residual %.3g after %d iterations, expected 1e-4 after at most %d", method,
                     box->grid.nx, plume ? "plume" : "random", result.residual, result.iterations, limit);
        }
        copy_field(&b, &bench.scratch[0]); // its mean was removed by the solve
        expect_near("reported residual", result.residual, true_residual(&bench.cells, &b, &bench.p),
                    0.1 * result.residual);
    }
    brume_field_destroy(&b);
    destroy_bench(&bench);
}

static void mgpcg_takes_few_iterations(void **state)
{
    (void)state;
    for (int n = 64; n <= LARGEST_BOX; n += 64) {
        check_iterations("mgpcg", &(Box){.grid = {n, n, n, NULL}}, 5);
        check_iterations("mgpcg", &(Box){.grid = {n, n, n, NULL}, .open = {[BRUME_FACE_Y_MAX] = true}}, 5);
    }
    check_iterations("mgpcg", &(Box){.grid = {63, 65, 70, NULL}, .open = {[BRUME_FACE_Y_MAX] = true}}, 6);
    check_iterations("mgpcg", &(Box){.grid = {64, 64, 64, NULL}, .periodic = {true, true, true}}, 5);
    check_iterations("mgpcg", &(Box){.grid = {63, 61, 65, NULL}, .periodic = {true, true, true}}, 8);
    check_iterations("mgpcg", &(Box){.grid = {8, 64, 128, NULL}}, 6);
}

static void mgpcg_takes_few_iterations_with_solids(void **state)
{
    (void)state;
    for (int closed = 0; closed < 2; closed++) {
        // at 96 the plates divide coarse cells
        for (int n = 64; n <= LARGEST_BOX; n += 32) {
            check_iterations(
                "mgpcg",
                &(Box){.grid = {n, n, n, NULL}, .open = {[BRUME_FACE_Y_MAX] = !closed}, .solid = ball_and_plates}, 14);
        }
    }
}

static bool ball(BrumeGrid grid, int i, int j, int k)
{
    const double x = (i - 0.5) / grid.nx - 0.5;
    const double y = (j - 0.5) / grid.ny - 0.4;
    const double z = (k - 0.5) / grid.nz - 0.5;
    return x * x + y * y + z * z < 0.2 * 0.2;
}

// shelves of one cell with gaps at alternating ends
static bool maze(BrumeGrid grid, int i, int j, int k)
{
    (void)k;
    const int level_height = grid.ny / 8;
    return j % level_height == 0 && ((j / level_height) % 2 ? i > grid.nx / 8 : i <= grid.nx * 7 / 8);
}

// 4 x 4 x 4 rooms with walls of one cell, some with doors of 2 x 2 cells, some sealed
static bool pockets(BrumeGrid grid, int i, int j, int k)
{
    const int room = grid.nx / 4;
    const int at[3] = {i % room - room / 2 + 2, j % room - room / 2 + 2, k % room - room / 2 + 2};
    const bool wall = i % room == 0 || j % room == 0 || k % room == 0;
    const bool across_x = i % room == 0 && (at[1] == 1 || at[1] == 2) && (at[2] == 1 || at[2] == 2);
    const bool across_y = j % room == 0 && (at[0] == 1 || at[0] == 2) && (at[2] == 1 || at[2] == 2);
    return wall && !((i / room + j / room + k / room) % 2 == 0 && (across_x || across_y));
}

// coarse cells must not couple the two sides of thin walls
static void mgpcg_separates_thin_walls_on_every_level(void **state)
{
    (void)state;
    bool (*const shapes[])(BrumeGrid grid, int i, int j, int k) = {ball, ball_and_plates, maze, pockets};
    for (size_t shape = 0; shape < sizeof shapes / sizeof *shapes; shape++) {
        for (int closed = 0; closed < 2; closed++) {
            const int sizes[] = {32, 48, 64, 96};
            for (int s = 0; s < 4 && sizes[s] < LARGEST_BOX; s++) {
                const int n = sizes[s];
                check_iterations(
                    "mgpcg",
                    &(Box){.grid = {n, n, n, NULL}, .open = {[BRUME_FACE_Y_MAX] = !closed}, .solid = shapes[shape]},
                    10);
            }
        }
    }
}

// the stationary iteration, with conjugate gradients where it is slow
static void multigrid_takes_few_iterations(void **state)
{
    (void)state;
    for (int closed = 0; closed < 2; closed++) {
        const bool open_top = !closed;
        check_iterations("multigrid", &(Box){.grid = {64, 64, 64, NULL}, .open = {[BRUME_FACE_Y_MAX] = open_top}}, 5);
        check_iterations(
            "multigrid",
            &(Box){.grid = {64, 64, 64, NULL}, .open = {[BRUME_FACE_Y_MAX] = open_top}, .solid = ball_and_plates}, 5);
        check_iterations("multigrid",
                         &(Box){.grid = {48, 48, 48, NULL}, .open = {[BRUME_FACE_Y_MAX] = open_top}, .solid = pockets},
                         8);
    }
    check_iterations("multigrid", &(Box){.grid = {63, 61, 65, NULL}, .periodic = {true, true, true}}, 8);
    check_iterations("multigrid", &(Box){.grid = {8, 64, 128, NULL}}, 6);
}

static void all_shapes_reach_1e_6(void **state)
{
    (void)state;
    const Box boxes[] = {
        {.grid = {8, 8, 8, NULL}},
        {.grid = {9, 13, 17, NULL}},
        {.grid = {8, 64, 128, NULL}},
        {.grid = {128, 8, 8, NULL}, .open = {[BRUME_FACE_X_MAX] = true}},
        {.grid = {32, 32, 32, NULL}, .open = {[BRUME_FACE_Y_MAX] = true}, .solid = ball_and_plates},
        {.grid = {64, 64, 64, NULL}},
        {.grid = {64, 64, 64, NULL}, .open = {[BRUME_FACE_Y_MAX] = true}},
        {.grid = {31, 33, 35, NULL}, .periodic = {true, true, true}},
        {.grid = {9, 9, 9, NULL}, .periodic = {true, true, true}},
        {.grid = {11, 8, 15, NULL}, .periodic = {true, false, true}, .open = {[BRUME_FACE_Y_MAX] = true}},
    };
    for (size_t n = 0; n < sizeof boxes / sizeof *boxes; n++) {
        Bench bench = make_bench(&boxes[n]);
        fill_random_divergence(&bench.scratch[0], &bench.cells, 12);
        const BrumePressureResult result = solve_bench(&bench, "mgpcg", 1e-6f);
        if (!result.converged || result.iterations > 20) {
            fail_msg("box %zu: residual %.3g after %d iterations, expected 1e-6 after at most 20", n, result.residual,
                     result.iterations);
        }
        destroy_bench(&bench);
    }
}

// Rounding p to single precision leaves a residual of about |p| epsilon; no smaller one is reached or reported.
static void smooth_pressure_is_exact_to_rounding(void **state)
{
    (void)state;
    const Box boxes[] = {
        {.grid = {64, 64, 64, NULL}},
        {.grid = {64, 64, 64, NULL}, .open = {[BRUME_FACE_Y_MAX] = true}},
        {.grid = {128, 8, 8, NULL}, .open = {[BRUME_FACE_X_MAX] = true}},
    };
    for (size_t n = 0; n < sizeof boxes / sizeof *boxes; n++) {
        // the second method, with its many iterations, for the small box only
        for (int method = 0; method < (n == 2 ? 2 : 1); method++) {
            Bench bench = make_bench(&boxes[n]);
            fill_plume(&bench.scratch[0], &bench.cells);
            const BrumePressureResult result = solve_bench(&bench, brume_pressure_name(method), 1e-8f);
            const double limit = 3.0 * (double)FLT_EPSILON * field_norm(&bench.p) / field_norm(&bench.scratch[0]);
            if (getenv("BRUME_VERBOSE")) {
                print_message("box %zu %s: residual %.3g, |p| epsilon / |b| %.3g, %d iterations\n", n,
                              brume_pressure_name(method), result.residual, limit / 3.0, result.iterations);
            }
            assert_false(result.converged);
            expect_at_most("residual of a smooth pressure", result.residual, limit);
            expect_near("reported residual", result.residual, true_residual(&bench.cells, &bench.scratch[0], &bench.p),
                        0.2 * result.residual);
            destroy_bench(&bench);
        }
    }
}

static void a_limit_on_iterations_holds(void **state)
{
    (void)state;
    const Box box = {.grid = {32, 32, 32, NULL}};
    Bench bench = make_bench(&box);
    const char *const iterative[] = {"mgpcg", "multigrid", "cg", "relaxation"};
    for (size_t method = 0; method < sizeof iterative / sizeof *iterative; method++) {
        for (int limit = 0; limit <= 2; limit++) {
            const BrumePressureDef def = {
                .method = iterative[method], .tolerance = 1e-6f, .max_iterations = limit, .over_relaxation = 1.9f};
            BrumePressure *pressure;
            assert_int_equal(brume_pressure_create(&pressure, &def, &bench.cells, NULL), BRUME_OK);
            fill_random(&bench.scratch[0], &bench.cells, 2);
            brume_field_fill(&bench.p, 0.0f);
            const BrumePressureResult result = brume_pressure_solve(pressure, &bench.p, bench.scratch);
            assert_int_equal(result.iterations, limit);
            assert_false(result.converged);
            expect_near("reported residual", result.residual, true_residual(&bench.cells, &bench.scratch[0], &bench.p),
                        0.01 * result.residual);
            brume_pressure_destroy(pressure);
        }
    }
    destroy_bench(&bench);
}

static void memory_is_small(void **state)
{
    (void)state;
    const Box box = {.grid = {64, 64, 64, NULL}};
    BrumeCells cells = make_cells(&box);
    const double limit[] = {5.5, 5.5, 0.7, 0.7}; // bytes per cell
    for (size_t method = 0; method < sizeof limit / sizeof *limit; method++) {
        BrumePressure *pressure = make_solver(&cells, brume_pressure_name((int)method), 1e-4f);
        expect_at_most("bytes per cell", (double)brume_pressure_bytes(pressure) / (64.0 * 64.0 * 64.0), limit[method]);
        brume_pressure_destroy(pressure);
    }
    brume_free(cells.flags);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_have_names),
        cmocka_unit_test(methods_agree),
        cmocka_unit_test(mgpcg_takes_few_iterations),
        cmocka_unit_test(mgpcg_takes_few_iterations_with_solids),
        cmocka_unit_test(mgpcg_separates_thin_walls_on_every_level),
        cmocka_unit_test(multigrid_takes_few_iterations),
        cmocka_unit_test(all_shapes_reach_1e_6),
        cmocka_unit_test(smooth_pressure_is_exact_to_rounding),
        cmocka_unit_test(a_limit_on_iterations_holds),
        cmocka_unit_test(memory_is_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
