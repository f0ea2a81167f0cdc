// Pressure solves with known answers: eigenvectors of the discrete operator and a manufactured solution.
#include "core/field.h"
#include "pressure_support.h"

typedef enum Sides { WALLS, WALL_OPEN, OPEN_WALL, OPEN_OPEN, RING } Sides;

// The k-th eigenvector along an axis of n cells, at cell i, and its eigenvalue. The value is 0 in the centers of ghosts
// behind open sides, and mirrored at walls: the discrete cosine and sine transforms (Strang 1999, "The discrete cosine
// transform", gives the eigenvalues 2 - 2 cos theta of all of them).
static double mode_angle(Sides sides, int n, int k)
{
    switch (sides) {
    case WALLS:
        return PI * k / n;
    case OPEN_OPEN:
        return PI * k / (n + 1);
    case RING:
        return 2.0 * PI * k / n;
    case WALL_OPEN:
    case OPEN_WALL:
        return PI * (2 * k - 1) / (2 * n + 1);
    }
    return 0.0;
}

static double mode_value(Sides sides, double theta, int i)
{
    switch (sides) {
    case WALLS:
    case WALL_OPEN:
        return cos(theta * (i - 0.5));
    case RING:
        return cos(theta * (i - 0.5) + 0.3);
    case OPEN_OPEN:
    case OPEN_WALL:
        return sin(theta * i);
    }
    return 0.0;
}

static Box make_box(BrumeGrid grid, const Sides sides[3])
{
    Box box = {.grid = grid};
    for (int axis = 0; axis < 3; axis++) {
        box.periodic[axis] = sides[axis] == RING;
        box.open[2 * axis] = sides[axis] == OPEN_WALL || sides[axis] == OPEN_OPEN;
        box.open[2 * axis + 1] = sides[axis] == WALL_OPEN || sides[axis] == OPEN_OPEN;
    }
    return box;
}

static void check_mode(BrumeGrid grid, const Sides sides[3], const int mode[3], const char *method)
{
    const Box box = make_box(grid, sides);
    Bench bench = make_bench(&box);
    BrumeField exact = make_field(grid);
    const double theta[3] = {mode_angle(sides[0], grid.nx, mode[0]), mode_angle(sides[1], grid.ny, mode[1]),
                             mode_angle(sides[2], grid.nz, mode[2])};
    const double eigenvalue = 6.0 - 2.0 * (cos(theta[0]) + cos(theta[1]) + cos(theta[2]));
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const double value = mode_value(sides[0], theta[0], i) * mode_value(sides[1], theta[1], j) *
                                     mode_value(sides[2], theta[2], k);
                exact.data[brume_field_index(&exact, i, j, k)] = (float)value;
                bench.scratch[0].data[brume_field_index(&exact, i, j, k)] = (float)(eigenvalue * value);
            }
        }
    }
    const double size = field_norm(&exact);
    (void)solve_bench(&bench, method, 1e-6f);
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t at = brume_field_index(&exact, i, j, k);
                exact.data[at] -= bench.p.data[at];
            }
        }
    }
    expect_at_most("relative error of an eigenvector", field_norm(&exact) / size, 1e-5);
    brume_field_destroy(&exact);
    destroy_bench(&bench);
}

static void modes_between_walls_are_exact(void **state)
{
    (void)state;
    const Sides walls[3] = {WALLS, WALLS, WALLS};
    for (int n = 0; n < 2; n++) {
        check_mode(brume_grid(32, 32, 32), walls, (const int[3]){1, 0, 0}, brume_pressure_name(n));
        check_mode(brume_grid(32, 32, 32), walls, (const int[3]){2, 3, 1}, brume_pressure_name(n));
        check_mode(brume_grid(9, 13, 17), walls, (const int[3]){3, 1, 8}, brume_pressure_name(n));
        check_mode(brume_grid(8, 8, 8), walls, (const int[3]){7, 7, 7}, brume_pressure_name(n));
    }
}

