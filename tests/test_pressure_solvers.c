// What every pressure solver must do on any box: agree with the others, meet the tolerance and say truly what it
// reached, treat sealed parts apart, and give the same bits on any number of threads.
#include "test_pressure_common.h"

#include <float.h>
#include <string.h>

// sanitizers slow the large boxes down
#ifdef BRUME_SANITIZED
enum { LARGEST_BOX = 64 };
#else
enum { LARGEST_BOX = 128 };
#endif

// a ball, and plates one cell thick: a shelf with a gap, and a curtain from floor to mid-height
static bool ball_and_plates(BrumeGrid grid, int i, int j, int k)
{
    const double x = (i - 0.5) / grid.nx - 0.5;
    const double y = (j - 0.5) / grid.ny - 0.4;
    const double z = (k - 0.5) / grid.nz - 0.5;
    const bool ball = x * x + y * y + z * z < 0.15 * 0.15;
    const bool shelf = j == grid.ny * 3 / 4 + 1 && i > grid.nx / 8 && i < grid.nx * 7 / 8 && k > grid.nz / 8;
    const bool curtain = i == grid.nx / 5 && j < grid.ny / 2;
    return ball || shelf || curtain;
}

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

static void copy_field(BrumeField *to, const BrumeField *from)
{
    memcpy(to->data, from->data, brume_grid_entries(to->grid) * sizeof *to->data);
}

// |b - Ap|_2 / |b|_2 in double precision, read off the flags; periodic ghosts of p must be in order
static double true_residual(const BrumeCells *cells, const BrumeField *b, const BrumeField *p)
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

// subtracts the mean over all cells of air
static void remove_mean(const BrumeCells *cells, BrumeField *field)
{
    const BrumeGrid grid = cells->grid;
    for (int pass = 0; pass < 2; pass++) {
        static double mean;
        double sum = 0.0;
        double count = 0.0;
        for (int k = 1; k <= grid.nz; k++) {
            for (int j = 1; j <= grid.ny; j++) {
                for (int i = 1; i <= grid.nx; i++) {
                    if (cell_is_air(cells, i, j, k)) {
                        float *value = &field->data[brume_field_index(field, i, j, k)];
                        sum += (double)*value;
                        count += 1.0;
                        *value = pass == 1 ? (float)((double)*value - mean) : *value;
                    }
                }
            }
        }
        mean = sum / count;
    }
}

// the largest and the root of the summed squares of pressure steps across open faces, or of their differences
static double gradient_norm(const BrumeCells *cells, const BrumeField *p, const BrumeField *other)
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

static void methods_have_names(void **state)
{
    (void)state;
    assert_string_equal(brume_pressure_name(0), "mgpcg");
    assert_string_equal(brume_pressure_name(1), "cg");
    assert_string_equal(brume_pressure_name(2), "relaxation");
    assert_null(brume_pressure_name(3));
    assert_null(brume_pressure_name(-1));

    const Box box = {.grid = {8, 8, 8}};
    BrumeCells cells = make_cells(&box);
    const BrumePressureDef def = {"jacobi", 1e-4f, 100, 1.9f};
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
        {.grid = {32, 32, 32}},
        {.grid = {32, 40, 24}, .open = {[BRUME_FACE_Y_MAX] = true}},
        {.grid = {32, 32, 32}, .open = {[BRUME_FACE_Y_MAX] = true}, .solid = ball_and_plates},
        {.grid = {21, 24, 17}, .periodic = {true, false, true}},
        {.grid = {15, 11, 13}, .periodic = {true, true, true}, .solid = ball_and_plates},
    };
    for (size_t n = 0; n < sizeof boxes / sizeof *boxes; n++) {
        Bench bench = make_bench(&boxes[n]);
        BrumeField reference = make_field(boxes[n].grid);
        for (int method = 0; brume_pressure_name(method); method++) {
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

static void check_iterations(const Box *box, int limit)
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
        const BrumePressureResult result = solve_bench(&bench, "mgpcg", 1e-4f);
        if (!result.converged || result.iterations > limit) {
            fail_msg("%d^3, %s: residual %.3g after %d iterations, expected 1e-4 after at most %d", box->grid.nx,
                     plume ? "plume" : "random", result.residual, result.iterations, limit);
        }
        copy_field(&b, &bench.scratch[0]); // as the solver left it: less its mean
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
        check_iterations(&(Box){.grid = {n, n, n}}, 5);
        check_iterations(&(Box){.grid = {n, n, n}, .open = {[BRUME_FACE_Y_MAX] = true}}, 5);
    }
    check_iterations(&(Box){.grid = {63, 65, 70}, .open = {[BRUME_FACE_Y_MAX] = true}}, 6);
    check_iterations(&(Box){.grid = {64, 64, 64}, .periodic = {true, true, true}}, 5);
    check_iterations(&(Box){.grid = {63, 61, 65}, .periodic = {true, true, true}}, 8);
    check_iterations(&(Box){.grid = {8, 64, 128}}, 6);
}

