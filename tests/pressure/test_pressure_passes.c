// The passes of the multigrid cycle through memory: rows split by color hold all entries, and each pass gives the same
// bits as a plain implementation of it.
#include "pressure_support.h"

#include "core/field.h"
#include "core/minmax.h"
#include "sim/grid/parity_rows.h"
#include "sim/grid/wavefront.h"
#include "sim/pressure/multigrid/multigrid.h"
#include "sim/pressure/multigrid/operator.h"
#include "sim/pressure/relaxation.h"

#include <math.h>

enum { RED = 0, BLACK = 1 };

static const int thread_counts[] = {1, 2, 3, 5, 8};

enum { THREAD_COUNTS = sizeof thread_counts / sizeof *thread_counts };

static void split_rows_hold_every_entry(void **state)
{
    (void)state;
    for (int nx = 1; nx <= 33; nx++) {
        float row[35];
        float split[35];
        float joined[35];
        for (int i = 0; i <= nx + 1; i++) {
            row[i] = (float)(100 + i);
        }
        brume_row_to_parity_order(split, row, nx);
        for (int i = 0; i <= nx + 1; i++) {
            assert_true(split[brume_parity_entry(nx, i)] == row[i]);
        }
        for (int parity = 0; parity < 2; parity++) {
            const BrumeParitySpan span = brume_parity_span(nx, parity);
            assert_int_equal(span.count, parity ? (nx + 1) / 2 : nx / 2);
            for (int n = 0; n < span.count; n++) {
                const int i = 2 * n + 2 - parity;
                assert_true(split[span.cells + n] == row[i]);
                assert_true(split[span.neighbors + n] == row[i - 1]);
                assert_true(split[span.neighbors + n + 1] == row[i + 1]);
            }
        }
        brume_row_from_parity_order(joined, split, nx);
        assert_memory_equal(joined, row, (size_t)(nx + 2) * sizeof *row);
    }
}

static bool ball(BrumeGrid grid, int i, int j, int k)
{
    const double x = (i - 0.5) / grid.nx - 0.5;
    const double y = (j - 0.5) / grid.ny - 0.4;
    const double z = (k - 0.5) / grid.nz - 0.5;
    return x * x + y * y + z * z < 0.2 * 0.2;
}

static bool rubble(BrumeGrid grid, int i, int j, int k)
{
    (void)grid;
    return brume_unit_float(brume_hash3((uint32_t)i, (uint32_t)j, (uint32_t)k)) < 0.35f;
}

static const Box boxes[] = {
    {.grid = {32, 32, 48, NULL}},
    {.grid = {37, 29, 31, NULL}, .open = {[BRUME_FACE_Y_MAX] = true}},
    {.grid = {9, 11, 13, NULL}, .periodic = {true, true, true}},
    {.grid = {16, 20, 24, NULL}, .periodic = {true, true, true}},
    {.grid = {15, 9, 48, NULL}, .periodic = {true, false, true}, .open = {[BRUME_FACE_Y_MIN] = true}},
    {.grid = {24, 40, 44, NULL}, .open = {[BRUME_FACE_Y_MAX] = true}, .solid = ball},
    {.grid = {31, 13, 40, NULL}, .open = {[BRUME_FACE_X_MIN] = true}, .solid = rubble},
    {.grid = {260, 70, 48, NULL}, .open = {[BRUME_FACE_Z_MIN] = true}, .solid = ball}, // rows in several blocks
};

enum { BOX_COUNT = sizeof boxes / sizeof *boxes };

typedef struct Kit {
    BrumeCells cells;
    BrumePoisson poisson;
    BrumeMultigrid *multigrid;
    const BrumeOperator *op;
    BrumeField x, b, z, r;
} Kit;

static void prepare(Kit *kit, const Box *box)
{
    BrumeError error;
    *kit = (Kit){.cells = make_cells(box)};
    assert_int_equal(brume_poisson_create(&kit->poisson, &kit->cells, &error), BRUME_OK);
    assert_int_equal(brume_multigrid_create(&kit->multigrid, &kit->poisson, true, &error), BRUME_OK);
    kit->op = &kit->multigrid->finest;
    BrumeField *fields[] = {&kit->x, &kit->b, &kit->z, &kit->r};
    for (uint32_t n = 0; n < 4; n++) {
        *fields[n] = make_field(box->grid);
        fill_random(fields[n], &kit->cells, n);
        brume_poisson_clear_inactive(&kit->poisson, fields[n]);
        brume_poisson_fill_ghosts(&kit->poisson, fields[n]);
    }
}

