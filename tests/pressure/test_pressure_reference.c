// The reference kernels (sim/reference/vcycle.c) give the bits of the fused passes: in every kind of box, at any number
// of threads, for cold and warm starts.
#include "pressure_support.h"

#include "sim/reference/kernels.h"

static bool sphere(BrumeGrid grid, int i, int j, int k)
{
    const double x = (i - 0.5) / grid.nx - 0.5;
    const double y = (j - 0.5) / grid.ny - 0.4;
    const double z = (k - 0.5) / grid.nz - 0.5;
    return x * x + y * y + z * z < 0.2 * 0.2;
}

// rooms of five cells, with a door in every other wall
static bool rooms(BrumeGrid grid, int i, int j, int k)
{
    (void)grid;
    const bool door = (i / 6 + j / 6 + k / 6) % 2 == 0 && j % 6 == 3 && (i % 6 == 3 || k % 6 == 3);
    return (i % 6 == 0 || j % 6 == 0 || k % 6 == 0) && !door;
}

// a third of the cells, at random: pockets, dead ends and isolated cells
static bool rubble(BrumeGrid grid, int i, int j, int k)
{
    (void)grid;
    return brume_unit_float(brume_hash3((uint32_t)i, (uint32_t)j, (uint32_t)k)) < 0.35f;
}

static const Box boxes[] = {
    {.grid = {32, 32, 32, NULL}},
    {.grid = {33, 29, 35, NULL}, .open = {[BRUME_FACE_Y_MAX] = true}},
    {.grid = {20, 36, 28, NULL}, .open = {true, true, true, true, true, true}},
    {.grid = {5, 40, 3, NULL}, .open = {[BRUME_FACE_X_MIN] = true}},
    {.grid = {32, 24, 40, NULL}, .periodic = {true, true, true}},
    {.grid = {9, 11, 13, NULL}, .periodic = {true, true, true}},
    {.grid = {31, 24, 30, NULL}, .periodic = {true, false, true}, .open = {[BRUME_FACE_Y_MAX] = true}},
    {.grid = {24, 27, 26, NULL}, .periodic = {false, true, false}, .open = {[BRUME_FACE_Z_MIN] = true}},
    {.grid = {32, 32, 32, NULL}, .open = {[BRUME_FACE_Y_MAX] = true}, .solid = sphere},
    {.grid = {24, 40, 44, NULL}, .solid = sphere},
    {.grid = {9, 150, 11, NULL}, .solid = sphere}, // in three blocks of rows
    {.grid = {9, 140, 11, NULL}},
    {.grid = {36, 30, 34, NULL}, .open = {[BRUME_FACE_Y_MAX] = true}, .solid = ball_and_plates},
    {.grid = {37, 31, 33, NULL}, .periodic = {true, false, false}, .solid = ball_and_plates},
    {.grid = {30, 36, 24, NULL}, .open = {[BRUME_FACE_X_MAX] = true}, .solid = rooms},
    {.grid = {24, 30, 30, NULL}, .periodic = {true, true, true}, .solid = rooms},
    {.grid = {31, 23, 40, NULL}, .open = {[BRUME_FACE_X_MIN] = true}, .solid = rubble},
    {.grid = {15, 13, 9, NULL}, .periodic = {true, true, true}, .solid = rubble},
    {.grid = {4, 5, 6, NULL}, .open = {[BRUME_FACE_Y_MAX] = true}},
    {.grid = {2, 3, 2, NULL}},
};

static BrumePressureResult solve(Bench *bench, const BrumePressureDef *def, const BrumeField *start, bool smooth)
{
    BrumePressure *pressure;
    assert_int_equal(brume_pressure_create(&pressure, def, &bench->cells, NULL), BRUME_OK);
    copy_field(&bench->p, start);
    if (smooth) {
        fill_plume(&bench->scratch[0], &bench->cells);
    } else {
        fill_random(&bench->scratch[0], &bench->cells, 6);
    }
    const BrumePressureResult result = brume_pressure_solve(pressure, &bench->p, bench->scratch);
    brume_pressure_destroy(pressure);
    return result;
}

static void check_box(int n, const char *method, float tolerance, int max_iterations, bool warm, bool smooth)
{
    const int thread_counts[] = {1, 3};
    Bench bench = make_bench(&boxes[n]);
    BrumeField start = make_field(boxes[n].grid);
    BrumeField expected = make_field(boxes[n].grid);
    if (warm) {
        fill_random(&start, &bench.cells, 11);
        for (size_t entry = 0; entry < brume_grid_entries(start.grid); entry++) {
            start.data[entry] *= 0.01f;
        }
    }
    BrumePressureDef def = {.method = method,
                            .tolerance = tolerance,
                            .max_iterations = max_iterations,
                            .kernels = &brume_reference_cycle_kernels};
    brume_set_threads(1);
    const BrumePressureResult reference = solve(&bench, &def, &start, smooth);
    copy_field(&expected, &bench.p);
    for (int kernels = 0; kernels < 2; kernels++) {
        def.kernels = kernels == 1 ? &brume_reference_cycle_kernels : NULL;
        for (size_t t = 0; t < sizeof thread_counts / sizeof *thread_counts; t++) {
            brume_set_threads(thread_counts[t]);
            const BrumePressureResult result = solve(&bench, &def, &start, smooth);
            const size_t bytes = brume_grid_entries(start.grid) * sizeof(float);
            if (result.iterations != reference.iterations ||
                memcmp(&result.residual, &reference.residual, sizeof result.residual) != 0 ||
                memcmp(bench.p.data, expected.data, bytes) != 0) {
                fail_msg("%s, box %d, %s kernels, %d threads: %d iterations to %.17g, expected the bits of the "
                         "reference on one thread: %d iterations to %.17g",
                         method, n, def.kernels ? "reference" : "fast", thread_counts[t], result.iterations,
                         result.residual, reference.iterations, reference.residual);
            }
        }
    }
    brume_field_destroy(&start);
    brume_field_destroy(&expected);
    destroy_bench(&bench);
}

static void reference_kernels_give_the_same_bits(void **state)
{
    (void)state;
    const int before = brume_get_threads();
    const char *const methods[] = {"mgpcg", "multigrid"};
    for (int n = 0; n < (int)(sizeof boxes / sizeof *boxes); n++) {
        for (int method = 0; method < 2; method++) {
            check_box(n, methods[method], 1e-4f, 20, false, false);
            check_box(n, methods[method], 1e-6f, 9, true, true);
        }
    }
    brume_set_threads(before);
}

// where the steps that the fused passes defer are applied in time for the limit
static void limits_on_iterations_hold_for_both(void **state)
{
    (void)state;
    const int before = brume_get_threads();
    for (int limit = 1; limit <= 3; limit++) {
        check_box(8, "mgpcg", 1e-7f, limit, false, true);
        check_box(12, "multigrid", 1e-7f, limit, false, true);
    }
    brume_set_threads(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_kernels_give_the_same_bits),
        cmocka_unit_test(limits_on_iterations_hold_for_both),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
