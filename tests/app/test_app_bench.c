// Values that `brume bench` computes from its measurements: sizes of the weak series, speed-ups and their upper bounds.
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "app/bench/case.h"
#include "app/bench/machine.h"
#include "app/bench/render/case.h"
#include "app/bench/render/plume.h"
#include "app/bench/render/trilinear.h"
#include "core/memory.h"

static void assert_near(double value, double expected, double tolerance, const char *what)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%s is %.9g, expected %.9g within %.2g", what, value, expected, tolerance);
    }
}

static void test_weak_sizes(void **state)
{
    (void)state;
    assert_int_equal(brume_bench_weak_size(100, 1), 100);
    assert_int_equal(brume_bench_weak_size(64, 2), 80);   // 80.6
    assert_int_equal(brume_bench_weak_size(128, 2), 160); // 161.3
    assert_int_equal(brume_bench_weak_size(128, 8), 256);
    assert_int_equal(brume_bench_weak_size(64, 16), 160); // 161.3
    assert_int_equal(brume_bench_weak_size(16, 3), 24);   // 23.1
}

// 10^6 cells at 1 GB/s with one thread: projection moves 50 bytes per cell in 100 ms, of which memory takes 50 ms;
// advection takes 60 ms and moves nothing
static BrumeBenchCase make_case(int threads, double step_ms, double triad)
{
    BrumeBenchCase bench = {.def = {.nx = 100, .ny = 100, .nz = 100},
                            .threads = threads,
                            .size = 100,
                            .triad = triad,
                            .triad_at_sim_size = triad,
                            .step_ms = step_ms,
                            .cell_rate = 1e6 / (1e-3 * step_ms)};
    bench.stage_ms[BRUME_STAGE_PROJECTION] = 100.0;
    bench.stage_traffic[BRUME_STAGE_PROJECTION] = 50.0;
    bench.stage_ms[BRUME_STAGE_ADVECT_VELOCITY] = 60.0;
    return bench;
}

static void test_speedup(void **state)
{
    (void)state;
    const BrumeBenchCase cases[] = {make_case(1, 160.0, 1e9), make_case(2, 100.0, 1.25e9), make_case(4, 80.0, 1e9)};
    const BrumeBenchSpeedup two = brume_bench_speedup(cases, 3, 1);
    assert_ptr_equal(two.base, &cases[0]);
    assert_near(two.speedup, 1.6, 1e-12, "speed-up of two threads");
    assert_near(two.efficiency, 0.8, 1e-12, "efficiency of two threads");
    assert_near(two.triad, 1.25, 1e-12, "speed-up of the triad");
    assert_near(two.bound, 160.0 / (50.0 / 1.25 + 50.0 / 2.0 + 60.0 / 2.0), 1e-12, "bound of two threads");
    const BrumeBenchSpeedup four = brume_bench_speedup(cases, 3, 2);
    assert_near(four.efficiency, 0.5, 1e-12, "efficiency of four threads");
    assert_near(four.bound, 160.0 / (50.0 + 110.0 / 4.0), 1e-12, "bound of four threads at the same bandwidth");
    const BrumeBenchSpeedup one = brume_bench_speedup(cases, 3, 0);
    assert_ptr_equal(one.base, &cases[0]);
    assert_near(one.speedup, 1.0, 0.0, "speed-up over itself");
}

static void test_bound_of_stage_faster_than_memory(void **state)
{
    (void)state;
    BrumeBenchCase base = make_case(1, 160.0, 1e9);
    base.stage_ms[BRUME_STAGE_ADVECT_VELOCITY] = 0.0;
    base.stage_ms[BRUME_STAGE_PROJECTION] =
        20.0; // less than the 50 ms of its traffic, so all of it scales with the bandwidth
    assert_near(brume_bench_speedup_bound(&base, 2, 1.5e9), 1.5, 1e-12, "bound of a stage that memory limits");
}

static void test_base_is_of_the_same_series(void **state)
{
    (void)state;
    BrumeBenchCase cases[] = {make_case(1, 160.0, 1e9), make_case(1, 120.0, 1e9), make_case(2, 100.0, 1e9),
                              make_case(2, 150.0, 1e9)};
    cases[1].weak = cases[3].weak = true;
    cases[3].def.nx = 126; // another grid, the same series
    assert_ptr_equal(brume_bench_speedup(cases, 4, 2).base, &cases[0]);
    assert_ptr_equal(brume_bench_speedup(cases, 4, 3).base, &cases[1]);
    cases[3].size = 64;
    assert_ptr_equal(brume_bench_speedup(cases, 4, 3).base, &cases[3]);
}

