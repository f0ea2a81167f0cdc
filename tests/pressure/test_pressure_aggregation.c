// Aggregation: cells that a plate separates are in different coarse cells, no coupling is lost on coarse levels, and
// restriction is the transpose of prolongation.
#include "pressure_support.h"

#include "core/field.h"
#include "sim/grid/parity_rows.h"
#include "sim/pressure/multigrid/level.h"

#include <math.h>

enum { AXES = 3, RED = 0 };

static bool plate(BrumeGrid grid, int i, int j, int k)
{
    (void)grid;
    (void)i;
    (void)k;
    return j == 6;
}

static bool rubble(BrumeGrid grid, int i, int j, int k)
{
    (void)grid;
    return brume_unit_float(brume_hash3((uint32_t)i, (uint32_t)j, (uint32_t)k)) < 0.6f;
}

// rooms of five cells, with a door in every other wall
static bool rooms(BrumeGrid grid, int i, int j, int k)
{
    (void)grid;
    const bool door = (i / 6 + j / 6 + k / 6) % 2 == 0 && j % 6 == 3 && (i % 6 == 3 || k % 6 == 3);
    return (i % 6 == 0 || j % 6 == 0 || k % 6 == 0) && !door;
}

// The first two levels below a box.
typedef struct Pair {
    BrumeCells cells;
    BrumePoisson poisson;
    BrumeMultigridLevel fine, coarse;
    uint8_t *map; ///< aggregate map of the fine level
} Pair;

static void make_pair(Pair *pair, const Box *box)
{
    BrumeError error;
    pair->cells = make_cells(box);
    assert_int_equal(brume_poisson_create(&pair->poisson, &pair->cells, &error), BRUME_OK);
    assert_int_equal(brume_level_coarsen_finest(&pair->fine, &pair->poisson, true, &error), BRUME_OK);
    assert_int_equal(brume_level_coarsen(&pair->coarse, &pair->fine, true, &error), BRUME_OK);
    pair->map = brume_alloc(brume_grid_entries(pair->fine.grid), 1);
    assert_non_null(pair->map);
    (void)brume_aggregation_find(pair->map, &pair->fine);
}

static void destroy_pair(Pair *pair)
{
    brume_free(pair->map);
    brume_level_destroy(&pair->coarse);
    brume_level_destroy(&pair->fine);
    brume_poisson_destroy(&pair->poisson);
    brume_free(pair->cells.flags);
}

// The plate is row 6 of the finest level. On the first coarse level, row 3 consists of row 5 only, and the face between
// rows 3 and 4 is closed: row 4 is reassigned to the block of rows 5 and 6, so that rows 1 to 4 of the second coarse
// level are {1, 2}, {3}, {4, 5, 6}, {7, 8}.
static void a_plate_stays_closed(void **state)
{
    (void)state;
    Pair pair;
    make_pair(&pair, &(Box){.grid = {16, 16, 16, NULL}, .solid = plate});
    const BrumeMultigridLevel *coarse = &pair.coarse;
    const float along_y[] = {0.0f, 4.0f, 0.0f, 4.0f, 0.0f}; // lower faces of rows 1 to 4 and the side of the box
    const float along_x[] = {4.0f, 1.0f, 6.0f, 4.0f};       // row 3 of the first level is half as thick
    for (int k = 1; k <= 4; k++) {
        for (int i = 2; i <= 4; i++) {
            for (int j = 1; j <= 5; j++) {
                expect_near("face along y", (double)brume_field_at(&coarse->face[1], i, j, k), (double)along_y[j - 1],
                            0.0);
            }
            for (int j = 1; j <= 4; j++) {
                expect_near("face along x", (double)brume_field_at(&coarse->face[0], i, j, k), (double)along_x[j - 1],
                            0.0);
            }
        }
    }
    assert_int_equal(coarse->components.count, 2);
    assert_int_equal(coarse->aggregation.count, 8 * 8 / 2); // red cells only
    for (int n = 0; n < coarse->aggregation.count; n++) {
        const BrumeReassignedCell *cell = &coarse->aggregation.cells[n];
        assert_int_equal(cell->j, 4);
        const ptrdiff_t entry = brume_parity_entry(4, (cell->i + 1) / 2) + coarse->x.sz * ((cell->k + 1) / 2);
        assert_int_equal(cell->block, entry + coarse->x.sy * 2);
        assert_int_equal(cell->aggregate, entry + coarse->x.sy * 3);
    }
    assert_int_equal(brume_aggregation_bytes(&coarse->aggregation),
                     (size_t)coarse->aggregation.count * sizeof(BrumeReassignedCell));
    destroy_pair(&pair);
}

