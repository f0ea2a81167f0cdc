// The operator and the multigrid cycle: symmetric, positive, and independent of the old values of their output.
#include "pressure_support.h"

#include "core/field.h"
#include "sim/grid/parity_rows.h"
#include "sim/pressure/multigrid/multigrid.h"
#include "sim/pressure/poisson/components.h"

#include <math.h>

static bool ball(BrumeGrid grid, int i, int j, int k)
{
    const double x = (i - 0.5) / grid.nx - 0.5;
    const double y = (j - 0.5) / grid.ny - 0.4;
    const double z = (k - 0.5) / grid.nz - 0.5;
    return x * x + y * y + z * z < 0.2 * 0.2;
}

static bool plates(BrumeGrid grid, int i, int j, int k)
{
    return (j == grid.ny / 2 && i > 2 && k > 1) || (i == grid.nx / 3 && j < grid.ny / 2 && k < grid.nz);
}

// a third of the cells, at random: pockets, dead ends and isolated cells
static bool rubble(BrumeGrid grid, int i, int j, int k)
{
    (void)grid;
    return brume_unit_float(brume_hash3((uint32_t)i, (uint32_t)j, (uint32_t)k)) < 0.35f;
}

static const Box boxes[] = {
    {.grid = {16, 16, 16, NULL}},
    {.grid = {9, 13, 17, NULL}},
    {.grid = {16, 16, 16, NULL}, .open = {[BRUME_FACE_Y_MAX] = true}},
    {.grid = {9, 13, 17, NULL}, .open = {true, true, true, true, true, true}},
    {.grid = {9, 11, 13, NULL}, .periodic = {true, true, true}},
    {.grid = {16, 10, 12, NULL}, .periodic = {true, true, true}},
    {.grid = {15, 9, 21, NULL}, .periodic = {true, false, true}, .open = {[BRUME_FACE_Y_MIN] = true}},
    {.grid = {24, 20, 22, NULL}, .open = {[BRUME_FACE_Y_MAX] = true}, .solid = ball},
    {.grid = {17, 19, 23, NULL}, .solid = plates},
    {.grid = {17, 19, 23, NULL},
     .periodic = {true, false, false},
     .open = {[BRUME_FACE_Z_MAX] = true},
     .solid = plates},
    {.grid = {13, 15, 11, NULL}, .periodic = {true, true, true}, .solid = ball},
    {.grid = {16, 16, 16, NULL}, .open = {[BRUME_FACE_X_MIN] = true}, .solid = rubble},
    {.grid = {15, 13, 9, NULL}, .periodic = {true, true, true}, .solid = rubble},
    {.grid = {8, 64, 24, NULL}},
};

enum { BOX_COUNT = sizeof boxes / sizeof *boxes };

typedef struct Kit {
    BrumeCells cells;
    BrumePoisson poisson;
    BrumeComponents components;
    BrumeMultigrid *multigrid;
    BrumeField x, y, image, reordered;
} Kit;

static Kit make_kit(const Box *box)
{
    Kit kit = {.cells = make_cells(box)};
    BrumeError error;
    assert_int_equal(brume_components_create(&kit.components, &kit.cells, &error), BRUME_OK);
    kit.x = make_field(box->grid);
    kit.y = make_field(box->grid);
    kit.image = make_field(box->grid);
    kit.reordered = make_field(box->grid);
    return kit;
}

// the parts that contain a pointer to the kit
static void prepare(Kit *kit)
{
    BrumeError error;
    assert_int_equal(brume_poisson_create(&kit->poisson, &kit->cells, &error), BRUME_OK);
    assert_int_equal(brume_multigrid_create(&kit->multigrid, &kit->poisson, kit->components.count > 0, &error),
                     BRUME_OK);
}

static void destroy_kit(Kit *kit)
{
    brume_multigrid_destroy(kit->multigrid);
    brume_poisson_destroy(&kit->poisson);
    brume_components_destroy(&kit->components);
    brume_free(kit->cells.flags);
    brume_field_destroy(&kit->x);
    brume_field_destroy(&kit->y);
    brume_field_destroy(&kit->image);
    brume_field_destroy(&kit->reordered);
}

static void remove_mean(const Kit *kit, BrumeField *field)
{
    brume_components_remove_mean(&kit->components, field->data, field->sy, field->sz, true);
}

static void fill(const Kit *kit, BrumeField *field, uint32_t seed)
{
    fill_random(field, &kit->cells, seed);
    brume_poisson_clear_inactive(&kit->poisson, field);
    remove_mean(kit, field);
    brume_poisson_fill_ghosts(&kit->poisson, field);
}