static void test_imbalance(void **state)
{
    (void)state;
    const double begin[] = {1.0, 2.0, 3.0};
    const double end[] = {3.0, 3.5, 4.5}; // 2 s, and twice 1.5
    assert_near(brume_imbalance(begin, end, 3), 0.25, 1e-12, "imbalance of three threads");
    assert_near(brume_imbalance(begin, end, 1), 0.0, 0.0, "imbalance of one thread");

    // the first of two threads works alone for half of its time
    double before[2];
    double after[2];
    brume_read_cpu_times(before, 2);
    double spent = 0.0;
    while (spent < 0.2) {
        brume_read_cpu_times(after, 1);
        spent = after[0] - before[0];
    }
#pragma omp parallel num_threads(2)
    {
        struct timespec start;
        struct timespec now;
        (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &start);
        do {
            (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
        } while ((double)(now.tv_sec - start.tv_sec) + 1e-9 * (double)(now.tv_nsec - start.tv_nsec) < 0.2);
    }
    brume_read_cpu_times(after, 2);
    assert_near(brume_imbalance(before, after, 2), 0.5, 0.2, "imbalance of half of the work");
}

static void test_triad(void **state)
{
    (void)state;
    assert_true(brume_triad_array(0) <= (size_t)64 << 20);
    assert_true(brume_triad_array((size_t)1 << 60) < (size_t)1 << 60); // limited by the memory of the machine
    BrumeError error;
    double rate = 0.0;
    assert_int_equal(brume_measure_triad(1, (size_t)1 << 20, &rate, &error), BRUME_OK);
    assert_true(rate > 1e8 && rate < 1e13); // [bytes/s]
}

// the field is linear, so the values are exact but for rounding, and their mean on a line is that of its ends
static void test_trilinear_kernel(void **state)
{
    (void)state;
    static BrumeTrilinearKernel kernel;
    brume_trilinear_kernel_init(&kernel);
    double expected = 0.0;
    for (int n = 0; n < BRUME_TRILINEAR_LINES; n++) {
        const BrumeVec3 from = kernel.from[n];
        const BrumeVec3 by = kernel.by[n];
        assert_true(from.x >= 0.0f && from.x + by.x < BRUME_TRILINEAR_SIDE - 1);
        assert_true(from.y >= 0.0f && from.y + by.y < BRUME_TRILINEAR_SIDE - 1);
        assert_true(from.z >= 0.0f && from.z + by.z < BRUME_TRILINEAR_SIDE - 1);
        const double x = from.x + 0.5 * by.x;
        const double y = from.y + 0.5 * by.y;
        const double z = from.z + 0.5 * by.z;
        expected += BRUME_TRILINEAR_POINTS * (x + 2.0 * y + 4.0 * z);
    }
    assert_near(brume_trilinear_kernel_sum(&kernel), expected, 1e-4 * expected, "sum of the kernel");
    assert_true(brume_measure_trilinear(&kernel) > 1e3);
}

// no smoke at the faces of the cube but the floor, and about the same share of it at each size
static void test_plume(void **state)
{
    (void)state;
    double shares[2];
    for (int size = 0; size < 2; size++) {
        const int n = 16 << size;
        BrumeVolume volume;
        BrumeError error;
        float *density;
        assert_int_equal(brume_plume_create(&volume, &density, n, &error), BRUME_OK);
        assert_int_equal(volume.nx, n);
        assert_near((double)volume.dx * n, 1.5, 1e-6, "side of the cube");
        int smoky = 0;
        for (int k = 0; k < n; k++) {
            for (int j = 0; j < n; j++) {
                for (int i = 0; i < n; i++) {
                    const bool inside = density[(k * n + j) * n + i] > 0.0f;
                    assert_false(inside && (i == 0 || i == n - 1 || k == 0 || k == n - 1 || j == n - 1));
                    smoky += inside;
                }
            }
        }
        shares[size] = (double)smoky / ((double)n * n * n);
        brume_free(density);
    }
    assert_near(shares[0], 0.03, 0.015, "share of the cells with smoke");
    assert_near(shares[1], shares[0], 0.01, "share at twice the resolution");
}

static void test_render_ratios(void **state)
{
    (void)state;
    BrumeRenderCase cases[] = {{.threads = 4, .nx = 64, .ny = 64, .nz = 64},
                               {.threads = 1, .nx = 64, .ny = 64, .nz = 64},
                               {.threads = 1, .nx = 32, .ny = 32, .nz = 32}};
    cases[0].ms[BRUME_RENDER_DRAW] = (BrumeQuartiles){18.0, 20.0, 25.0};
    cases[0].ms[BRUME_RENDER_DRAW_ALL].median = 50.0;
    cases[0].counts.samples = 3000000;
    assert_near(brume_render_sample_rate(&cases[0]), 150e6, 1e-3, "samples per second");
    assert_near(brume_render_skipping_gain(&cases[0]), 2.5, 1e-12, "gain of skipping");
    assert_near(brume_relative_spread(cases[0].ms[BRUME_RENDER_DRAW]), 0.35, 1e-12, "spread");
    assert_ptr_equal(brume_render_base(cases, 3, 0), &cases[1]);
    assert_ptr_equal(brume_render_base(cases, 3, 1), &cases[1]);
    assert_ptr_equal(brume_render_base(cases, 3, 2), &cases[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_weak_sizes),
        cmocka_unit_test(test_speedup),
        cmocka_unit_test(test_bound_of_stage_faster_than_memory),
        cmocka_unit_test(test_base_is_of_the_same_series),
        cmocka_unit_test(test_imbalance),
        cmocka_unit_test(test_triad),
        cmocka_unit_test(test_trilinear_kernel),
        cmocka_unit_test(test_plume),
        cmocka_unit_test(test_render_ratios),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
