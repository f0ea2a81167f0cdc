// Wavefronts visit every row once per stage, in an order in which each stage reads only finished rows.
#include "core/field.h"
#include "core/memory.h"
#include "core/parallel/threads.h"
#include "sim/grid/wavefront.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdatomic.h>

static const int thread_counts[] = {1, 2, 3, 5, 8};

enum { THREAD_COUNTS = sizeof thread_counts / sizeof *thread_counts };

// The visits so far.
typedef struct Log {
    const BrumeWavefront *wavefront;
    atomic_int *done; ///< one per row (nz x ny): stages that have visited it; atomic, as other threads read it
    atomic_int wrong; ///< visits out of order
} Log;

static int wrapped(int n, int count, bool periodic) { return !periodic ? n : n < 1 ? n + count : n > count ? 1 : n; }

// stages done in row (j, k), or `beyond` outside of the box
static int done_at(const Log *log, int j, int k, int beyond)
{
    const BrumeGrid grid = log->wavefront->grid;
    j = wrapped(j, grid.ny, log->wavefront->whole_planes);
    k = wrapped(k, grid.nz, log->wavefront->wrap != NULL);
    if (j < 1 || j > grid.ny || k < 1 || k > grid.nz) {
        return beyond;
    }
    return atomic_load_explicit(&log->done[(k - 1) * grid.ny + (j - 1)], memory_order_relaxed);
}

static void log_visit(void *context, int stage, int k, int from, int to)
{
    Log *log = context;
    const BrumeGrid grid = log->wavefront->grid;
    for (int j = from; j < to; j++) {
        bool right = done_at(log, j, k, -1) == stage && (j == 1 || done_at(log, j - 1, k, -1) >= stage + 1);
        // A stage reads the results of the previous stage in the adjacent rows: these must exist, and no later stage
        // than this one may have overwritten them. Rows of one plane that are visited together may be ahead by this
        // stage.
        const int beside[4][2] = {{j - 1, k}, {j + 1, k}, {j, k - 1}, {j, k + 1}};
        for (int n = 0; n < 4 && stage > 0; n++) {
            const int done = done_at(log, beside[n][0], beside[n][1], stage);
            right = right && done >= stage && done <= stage + 1;
        }
        // the planes and rows that make up one coarse cell are visited in ascending order
        const bool paired = stage == 0 || stage == 4;
        right = right && !(paired && k % 2 == 0 && done_at(log, j, k - 1, 0) <= stage);
        right = right && !(paired && k % 2 == 0 && j % 2 != 0 && j < grid.ny && done_at(log, j + 1, k - 1, 0) <= stage);
        if (!right) {
            atomic_fetch_add(&log->wrong, 1);
        }
        atomic_store_explicit(&log->done[(k - 1) * grid.ny + (j - 1)], stage + 1, memory_order_relaxed);
    }
}

static void no_wrap(void *context) { (void)context; }

static void check_wavefront(BrumeGrid grid, int stages, bool whole_planes, bool periodic, bool stage_by_stage)
{
    BrumeWavefront wavefront = {.grid = grid,
                                .stages = stages,
                                .parallel = true,
                                .whole_planes = whole_planes,
                                .stage_by_stage = stage_by_stage,
                                .visit = log_visit,
                                .wrap = periodic ? no_wrap : NULL};
    Log log = {.wavefront = &wavefront, .done = brume_alloc((size_t)grid.ny * (size_t)grid.nz, sizeof *log.done)};
    wavefront.context = &log;
    assert_non_null(log.done);
    brume_wavefront_run(&wavefront);
    const int wrong = atomic_load(&log.wrong);
    if (wrong > 0) {
        fail_msg("%d x %d x %d, %d stages, whole planes %d, periodic %d: %d rows out of order", grid.nx, grid.ny,
                 grid.nz, stages, whole_planes, periodic, wrong);
    }
    for (int row = 0; row < grid.ny * grid.nz; row++) {
        assert_int_equal(atomic_load(&log.done[row]), stages);
    }
    brume_free(log.done);
}

static void wavefronts_visit_rows_in_order(void **state)
{
    (void)state;
    const BrumeGrid grids[] = {brume_grid(16, 16, 16), brume_grid(300, 97, 46), brume_grid(700, 40, 64),
                               brume_grid(8, 5, 1),    brume_grid(8, 7, 10),    brume_grid(2000, 33, 23)};
    const int before = brume_get_threads();
    for (int t = 0; t < THREAD_COUNTS; t++) {
        brume_set_threads(thread_counts[t]);
        for (size_t n = 0; n < sizeof grids / sizeof *grids; n++) {
            for (int stages = 1; stages <= BRUME_WAVEFRONT_STAGES; stages++) {
                check_wavefront(grids[n], stages, false, false, false);
                check_wavefront(grids[n], stages, false, false, true);
                if (grids[n].nz % 2 == 0) {
                    check_wavefront(grids[n], stages, true, true, false);
                    check_wavefront(grids[n], stages, false, true, false);
                }
            }
        }
    }
    brume_set_threads(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wavefronts_visit_rows_in_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