static void boxes_without_plates_reassign_no_cells(void **state)
{
    (void)state;
    Pair pair;
    make_pair(&pair, &(Box){.grid = {15, 16, 18, NULL}, .periodic = {true, false, true}});
    assert_int_equal(pair.coarse.aggregation.count, 0);
    assert_null(pair.coarse.aggregation.cells);
    destroy_pair(&pair);
}

// sum of coefficient (x_c - x_neighbor)^2 over the faces of a level; ghosts of x must be filled
static double energy(const BrumeMultigridLevel *level, const BrumeField *x)
{
    double sum = 0.0;
    for (int axis = 0; axis < AXES; axis++) {
        const int end[AXES] = {level->grid.nx + (axis == 0), level->grid.ny + (axis == 1),
                               level->grid.nz + (axis == 2)};
        const bool periodic = level->periodic[axis]; // the last face is the first one
        for (int k = 1; k <= end[2] - (periodic && axis == 2); k++) {
            for (int j = 1; j <= end[1] - (periodic && axis == 1); j++) {
                for (int i = 1; i <= end[0] - (periodic && axis == 0); i++) {
                    const double step = (double)brume_field_at(x, i, j, k) -
                                        (double)brume_field_at(x, i - (axis == 0), j - (axis == 1), k - (axis == 2));
                    sum += (double)brume_field_at(&level->face[axis], i, j, k) * step * step;
                }
            }
        }
    }
    return sum;
}

static void wrap_ghosts(BrumeField *x, const bool periodic[AXES])
{
    brume_field_to_parity_order(x, false);
    for (int k = 1; k <= x->grid.nz; k++) {
        brume_parity_fill_ghosts(x, periodic, k, 1, x->grid.ny + 1);
    }
    if (periodic[2]) {
        brume_parity_fill_ghost_planes(x);
    }
    brume_field_from_parity_order(x, false);
}

static void fill_cells(BrumeField *x, const BrumeField *active, uint32_t seed)
{
    const BrumeGrid grid = x->grid;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t at = brume_field_index(x, i, j, k);
                const float value = 2.0f * brume_unit_float(brume_hash3((uint32_t)at, seed, 3u)) - 1.0f;
                x->data[at] = active->data[at] > 0.0f ? value : 0.0f;
            }
        }
    }
}

static const Box boxes[] = {
    {.grid = {16, 16, 16, NULL}, .solid = plate},
    {.grid = {24, 24, 24, NULL}, .open = {[BRUME_FACE_Y_MAX] = true}, .solid = rooms},
    {.grid = {24, 24, 24, NULL}, .periodic = {true, true, true}, .solid = rooms},
    {.grid = {24, 16, 20, NULL}, .open = {[BRUME_FACE_X_MIN] = true, [BRUME_FACE_X_MAX] = true}, .solid = rubble},
    {.grid = {20, 32, 24, NULL}, .periodic = {true, false, true}, .open = {[BRUME_FACE_Y_MIN] = true}, .solid = rubble},
    {.grid = {8, 8, 8, NULL}, .periodic = {true, true, true}, .solid = rubble},
    {.grid = {22, 30, 26, NULL},
     .periodic = {true, true, false},
     .solid = rubble}, // odd and periodic on the first level
};

// P x for both colors, in plain order: the prolongation of coarse_x to x = 0
static void prolong_all(const Pair *pair, BrumeField *x, const BrumeField *coarse_x)
{
    BrumeField reordered = make_field(coarse_x->grid);
    copy_field(&reordered, coarse_x);
    brume_field_to_parity_order(&reordered, false);
    BrumeAggregation all = {0};
    brume_field_fill(x, 0.0f);
    for (int parity = 0; parity < 2; parity++) {
        for (int k = 1; k <= x->grid.nz; k++) {
            brume_operator_prolong(&pair->fine.op, x, &reordered, parity, k, 1, x->grid.ny + 1);
        }
    }
    BrumeError error;
    assert_int_equal(brume_aggregation_create(&all, pair->map, &pair->fine, &pair->coarse.x, false, &error), BRUME_OK);
    brume_aggregation_prolong(&all, x, &reordered);
    brume_aggregation_destroy(&all);
    brume_field_destroy(&reordered);
    brume_field_from_parity_order(x, false);
    wrap_ghosts(x, pair->fine.periodic);
}