static void mgpcg_copes_with_solids(void **state)
{
    (void)state;
    for (int closed = 0; closed < 2; closed++) {
        // at 96 the plates cut through the middle of coarse cells
        for (int n = 64; n <= LARGEST_BOX; n += 32) {
            check_iterations(
                &(Box){.grid = {n, n, n}, .open = {[BRUME_FACE_Y_MAX] = !closed}, .solid = ball_and_plates}, 14);
        }
    }
}

static void sealed_parts_stand_alone(void **state)
{
    (void)state;
    for (int closed = 0; closed < 2; closed++) {
        const Box box = {.grid = {20, 20, 20}, .open = {[BRUME_FACE_Y_MAX] = !closed}, .solid = hollows};
        for (int method = 0; brume_pressure_name(method); method++) {
            Bench bench = make_bench(&box);
            BrumeField *b = &bench.scratch[0];
            fill_random(b, &bench.cells, 4);
            // each hollow with a surplus of its own
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

// a right-hand side that cannot be balanced is solved for as well as it can be: without its mean
static void surplus_is_spread_evenly(void **state)
{
    (void)state;
    const Box box = {.grid = {12, 16, 20}};
    Bench bench = make_bench(&box);
    BrumeField plain = make_field(box.grid);
    fill_random(&bench.scratch[0], &bench.cells, 9);
    remove_mean(&bench.cells, &bench.scratch[0]);
    assert_true(solve_bench(&bench, "mgpcg", 1e-5f).converged);
    copy_field(&plain, &bench.p);

    brume_field_fill(&bench.p, 0.0f);
    fill_random(&bench.scratch[0], &bench.cells, 9);
    for (size_t at = 0; at < brume_grid_entries(box.grid); at++) {
        bench.scratch[0].data[at] += 2.0f;
    }
    assert_true(solve_bench(&bench, "mgpcg", 1e-5f).converged);
    expect_at_most("relative change of the gradient by a surplus",
                   gradient_norm(&bench.cells, &plain, &bench.p) / gradient_norm(&bench.cells, &plain, NULL), 2e-5);

    // nothing but a surplus
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
        {.grid = {33, 40, 37}, .open = {[BRUME_FACE_Y_MAX] = true}, .solid = ball_and_plates},
        {.grid = {21, 9, 24}, .periodic = {true, true, true}},
        {.grid = {64, 64, 64}},
    };
    const int counts[] = {1, 2, 3, 5, 8};
    const int before = brume_get_threads();
    for (size_t n = 0; n < sizeof boxes / sizeof *boxes; n++) {
        Bench bench = make_bench(&boxes[n]);
        BrumeField reference = make_field(boxes[n].grid);
        for (int method = 0; brume_pressure_name(method); method++) {
            BrumePressureResult expected = {0};
            for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
                brume_set_threads(counts[c]);
                BrumePressureDef def = {brume_pressure_name(method), 1e-5f, method == 0 ? 20 : 12, 1.9f};
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

static void all_shapes_reach_a_millionth(void **state)
{
    (void)state;
    const Box boxes[] = {
        {.grid = {8, 8, 8}},
        {.grid = {9, 13, 17}},
        {.grid = {8, 64, 128}},
        {.grid = {128, 8, 8}, .open = {[BRUME_FACE_X_MAX] = true}},
        {.grid = {32, 32, 32}, .open = {[BRUME_FACE_Y_MAX] = true}, .solid = ball_and_plates},
        {.grid = {64, 64, 64}},
        {.grid = {64, 64, 64}, .open = {[BRUME_FACE_Y_MAX] = true}},
        {.grid = {31, 33, 35}, .periodic = {true, true, true}},
        {.grid = {9, 9, 9}, .periodic = {true, true, true}},
        {.grid = {11, 8, 15}, .periodic = {true, false, true}, .open = {[BRUME_FACE_Y_MAX] = true}},
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

static double rms(const BrumeField *field)
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
    return sqrt(sum / (double)brume_grid_cells(grid));
}

// Rounding p to floats alone leaves a residual of some |p| epsilon: less is never reached, nor ever claimed.
static void smooth_pressure_is_as_exact_as_floats_can_hold(void **state)
{
    (void)state;
    const Box boxes[] = {
        {.grid = {64, 64, 64}},
        {.grid = {64, 64, 64}, .open = {[BRUME_FACE_Y_MAX] = true}},
        {.grid = {128, 8, 8}, .open = {[BRUME_FACE_X_MAX] = true}},
    };
    for (size_t n = 0; n < sizeof boxes / sizeof *boxes; n++) {
        // the hundreds of iterations of plain conjugate gradients are for the small box
        for (int method = 0; method < (n == 2 ? 2 : 1); method++) {
            Bench bench = make_bench(&boxes[n]);
            fill_plume(&bench.scratch[0], &bench.cells);
            const BrumePressureResult result = solve_bench(&bench, brume_pressure_name(method), 1e-8f);
            const double limit = 3.0 * (double)FLT_EPSILON * rms(&bench.p) / rms(&bench.scratch[0]);
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

static void a_good_start_is_kept_and_a_bad_one_dropped(void **state)
{
    (void)state;
    const Box box = {.grid = {24, 24, 24}, .open = {[BRUME_FACE_Y_MAX] = true}, .solid = ball_and_plates};
    for (int method = 0; brume_pressure_name(method); method++) {
        Bench bench = make_bench(&box);
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
        expect_near("gradient after a start that is no number",
                    gradient_norm(&bench.cells, &bench.p, &solution) / gradient_norm(&bench.cells, &solution, NULL),
                    0.0, 1e-4);

        // a right-hand side that is no number has no solution
        bench.scratch[0].data[brume_field_index(&bench.p, 2, 2, 2)] = NAN;
        const BrumePressureResult lost = solve_bench(&bench, brume_pressure_name(method), 1e-5f);
        assert_false(lost.converged);
        expect_near("p for a right-hand side that is no number", gradient_norm(&bench.cells, &bench.p, NULL), 0.0, 0.0);
        brume_field_destroy(&solution);
        destroy_bench(&bench);
    }
}

static void scale_does_not_matter(void **state)
{
    (void)state;
    const Box box = {.grid = {16, 16, 16}};
    Bench bench = make_bench(&box);
    const float scales[] = {1e-30f, 1e-12f, 1e12f, 1e30f};
    for (size_t n = 0; n < sizeof scales / sizeof *scales; n++) {
        for (int method = 0; brume_pressure_name(method); method++) {
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

static void a_limit_on_iterations_holds(void **state)
{
    (void)state;
    const Box box = {.grid = {32, 32, 32}};
    Bench bench = make_bench(&box);
    for (int method = 0; brume_pressure_name(method); method++) {
        for (int limit = 0; limit <= 2; limit++) {
            const BrumePressureDef def = {brume_pressure_name(method), 1e-6f, limit, 1.9f};
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
    const Box box = {.grid = {64, 64, 64}};
    BrumeCells cells = make_cells(&box);
    const double most[] = {5.5, 0.7, 0.7}; // bytes a cell
    for (int method = 0; brume_pressure_name(method); method++) {
        BrumePressure *pressure = make_solver(&cells, brume_pressure_name(method), 1e-4f);
        expect_at_most("bytes a cell", (double)brume_pressure_bytes(pressure) / (64.0 * 64.0 * 64.0), most[method]);
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
        cmocka_unit_test(mgpcg_copes_with_solids),
        cmocka_unit_test(sealed_parts_stand_alone),
        cmocka_unit_test(surplus_is_spread_evenly),
        cmocka_unit_test(bits_do_not_depend_on_threads),
        cmocka_unit_test(all_shapes_reach_a_millionth),
        cmocka_unit_test(smooth_pressure_is_as_exact_as_floats_can_hold),
        cmocka_unit_test(a_good_start_is_kept_and_a_bad_one_dropped),
        cmocka_unit_test(scale_does_not_matter),
        cmocka_unit_test(a_limit_on_iterations_holds),
        cmocka_unit_test(memory_is_small),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