static void destroy_kit(Kit *kit)
{
    brume_multigrid_destroy(kit->multigrid);
    brume_poisson_destroy(&kit->poisson);
    brume_free(kit->cells.flags);
    BrumeField *fields[] = {&kit->x, &kit->b, &kit->z, &kit->r};
    for (int n = 0; n < 4; n++) {
        brume_field_destroy(fields[n]);
    }
}

static size_t field_bytes(const BrumeField *field) { return brume_grid_entries(field->grid) * sizeof *field->data; }

static void copy(BrumeField *to, const BrumeField *from) { memcpy(to->data, from->data, field_bytes(from)); }

static void expect_same_cells(const char *what, int box, const BrumeField *value, const BrumeField *expected)
{
    const BrumeGrid grid = expected->grid;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const float a = brume_field_at(value, i, j, k);
                const float b = brume_field_at(expected, i, j, k);
                if (!(a == b)) {
                    fail_msg("%s, box %d, cell (%d, %d, %d): %.9g, expected %.9g", what, box, i, j, k, (double)a,
                             (double)b);
                }
            }
        }
    }
}

static void half_sweep(Kit *kit, BrumeField *x, const BrumeField *b, int color)
{
    for (int k = 1; k <= x->grid.nz; k++) {
        brume_operator_relax(kit->op, x, b, color, k, 1, x->grid.ny + 1);
    }
    if (kit->cells.periodic[2]) {
        brume_parity_fill_ghost_planes(x);
    }
}

// relaxing split rows is Gauss-Seidel, bit for bit
static void split_sweeps_equal_plain_ones(void **state)
{
    (void)state;
    for (int n = 0; n < BOX_COUNT; n++) {
        Kit kit;
        prepare(&kit, &boxes[n]);
        copy(&kit.z, &kit.x);
        copy(&kit.r, &kit.b);
        brume_field_to_parity_order(&kit.z, true);
        brume_field_to_parity_order(&kit.r, true);
        for (int sweep = 0; sweep < 3; sweep++) {
            brume_relaxation_sweep(&kit.poisson, &kit.x, &kit.b, sweep % 2, 1.0f);
            half_sweep(&kit, &kit.z, &kit.r, sweep % 2);
            half_sweep(&kit, &kit.z, &kit.r, 1 - sweep % 2);
        }
        brume_field_from_parity_order(&kit.z, true);
        expect_same_cells("sweeps", n, &kit.z, &kit.x);
        destroy_kit(&kit);
    }
}

// r -= A x and the sums, against the plain operator: the same but for how closed faces round
static void step_and_product_equal_plain_ones(void **state)
{
    (void)state;
    for (int n = 0; n < BOX_COUNT; n++) {
        Kit kit;
        prepare(&kit, &boxes[n]);
        const BrumeGrid grid = boxes[n].grid;
        const double product = brume_poisson_apply(&kit.poisson, &kit.z, &kit.x);
        const double squares = brume_poisson_residual(&kit.poisson, &kit.r, &kit.b, &kit.x);
        brume_field_to_parity_order(&kit.x, true);
        brume_field_to_parity_order(&kit.b, true);
        BrumePlaneSum split_product = {0};
        BrumePlaneSum split_squares = {0};
        for (int k = 1; k <= grid.nz; k++) {
            for (int j = 1; j <= grid.ny; j++) {
                float *row = kit.b.data + brume_field_index(&kit.b, 0, j, k);
                row[0] = 0.0f;
                row[brume_parity_entry(grid.nx, grid.nx + 1)] = 0.0f;
            }
            brume_operator_energy(kit.op, &kit.x, k, 1, grid.ny + 1, &split_product);
            brume_operator_update_residual(kit.op, &kit.b, &kit.x, 1.0f, k, 1, grid.ny + 1, &split_squares);
        }
        brume_field_from_parity_order(&kit.b, true);
        expect_near("x.Ax", brume_sum_of_plane(split_product), product, 1e-6 * product);
        expect_near("r.r", brume_sum_of_plane(split_squares), squares, 1e-6 * squares);
        for (int k = 1; k <= grid.nz; k++) {
            for (int j = 1; j <= grid.ny; j++) {
                for (int i = 1; i <= grid.nx; i++) {
                    const int flags = brume_poisson_flags(&kit.poisson, j, k)[i];
                    const bool open = (flags & BRUME_CELL_FACES) == BRUME_CELL_FACES;
                    expect_near("b - Ax", (double)brume_field_at(&kit.b, i, j, k),
                                (double)brume_field_at(&kit.r, i, j, k), open ? 0.0 : 2e-6);
                }
            }
        }
        destroy_kit(&kit);
    }
}