// at least half the Galerkin product: with less, corrections would be too large
static void coarse_couplings_are_never_too_weak(void **state)
{
    (void)state;
    for (int n = 0; n < (int)(sizeof boxes / sizeof *boxes); n++) {
        Pair pair;
        make_pair(&pair, &boxes[n]);
        BrumeField x = make_field(pair.fine.grid);
        BrumeField coarse_x = make_field(pair.coarse.grid);
        Pair built; // not finalized, so that it still has face coefficients
        make_pair(&built, &boxes[n]);
        BrumeError error;
        assert_true(pair.coarse.aggregation.count > 0);
        assert_int_equal(brume_level_finalize(&pair.fine, &error), BRUME_OK);
        for (uint32_t seed = 0; seed < 4; seed++) {
            fill_cells(&coarse_x, &built.coarse.active, seed);
            wrap_ghosts(&coarse_x, built.coarse.periodic);
            prolong_all(&pair, &x, &coarse_x);
            expect_at_most("finer energy of a correction", energy(&built.fine, &x),
                           2.0 * (1.0 + 1e-6) * energy(&built.coarse, &coarse_x));
        }
        brume_field_destroy(&x);
        brume_field_destroy(&coarse_x);
        destroy_pair(&built);
        destroy_pair(&pair);
    }
}

static double dot(const BrumeField *a, const BrumeField *b)
{
    double sum = 0.0;
    for (size_t n = 0; n < brume_grid_entries(a->grid); n++) {
        sum += (double)a->data[n] * (double)b->data[n];
    }
    return sum;
}

// (P^T r, c) = (r, P c)
static void transfers_are_transposes(void **state)
{
    (void)state;
    for (int n = 0; n < (int)(sizeof boxes / sizeof *boxes); n++) {
        Pair pair;
        make_pair(&pair, &boxes[n]);
        const BrumeOperator *op = &pair.fine.op;
        const BrumeAggregation *aggregation = &pair.coarse.aggregation;
        BrumeField r = make_field(pair.fine.grid);
        BrumeField x = make_field(pair.fine.grid);
        BrumeField coarse_r = make_field(pair.coarse.grid);
        BrumeField c = make_field(pair.coarse.grid);
        fill_cells(&r, &pair.fine.active, 1);
        fill_cells(&c, &pair.coarse.active, 2);
        brume_field_to_parity_order(&r, false);
        brume_field_to_parity_order(&c, false);
        BrumeError error;
        assert_int_equal(brume_level_finalize(&pair.fine, &error), BRUME_OK);
        const int colors = op->odd_periodic ? 2 : 1;
        for (int color = RED; color < colors; color++) {
            for (int k = 1; k <= r.grid.nz; k++) {
                brume_operator_restrict(op, &coarse_r, &x, &r, color, color > 0, k, 1, r.grid.ny + 1);
            }
        }
        brume_aggregation_restrict(aggregation, op, &coarse_r, &x, &r);
        for (int color = RED; color < colors; color++) {
            for (int k = 1; k <= r.grid.nz; k++) {
                brume_operator_prolong(op, &x, &c, color, k, 1, r.grid.ny + 1);
            }
        }
        brume_aggregation_prolong(aggregation, &x, &c);
        brume_parity_clear_ghosts(&x, false);
        expect_near("(P^T r, c) - (r, P c)", dot(&coarse_r, &c) - dot(&r, &x), 0.0,
                    1e-6 * sqrt(dot(&r, &r) * dot(&x, &x)));
        BrumeField *fields[] = {&r, &x, &coarse_r, &c};
        for (int field = 0; field < 4; field++) {
            brume_field_destroy(fields[field]);
        }
        destroy_pair(&pair);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plate_stays_closed),
        cmocka_unit_test(boxes_without_plates_reassign_no_cells),
        cmocka_unit_test(coarse_couplings_are_never_too_weak),
        cmocka_unit_test(transfers_are_transposes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