static void modes_of_open_and_periodic_sides_are_exact(void **state)
{
    (void)state;
    const Sides cases[][3] = {
        {OPEN_OPEN, OPEN_OPEN, OPEN_OPEN}, {RING, RING, RING},        {WALLS, WALL_OPEN, WALLS},
        {OPEN_WALL, RING, WALL_OPEN},      {RING, WALLS, RING},       {OPEN_OPEN, WALLS, RING},
        {WALL_OPEN, OPEN_WALL, OPEN_OPEN}, {WALLS, WALLS, OPEN_WALL},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        check_mode(brume_grid(24, 32, 20), cases[n], (const int[3]){1, 2, 1}, "mgpcg");
        check_mode(brume_grid(15, 9, 21), cases[n], (const int[3]){2, 1, 3}, "mgpcg");
        check_mode(brume_grid(15, 9, 21), cases[n], (const int[3]){2, 1, 3}, "cg");
    }
}

// -lap p = f with p = cos(pi x) cos(2 pi y) cos(pi z) between walls; b = h^2 f
static double manufactured_error(int n)
{
    const Box box = {.grid = {n, n, n, NULL}};
    Bench bench = make_bench(&box);
    BrumeField *b = &bench.scratch[0];
    const double h = 1.0 / n;
    BrumeField exact = make_field(box.grid);
    for (int k = 1; k <= n; k++) {
        for (int j = 1; j <= n; j++) {
            for (int i = 1; i <= n; i++) {
                const double value = cos(PI * (i - 0.5) * h) * cos(2.0 * PI * (j - 0.5) * h) * cos(PI * (k - 0.5) * h);
                exact.data[brume_field_index(&exact, i, j, k)] = (float)value;
                b->data[brume_field_index(b, i, j, k)] = (float)(6.0 * PI * PI * h * h * value);
            }
        }
    }
    const double size = field_norm(&exact);
    const BrumePressureResult result = solve_bench(&bench, "mgpcg", 3e-5f);
    assert_true(result.converged);
    for (size_t at = 0; at < brume_grid_entries(box.grid); at++) {
        exact.data[at] -= bench.p.data[at];
    }
    const double error = field_norm(&exact) / size;
    brume_field_destroy(&exact);
    destroy_bench(&bench);
    return error;
}

static void manufactured_solution_is_second_order(void **state)
{
    (void)state;
    const double coarse = manufactured_error(16);
    const double middle = manufactured_error(32);
    const double fine = manufactured_error(64);
    const double first_order = log2(coarse / middle);
    const double second_order = log2(middle / fine);
    if (!(first_order >= 1.9 && second_order >= 1.9)) {
        fail_msg("errors %.3g %.3g %.3g: orders %.3f %.3f, expected at least 1.9", coarse, middle, fine, first_order,
                 second_order);
    }
}

static void a_zero_right_hand_side_gives_zero(void **state)
{
    (void)state;
    for (int closed = 0; closed < 2; closed++) {
        Box box = {.grid = {8, 9, 10, NULL}};
        box.open[BRUME_FACE_Y_MAX] = !closed;
        Bench bench = make_bench(&box);
        for (int n = 0; brume_pressure_name(n); n++) {
            if (!method_fits(brume_pressure_name(n), &bench.cells)) {
                continue;
            }
            brume_field_fill(&bench.scratch[0], 0.0f);
            fill_random(&bench.p, &bench.cells, 3); // a start that must be ignored
            const BrumePressureResult result = solve_bench(&bench, brume_pressure_name(n), 1e-4f);
            assert_int_equal(result.iterations, 0);
            assert_true(result.converged);
            expect_near("residual for b = 0", result.residual, 0.0, 0.0);
            expect_near("|p| for b = 0", field_norm(&bench.p), 0.0, 0.0);
        }
        destroy_bench(&bench);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_between_walls_are_exact),
        cmocka_unit_test(modes_of_open_and_periodic_sides_are_exact),
        cmocka_unit_test(manufactured_solution_is_second_order),
        cmocka_unit_test(a_zero_right_hand_side_gives_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