// What hooks do here: scale r before, add up z after.
typedef struct Work {
    Kit *kit;
    double *sums; ///< a plane (nz + 1)
} Work;

static void halve(void *context, int k, int from, int to)
{
    const Work *work = context;
    BrumeField *r = &work->kit->r;
    float *rows = r->data + r->sz * k + r->sy * from;
    for (ptrdiff_t n = 0; n < r->sy * (to - from); n++) {
        rows[n] *= 0.5f;
    }
}

static void add_up(void *context, int k, int from, int to)
{
    const Work *work = context;
    const BrumeField *z = &work->kit->z;
    const float *rows = z->data + z->sz * k + z->sy * from;
    work->sums[k] = from == 1 ? 0.0 : work->sums[k];
    for (ptrdiff_t n = 0; n < z->sy * (to - from); n++) {
        work->sums[k] += (double)rows[n] * (double)rows[n];
    }
}

static void start_cycle(Kit *kit)
{
    copy(&kit->r, &kit->b);
    brume_field_to_parity_order(&kit->r, true);
    brume_field_fill(&kit->z, NAN);
    brume_parity_clear_ghosts(&kit->z, true);
}

// hooks that share a cycle's passes, at any thread count, against their work done by itself and the cycle on one thread
static void cycles_with_hooks_equal_plain_ones(void **state)
{
    (void)state;
    const int before = brume_get_threads();
    for (int n = 0; n < BOX_COUNT; n++) {
        Kit kit;
        prepare(&kit, &boxes[n]);
        const BrumeGrid grid = boxes[n].grid;
        double *sums = brume_alloc((size_t)grid.nz + 1, 2 * sizeof *sums);
        assert_non_null(sums);
        double *plain_sums = sums + grid.nz + 1;
        Work work = {&kit, plain_sums};
        brume_set_threads(1);
        start_cycle(&kit);
        for (int k = 1; k <= grid.nz; k++) {
            halve(&work, k, 1, grid.ny + 1);
        }
        brume_multigrid_cycle(kit.multigrid, &kit.z, &kit.r, NULL);
        for (int k = 1; k <= grid.nz; k++) {
            add_up(&work, k, 1, grid.ny + 1);
        }
        copy(&kit.x, &kit.z);
        work.sums = sums;
        for (int t = 0; t < THREAD_COUNTS; t++) {
            brume_set_threads(thread_counts[t]);
            start_cycle(&kit);
            brume_multigrid_cycle(kit.multigrid, &kit.z, &kit.r, &(BrumeCycleHooks){&work, halve, add_up});
            if (memcmp(kit.z.data, kit.x.data, field_bytes(&kit.x)) != 0) {
                fail_msg("box %d, %d threads: not the bits of the plain cycle", n, thread_counts[t]);
            }
            assert_memory_equal(sums + 1, plain_sums + 1, (size_t)grid.nz * sizeof *sums);
        }
        brume_free(sums);
        destroy_kit(&kit);
    }
    brume_set_threads(before);
}

static void rows_are_added_in_blocks(void **state)
{
    (void)state;
    const Box box = {.grid = {4, 130, 2, NULL}};
    Kit kit;
    prepare(&kit, &box);
    brume_field_fill(&kit.x, 0.0f);
    brume_field_fill(&kit.b, 0.0f);
    for (int j = 1; j <= 130; j++) {
        kit.b.data[brume_field_index(&kit.b, 1, j, 1)] = j == 1 ? 0x1p27f : j <= 128 ? 1.0f : 2.0f;
    }
    const double expected = 0x1p54 + 64.0 + 8.0; // 2^54 + 8 if the squares were added in order
    assert_true(brume_poisson_dot(&kit.poisson, &kit.b, &kit.b) == expected);
    brume_field_to_parity_order(&kit.b, true);
    for (int rows = 1; rows <= 130; rows++) { // of a call
        BrumePlaneSum sum = {0};
        for (int from = 1; from <= 130; from += rows) {
            brume_operator_update_residual(kit.op, &kit.b, &kit.x, 1.0f, 1, from, brume_min_int(from + rows, 131),
                                           &sum);
        }
        assert_true(brume_sum_of_plane(sum) == expected);
    }
    destroy_kit(&kit);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(split_rows_hold_every_entry),       cmocka_unit_test(split_sweeps_equal_plain_ones),
        cmocka_unit_test(step_and_product_equal_plain_ones), cmocka_unit_test(cycles_with_hooks_equal_plain_ones),
        cmocka_unit_test(rows_are_added_in_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