static double apply_operator(Kit *kit, const BrumeField *left, const BrumeField *right)
{
    (void)brume_poisson_apply(&kit->poisson, &kit->image, right);
    return brume_poisson_dot(&kit->poisson, left, &kit->image);
}

static double apply_cycle(Kit *kit, const BrumeField *left, const BrumeField *right)
{
    memcpy(kit->reordered.data, right->data, brume_grid_entries(right->grid) * sizeof *right->data);
    brume_field_to_parity_order(&kit->reordered, true);
    brume_field_fill(&kit->image, NAN); // its cells must not be read
    brume_parity_clear_ghosts(&kit->image, true);
    brume_multigrid_cycle(kit->multigrid, &kit->image, &kit->reordered, NULL);
    brume_field_from_parity_order(&kit->image, true);
    remove_mean(kit, &kit->image);
    return brume_poisson_dot(&kit->poisson, left, &kit->image);
}

static void check_symmetric(double (*apply)(Kit *, const BrumeField *, const BrumeField *), const char *what,
                            double tolerance)
{
    for (int n = 0; n < BOX_COUNT; n++) {
        Kit kit = make_kit(&boxes[n]);
        prepare(&kit);
        for (uint32_t seed = 0; seed < 4; seed++) {
            fill(&kit, &kit.x, 2 * seed);
            fill(&kit, &kit.y, 2 * seed + 1);
            const double xy = apply(&kit, &kit.x, &kit.y);
            const double yx = apply(&kit, &kit.y, &kit.x);
            const double xx = apply(&kit, &kit.x, &kit.x);
            const double yy = apply(&kit, &kit.y, &kit.y);
            if (!(xx > 0.0 && yy > 0.0)) {
                fail_msg("%s in box %d: x.x %.9g and y.y %.9g, expected positive", what, n, xx, yy);
            }
            if (!(fabs(xy - yx) <= tolerance * sqrt(xx * yy))) {
                fail_msg("%s in box %d: x.y %.9g, y.x %.9g, expected equal within %.3g of %.9g", what, n, xy, yx,
                         tolerance, sqrt(xx * yy));
            }
        }
        destroy_kit(&kit);
    }
}

static void operator_is_symmetric(void **state)
{
    (void)state;
    check_symmetric(apply_operator, "operator", 1e-6);
}

static void cycle_is_symmetric(void **state)
{
    (void)state;
    check_symmetric(apply_cycle, "cycle", 1e-5);
}

// The largest |eigenvalue| of s - MA on the range of A, by power iteration; for s = 1 the stationary convergence rate.
static double radius(Kit *kit, double shift)
{
    BrumeField *x = &kit->x;
    BrumeField *ax = &kit->y;
    fill(kit, x, 5);
    double factor = 0.0;
    double last = sqrt(brume_poisson_dot(&kit->poisson, x, x));
    for (int n = 0; n < 50; n++) {
        (void)brume_poisson_apply(&kit->poisson, ax, x);
        (void)apply_cycle(kit, ax, ax);
        const size_t entries = brume_grid_entries(x->grid);
        for (size_t at = 0; at < entries; at++) {
            x->data[at] = (float)((shift * (double)x->data[at] - (double)kit->image.data[at]) / last);
        }
        brume_poisson_clear_inactive(&kit->poisson, x);
        remove_mean(kit, x);
        brume_poisson_fill_ghosts(&kit->poisson, x);
        factor = sqrt(brume_poisson_dot(&kit->poisson, x, x));
        last = factor;
    }
    return factor;
}

// All eigenvalues of MA are positive: with m the largest of them, the eigenvalues of m - MA are below m.
static void cycle_is_positive(void **state)
{
    (void)state;
    brume_set_threads(1); // thousands of cycles on small boxes
    for (int n = 0; n < BOX_COUNT; n++) {
        Kit kit = make_kit(&boxes[n]);
        prepare(&kit);
        const double largest = radius(&kit, 0.0);
        const double below = radius(&kit, largest);
        if (getenv("BRUME_VERBOSE")) {
            print_message("box %2d: eigenvalues of MA %.4f to %.4f, components %d\n", n, largest - below, largest,
                          kit.components.count);
        }
        if (!(largest - below > 0.2)) {
            fail_msg("box %d: smallest eigenvalue of MA %.4f (largest %.4f), expected above 0.2", n, largest - below,
                     largest);
        }
        destroy_kit(&kit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operator_is_symmetric),
        cmocka_unit_test(cycle_is_symmetric),
        cmocka_unit_test(cycle_is_positive),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
