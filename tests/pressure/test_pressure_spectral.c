// The direct solvers: transforms against their definition and the eigenvectors of their ends, solves against plain
// transforms in double precision, every mixture of sides against the operator.
#include "pressure_support.h"

#include "core/field.h"
#include "core/memory.h"
#include "core/parallel/simd_wide.h"
#include "sim/spectral/lines.h"
#include "sim/spectral/spectral.h"
#include "sim/spectral/tridiagonal.h"

#include <math.h>

static const BrumeEnds all_ends[] = {BRUME_ENDS_WALLS, BRUME_ENDS_OPEN, BRUME_ENDS_WALL_OPEN, BRUME_ENDS_OPEN_WALL,
                                     BRUME_ENDS_PERIODIC};

enum { ENDS = sizeof all_ends / sizeof *all_ends };

// -(x_{n-1} - 2 x_n + x_{n+1}) of a line, with the values beyond its ends
static double second_difference(BrumeEnds ends, const double *x, int length, int n)
{
    const bool open_below = ends == BRUME_ENDS_OPEN || ends == BRUME_ENDS_OPEN_WALL;
    const bool open_above = ends == BRUME_ENDS_OPEN || ends == BRUME_ENDS_WALL_OPEN;
    const double below = ends == BRUME_ENDS_PERIODIC ? x[length - 1] : open_below ? 0.0 : x[0];
    const double above = ends == BRUME_ENDS_PERIODIC ? x[0] : open_above ? 0.0 : x[length - 1];
    return (x[n] - (n > 0 ? x[n - 1] : below)) + (x[n] - (n < length - 1 ? x[n + 1] : above));
}

// The backward transform of coefficient k alone is an eigenvector of the second difference with eigenvalue k.
static void check_axis(BrumeEnds ends, int length)
{
    BrumeAxis axis;
    assert_int_equal(brume_axis_create(&axis, ends, length, NULL), BRUME_OK);
    float *x = brume_alloc((size_t)length, BRUME_LINE_BLOCK * sizeof *x);
    float *y = brume_alloc((size_t)length, BRUME_LINE_BLOCK * sizeof *y);
    double *line = brume_alloc((size_t)length, sizeof *line);
    assert_true(x && y && line);
    for (int k = 0; k < length; k++) {
        const int lane = k % BRUME_LINE_BLOCK;
        memset(x, 0, (size_t)length * BRUME_LINE_BLOCK * sizeof *x);
        x[brume_block_point(k) + lane] = 1.0f;
        const float *result = brume_axis_backward(&axis, x, y);
        double size = 0.0;
        for (int n = 0; n < length; n++) {
            line[n] = (double)result[brume_block_point(axis.output_order[n]) + lane];
            size += line[n] * line[n];
        }
        assert_true(size > 0.1);
        double error = 0.0;
        for (int n = 0; n < length; n++) {
            const double rest = second_difference(ends, line, length, n) - (double)axis.eigenvalues[k] * line[n];
            error += rest * rest;
        }
        if (!(sqrt(error / size) < 2e-6)) {
            fail_msg("ends %d, %d cells, function %d: A x differs from its eigenvalue times x by %.3g, expected 2e-6",
                     (int)ends, length, k, sqrt(error / size));
        }
    }
    brume_free(line);
    brume_free(x);
    brume_free(y);
    brume_axis_destroy(&axis);
}

// A forward and a backward transform reproduce sixteen random lines, none of which affects another.
static void check_round_trip(BrumeEnds ends, int length)
{
    BrumeAxis axis;
    assert_int_equal(brume_axis_create(&axis, ends, length, NULL), BRUME_OK);
    const size_t floats = (size_t)length * BRUME_LINE_BLOCK;
    float *x = brume_alloc(floats, sizeof *x);
    float *y = brume_alloc(floats, sizeof *y);
    float *given = brume_alloc(floats, sizeof *given);
    assert_true(x && y && given);
    for (int n = 0; n < length; n++) {
        for (int lane = 0; lane < BRUME_LINE_BLOCK; lane++) {
            const float value = 2.0f * brume_unit_float(brume_hash3((uint32_t)n, (uint32_t)lane, 3u)) - 1.0f;
            given[brume_block_point(n) + lane] = value;
            x[brume_block_point(axis.input_order[n]) + lane] = value;
        }
    }
    float *result = brume_axis_forward(&axis, x, y);
    result = brume_axis_backward(&axis, result, result == x ? y : x);
    for (int n = 0; n < length; n++) {
        for (int lane = 0; lane < BRUME_LINE_BLOCK; lane++) {
            const float back = axis.scale * result[brume_block_point(axis.output_order[n]) + lane];
            expect_near("a line after both transforms", (double)back, (double)given[brume_block_point(n) + lane], 3e-6);
        }
    }
    brume_free(given);
    brume_free(x);
    brume_free(y);
    brume_axis_destroy(&axis);
}

static void axes_have_the_eigenvectors_of_their_ends(void **state)
{
    (void)state;
    // powers of two, three and five, odd ones, primes, and the shortest
    const int lengths[] = {1, 2, 3, 4, 5, 7, 8, 13, 24, 25, 27, 30, 31, 32, 45, 50, 60, 64, 67, 75, 96, 128, 131};
    for (size_t n = 0; n < sizeof lengths / sizeof *lengths; n++) {
        for (int ends = 0; ends < ENDS; ends++) {
            check_axis(all_ends[ends], lengths[n]);
            check_round_trip(all_ends[ends], lengths[n]);
        }
    }
    assert_true(brume_axis_is_fast(BRUME_ENDS_WALLS, 60));
    assert_true(brume_axis_is_fast(BRUME_ENDS_PERIODIC, 25));
    assert_false(brume_axis_is_fast(BRUME_ENDS_WALLS, 62));
    assert_false(brume_axis_is_fast(BRUME_ENDS_OPEN, 64));
}

// The Fourier transform of eight lines against its definition in double precision.
static void fourier_transforms_are_those_of_the_definition(void **state)
{
    (void)state;
    const int lengths[] = {1, 2, 3, 4, 5, 6, 8, 9, 16, 30, 100, 128, 180, 243};
    for (size_t c = 0; c < sizeof lengths / sizeof *lengths; c++) {
        const int length = lengths[c];
        assert_true(brume_fft_supports(length));
        BrumeFft fft;
        assert_int_equal(brume_fft_create(&fft, length, NULL), BRUME_OK);
        float *x = brume_alloc((size_t)length, BRUME_LINE_BLOCK * sizeof *x);
        float *y = brume_alloc((size_t)length, BRUME_LINE_BLOCK * sizeof *y);
        float *z = brume_alloc((size_t)length, BRUME_LINE_BLOCK * sizeof *z);
        assert_true(x && y && z);
        for (int at = 0; at < length * BRUME_LINE_BLOCK; at++) {
            z[at] = x[at] = 2.0f * brume_unit_float(brume_hash3((uint32_t)at, 5u, 1u)) - 1.0f;
        }
        const float *result = brume_fft_run(&fft, x, y);
        for (int k = 0; k < length; k++) {
            for (int lane = 0; lane < 8; lane++) {
                double re = 0.0;
                double im = 0.0;
                for (int n = 0; n < length; n++) {
                    const double angle = -2.0 * PI * (double)(k * n % length) / length;
                    const double a = (double)z[brume_block_point(n) + lane];
                    const double b = (double)z[brume_block_point(n) + 8 + lane];
                    re += a * cos(angle) - b * sin(angle);
                    im += a * sin(angle) + b * cos(angle);
                }
                const double tolerance = 1e-6 * sqrt(length);
                expect_near("real part", (double)result[brume_block_point(k) + lane], re, tolerance);
                expect_near("imaginary part", (double)result[brume_block_point(k) + 8 + lane], im, tolerance);
            }
        }
        brume_free(x);
        brume_free(y);
        brume_free(z);
        brume_fft_destroy(&fft);
    }
    assert_false(brume_fft_supports(7));
    assert_false(brume_fft_supports(2 * 11));
}

// Basis function k of an axis at cell n, and its eigenvalue: the table of axis.h, both from 0. Periodic axes have the
// cosines first.
static double basis_value(BrumeEnds ends, int length, int k, int n, double *eigenvalue)
{
    const int cosines = length / 2 + 1;
    double theta = 0.0;
    double value = 0.0;
    switch (ends) {
    case BRUME_ENDS_WALLS:
        theta = PI * k / length;
        value = cos(theta * (n + 0.5));
        break;
    case BRUME_ENDS_OPEN:
        theta = PI * (k + 1) / (length + 1);
        value = sin(theta * (n + 1));
        break;
    case BRUME_ENDS_WALL_OPEN:
    case BRUME_ENDS_OPEN_WALL:
        theta = PI * (2 * k + 1) / (2 * length + 1);
        value = cos(theta * ((ends == BRUME_ENDS_WALL_OPEN ? n : length - 1 - n) + 0.5));
        break;
    case BRUME_ENDS_PERIODIC:
        theta = 2.0 * PI * (k < cosines ? k : k - cosines + 1) / length;
        value = k < cosines ? cos(theta * n) : sin(theta * n);
        break;
    }
    *eigenvalue = 2.0 - 2.0 * cos(theta);
    return value;
}

// The orthonormal basis of an axis (length x length, one function per row) and its eigenvalues.
static void fill_basis(double *basis, double *eigenvalues, BrumeEnds ends, int length)
{
    for (int k = 0; k < length; k++) {
        double squares = 0.0;
        for (int n = 0; n < length; n++) {
            const double value = basis_value(ends, length, k, n, &eigenvalues[k]);
            basis[k * length + n] = value;
            squares += value * value;
        }
        for (int n = 0; n < length; n++) {
            basis[k * length + n] /= sqrt(squares);
        }
    }
}

// Multiplies all lines along an axis of x (cells, x fastest) by the basis or its transpose: the transform by
// definition.
static void transform_axis(double *x, const int size[3], int axis, const double *basis, bool transpose)
{
    enum { LONGEST = 64 };
    const int length = size[axis];
    const int stride = axis == 0 ? 1 : axis == 1 ? size[0] : size[0] * size[1];
    double line[LONGEST];
    for (int start = 0; start < size[0] * size[1] * size[2]; start++) {
        if (start / stride % length != 0) {
            continue; // not the first cell of a line
        }
        for (int n = 0; n < length; n++) {
            line[n] = x[start + n * stride];
        }
        for (int k = 0; k < length; k++) {
            double sum = 0.0;
            for (int n = 0; n < length; n++) {
                sum += basis[transpose ? n * length + k : k * length + n] * line[n];
            }
            x[start + k * stride] = sum;
        }
    }
}

// A direct solve in plain loops and double precision: transform along all axes, divide by eigenvalues, transform back.
static void check_against_plain_transforms(BrumeGrid grid, const BrumeEnds ends[3])
{
    const int size[3] = {grid.nx, grid.ny, grid.nz};
    const int cells = grid.nx * grid.ny * grid.nz;
    double *basis[3];
    double *eigenvalues[3];
    double *expected = brume_alloc((size_t)cells, sizeof *expected);
    BrumeField x = make_field(grid);
    BrumeSpectral *spectral;
    assert_non_null(expected);
    assert_int_equal(brume_spectral_create(&spectral, grid, ends, NULL), BRUME_OK);
    double mean = 0.0;
    for (int n = 0; n < cells; n++) {
        expected[n] = 2.0 * (double)brume_unit_float(brume_hash3((uint32_t)n, 9u, 2u)) - 1.0;
        mean += expected[n] / cells;
    }
    for (int n = 0; n < cells; n++) {
        expected[n] = (double)(float)(expected[n] - mean); // singular boxes need mean 0
        x.data[brume_field_index(&x, n % size[0] + 1, n / size[0] % size[1] + 1, n / size[0] / size[1] + 1)] =
            (float)expected[n];
    }
    for (int axis = 0; axis < 3; axis++) {
        basis[axis] = brume_alloc((size_t)size[axis] * (size_t)size[axis], sizeof *basis[axis]);
        eigenvalues[axis] = brume_alloc((size_t)size[axis], sizeof *eigenvalues[axis]);
        assert_true(basis[axis] && eigenvalues[axis]);
        fill_basis(basis[axis], eigenvalues[axis], ends[axis], size[axis]);
        transform_axis(expected, size, axis, basis[axis], false);
    }
    for (int n = 0; n < cells; n++) {
        const double eigenvalue =
            eigenvalues[0][n % size[0]] + eigenvalues[1][n / size[0] % size[1]] + eigenvalues[2][n / size[0] / size[1]];
        expected[n] = eigenvalue > 1e-12 ? expected[n] / eigenvalue : 0.0;
    }
    for (int axis = 0; axis < 3; axis++) {
        transform_axis(expected, size, axis, basis[axis], true);
        brume_free(basis[axis]);
        brume_free(eigenvalues[axis]);
    }
    brume_spectral_solve(spectral, &x, &x);
    double shift = 0.0; // a singular system determines x up to a constant
    double squares = 0.0;
    double error = 0.0;
    for (int pass = 0; pass < 2; pass++) {
        for (int n = 0; n < cells; n++) {
            const double value =
                (double)brume_field_at(&x, n % size[0] + 1, n / size[0] % size[1] + 1, n / size[0] / size[1] + 1);
            const double difference = value - expected[n] - shift / cells;
            shift += pass == 0 ? value - expected[n] : 0.0;
            error += pass == 1 ? difference * difference : 0.0;
            squares += pass == 1 ? expected[n] * expected[n] : 0.0;
        }
    }
    if (!(sqrt(error / squares) <= 2e-6)) {
        fail_msg("%d x %d x %d, ends %d %d %d: the solution differs from that of plain transforms by %.3g, expected "
                 "2e-6",
                 grid.nx, grid.ny, grid.nz, (int)ends[0], (int)ends[1], (int)ends[2], sqrt(error / squares));
    }
    brume_spectral_destroy(spectral);
    brume_field_destroy(&x);
    brume_free(expected);
}

static void solves_equal_plain_transforms(void **state)
{
    (void)state;
    for (int mixture = 0; mixture < ENDS * ENDS * ENDS; mixture++) {
        const BrumeEnds ends[3] = {all_ends[mixture % ENDS], all_ends[mixture / ENDS % ENDS],
                                   all_ends[mixture / ENDS / ENDS]};
        check_against_plain_transforms(brume_grid(24, 11, 13), ends);
        check_against_plain_transforms(brume_grid(9, 14, 25), ends);
    }
}

static Box box_of(BrumeGrid grid, const BrumeEnds ends[3])
{
    Box box = {.grid = grid};
    for (int axis = 0; axis < 3; axis++) {
        box.periodic[axis] = ends[axis] == BRUME_ENDS_PERIODIC;
        box.open[2 * axis] = ends[axis] == BRUME_ENDS_OPEN || ends[axis] == BRUME_ENDS_OPEN_WALL;
        box.open[2 * axis + 1] = ends[axis] == BRUME_ENDS_OPEN || ends[axis] == BRUME_ENDS_WALL_OPEN;
    }
    return box;
}

// One solve for a random divergence reaches 1e-5; with `compare`, the solution equals the solution of mgpcg.
static void check_box(BrumeGrid grid, const BrumeEnds ends[3], bool compare)
{
    const Box box = box_of(grid, ends);
    Bench bench = make_bench(&box);
    fill_random_divergence(&bench.scratch[0], &bench.cells, 7);
    const BrumePressureResult result = solve_bench(&bench, "dct", 1e-5f);
    if (result.iterations != 1 || !result.converged) {
        fail_msg("%d x %d x %d, ends %d %d %d: residual %.3g after %d solves, expected 1e-5 after one", grid.nx,
                 grid.ny, grid.nz, (int)ends[0], (int)ends[1], (int)ends[2], result.residual, result.iterations);
    }
    expect_near("reported residual", result.residual, true_residual(&bench.cells, &bench.scratch[0], &bench.p), 1e-7);
    if (compare) {
        BrumeField p = make_field(grid);
        copy_field(&p, &bench.p);
        fill_random_divergence(&bench.scratch[0], &bench.cells, 7);
        brume_field_fill(&bench.p, 0.0f);
        assert_true(solve_bench(&bench, "mgpcg", 2e-6f).converged);
        expect_at_most("relative difference of gradients from mgpcg",
                       gradient_norm(&bench.cells, &p, &bench.p) / gradient_norm(&bench.cells, &p, NULL), 1e-5);
        brume_field_destroy(&p);
    }
    destroy_bench(&bench);
}

static void every_mixture_of_sides_is_solved_at_once(void **state)
{
    (void)state;
    for (int mixture = 0; mixture < ENDS * ENDS * ENDS; mixture++) {
        const BrumeEnds ends[3] = {all_ends[mixture % ENDS], all_ends[mixture / ENDS % ENDS],
                                   all_ends[mixture / ENDS / ENDS]};
        check_box(brume_grid(24, 11, 27), ends, mixture % 3 == 0);
        check_box(brume_grid(13, 30, 17), ends, mixture % 3 == 1);
    }
}

static void large_boxes_are_solved_at_once(void **state)
{
    (void)state;
    for (int n = 0; n < ENDS; n++) {
        check_box(brume_grid(37, 65, 96), (const BrumeEnds[3]){all_ends[n], all_ends[(n + 1) % ENDS], all_ends[n]},
                  true);
    }
}

static void thin_boxes_are_solved_at_once(void **state)
{
    (void)state;
    const BrumeGrid grids[] = {{1, 40, 30, NULL}, {40, 1, 30, NULL}, {40, 30, 1, NULL}, {64, 1, 1, NULL},
                               {1, 64, 1, NULL},  {1, 1, 64, NULL},  {2, 3, 90, NULL},  {90, 2, 3, NULL},
                               {3, 90, 2, NULL},  {17, 1, 2, NULL}};
    for (size_t n = 0; n < sizeof grids / sizeof *grids; n++) {
        for (int ends = 0; ends < ENDS; ends++) {
            for (int others = 0; others < ENDS; others++) {
                check_box(grids[n], (const BrumeEnds[3]){all_ends[ends], all_ends[others], all_ends[ends]}, false);
            }
        }
    }
}

// The smooth pressure of a plume: a second solve, for the rounding errors of the first, reaches the residual of mgpcg.
static void a_second_solve_corrects_rounding(void **state)
{
    (void)state;
    const Box boxes[] = {{.grid = {64, 64, 64, NULL}},
                         {.grid = {64, 64, 64, NULL}, .open = {[BRUME_FACE_Y_MAX] = true}},
                         {.grid = {48, 64, 50, NULL}, .periodic = {true, false, true}}};
    for (size_t n = 0; n < sizeof boxes / sizeof *boxes; n++) {
        Bench bench = make_bench(&boxes[n]);
        fill_plume(&bench.scratch[0], &bench.cells);
        const BrumePressureResult result = solve_bench(&bench, "dct", 1e-8f);
        const double limit = 3.0 * 1.2e-7 * field_norm(&bench.p) / field_norm(&bench.scratch[0]);
        assert_true(result.iterations >= 2);
        expect_at_most("residual of a smooth pressure", result.residual, limit);
        destroy_bench(&bench);
    }
}

static void a_good_start_is_used(void **state)
{
    (void)state;
    const Box box = {.grid = {24, 30, 20, NULL}, .open = {[BRUME_FACE_X_MIN] = true}};
    Bench bench = make_bench(&box);
    BrumeField solution = make_field(box.grid);
    fill_random(&bench.scratch[0], &bench.cells, 2);
    assert_true(solve_bench(&bench, "dct", 1e-5f).converged);
    copy_field(&solution, &bench.p);
    fill_random(&bench.scratch[0], &bench.cells, 2);
    assert_int_equal(solve_bench(&bench, "dct", 1e-4f).iterations, 0);
    assert_memory_equal(bench.p.data, solution.data, brume_grid_entries(box.grid) * sizeof(float));
    // a start that is close is improved
    for (size_t at = 0; at < brume_grid_entries(box.grid); at++) {
        bench.p.data[at] *= 1.01f;
    }
    fill_random(&bench.scratch[0], &bench.cells, 2);
    assert_int_equal(solve_bench(&bench, "dct", 1e-5f).iterations, 1);
    expect_at_most("gradient from a near start",
                   gradient_norm(&bench.cells, &bench.p, &solution) / gradient_norm(&bench.cells, &solution, NULL),
                   1e-5);
    brume_field_destroy(&solution);
    destroy_bench(&bench);
}

static void bits_do_not_depend_on_threads(void **state)
{
    (void)state;
    const int counts[] = {1, 2, 3, 5, 8};
    const int before = brume_get_threads();
    const Box boxes[] = {{.grid = {45, 40, 37, NULL}, .open = {[BRUME_FACE_Y_MAX] = true, [BRUME_FACE_X_MIN] = true}},
                         {.grid = {32, 27, 64, NULL}, .periodic = {true, true, true}}};
    for (size_t n = 0; n < sizeof boxes / sizeof *boxes; n++) {
        Bench bench = make_bench(&boxes[n]);
        BrumeField reference = make_field(boxes[n].grid);
        brume_set_threads(2);
        BrumePressure *pressure =
            make_solver(&bench.cells, "dct", 1e-5f); // made for fewer threads than some of the counts
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            brume_set_threads(counts[c]);
            fill_random(&bench.scratch[0], &bench.cells, 6);
            brume_field_fill(&bench.p, 0.0f);
            assert_true(brume_pressure_solve(pressure, &bench.p, bench.scratch).converged);
            if (c == 0) {
                copy_field(&reference, &bench.p);
            }
            assert_memory_equal(bench.p.data, reference.data, brume_grid_entries(boxes[n].grid) * sizeof(float));
        }
        brume_pressure_destroy(pressure);
        brume_field_destroy(&reference);
        destroy_bench(&bench);
    }
    brume_set_threads(before);
}

// e^(-alpha A) of a Fourier mode is the mode times e^(-alpha lambda); a puff in one cell stays positive, its sum
// constant
static void diffusion_damps_every_mode_exactly(void **state)
{
    (void)state;
    const BrumeGrid grids[] = {{32, 24, 50, NULL}, {13, 20, 31, NULL}};
    const BrumeEnds ends[3] = {BRUME_ENDS_PERIODIC, BRUME_ENDS_PERIODIC, BRUME_ENDS_PERIODIC};
    for (size_t g = 0; g < sizeof grids / sizeof *grids; g++) {
        const BrumeGrid grid = grids[g];
        BrumeSpectral *spectral;
        assert_int_equal(brume_spectral_create(&spectral, grid, ends, NULL), BRUME_OK);
        BrumeField x = make_field(grid);
        const double theta[3] = {2.0 * PI * 2 / grid.nx, 2.0 * PI * 3 / grid.ny, 2.0 * PI * 1 / grid.nz};
        const double eigenvalue = 6.0 - 2.0 * (cos(theta[0]) + cos(theta[1]) + cos(theta[2]));
        for (int decayed = 0; decayed < 2; decayed++) {
            for (int k = 1; k <= grid.nz; k++) {
                for (int j = 1; j <= grid.ny; j++) {
                    for (int i = 1; i <= grid.nx; i++) {
                        const double wave = cos(theta[0] * i + theta[1] * j + theta[2] * k + 0.4);
                        float *value = &x.data[brume_field_index(&x, i, j, k)];
                        if (decayed) {
                            expect_near("a Fourier mode", (double)*value, exp(-0.7 * eigenvalue) * wave, 2e-6);
                        }
                        *value = (float)wave;
                    }
                }
            }
            brume_spectral_diffuse(spectral, &x, 0.7f);
        }
        brume_field_fill(&x, 0.0f);
        x.data[brume_field_index(&x, 5, 6, 7)] = 1.0f;
        brume_spectral_diffuse(spectral, &x, 0.01f);
        double sum = 0.0;
        for (int k = 1; k <= grid.nz; k++) {
            for (int j = 1; j <= grid.ny; j++) {
                for (int i = 1; i <= grid.nx; i++) {
                    const double value = (double)brume_field_at(&x, i, j, k);
                    sum += value;
                    assert_true(value > -1e-6);
                }
            }
        }
        expect_near("sum of a puff", sum, 1.0, 1e-5);
        // the value left in its own cell is (e^(-2 alpha) I_0(2 alpha))^3, the return probability of a random walk
        expect_near("a puff's own cell", (double)brume_field_at(&x, 5, 6, 7), 0.9420471, 2e-6);
        brume_field_destroy(&x);
        brume_spectral_destroy(spectral);
    }
}

static void methods_report_what_they_need(void **state)
{
    (void)state;
    const Box with_ball = {.grid = {16, 16, 16, NULL}, .solid = ball_and_plates};
    const Box closed = {.grid = {16, 16, 16, NULL}};
    const Box ring = {.grid = {16, 16, 16, NULL}, .periodic = {true, true, true}};
    const struct {
        const Box *box;
        const char *method;
        const char *solver; // NULL where it is refused
    } cases[] = {
        {&with_ball, "dct", NULL}, {&with_ball, "fft", NULL}, {&with_ball, "auto", "mgpcg"},
        {&closed, "dct", "dct"},   {&closed, "fft", NULL},    {&closed, "auto", "dct"},
        {&ring, "dct", "dct"},     {&ring, "fft", "fft"},     {&ring, "auto", "fft"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof *cases; n++) {
        BrumeCells cells = make_cells(cases[n].box);
        const BrumePressureDef def = {
            .method = cases[n].method, .tolerance = 1e-4f, .max_iterations = 10, .over_relaxation = 1.9f};
        BrumePressure *pressure;
        BrumeError error;
        const BrumeStatus status = brume_pressure_create(&pressure, &def, &cells, &error);
        if (cases[n].solver) {
            assert_int_equal(status, BRUME_OK);
            assert_string_equal(brume_pressure_method(pressure), cases[n].solver);
            assert_int_equal(brume_pressure_spectral(pressure) != NULL, strcmp(cases[n].solver, "fft") == 0);
        } else {
            assert_int_equal(status, BRUME_BAD_INPUT);
            assert_null(pressure);
            assert_non_null(strstr(error.text, "'auto' picks one that fits"));
        }
        brume_pressure_destroy(pressure);
        brume_free(cells.flags);
    }
}

// products with vectors of eight and of sixteen lanes have the same bits
static void wide_products_have_the_same_bits(void **state)
{
    (void)state;
    const int lengths[] = {3, 23, 64, 97};
    for (size_t n = 0; n < sizeof lengths / sizeof *lengths && brume_has_wide_vectors(); n++) {
        for (int ends = 0; ends < ENDS; ends++) {
            BrumeAxis axis;
            const size_t bytes = (size_t)BRUME_LINE_BLOCK * (size_t)lengths[n] * sizeof(float);
            float *blocks[3] = {brume_alloc(bytes, 1), brume_alloc(bytes, 1), brume_alloc(bytes, 1)};
            assert_true(blocks[0] && blocks[1] && blocks[2]);
            assert_int_equal(brume_axis_create(&axis, all_ends[ends], lengths[n], NULL), BRUME_OK);
            for (int wide = 0; wide < 2 && !axis.fast; wide++) {
                float *other = wide ? blocks[2] : brume_alloc(bytes, 1);
                assert_non_null(other);
                axis.dense.wide = wide;
                for (int at = 0; at < BRUME_LINE_BLOCK * lengths[n]; at++) {
                    blocks[wide][at] = brume_unit_float(brume_hash3((uint32_t)at, 3u, 1u)) - 0.5f;
                }
                float *result = brume_axis_forward(&axis, blocks[wide], other);
                result = brume_axis_backward(&axis, result, result == other ? blocks[wide] : other);
                memmove(blocks[wide], result, bytes);
                if (!wide) {
                    brume_free(other);
                }
            }
            assert_memory_equal(blocks[0], blocks[1], bytes);
            brume_axis_destroy(&axis);
            for (int block = 0; block < 3; block++) {
                brume_free(blocks[block]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fourier_transforms_are_those_of_the_definition),
        cmocka_unit_test(axes_have_the_eigenvectors_of_their_ends),
        cmocka_unit_test(solves_equal_plain_transforms),
        cmocka_unit_test(every_mixture_of_sides_is_solved_at_once),
        cmocka_unit_test(large_boxes_are_solved_at_once),
        cmocka_unit_test(thin_boxes_are_solved_at_once),
        cmocka_unit_test(a_second_solve_corrects_rounding),
        cmocka_unit_test(a_good_start_is_used),
        cmocka_unit_test(bits_do_not_depend_on_threads),
        cmocka_unit_test(diffusion_damps_every_mode_exactly),
        cmocka_unit_test(methods_report_what_they_need),
        cmocka_unit_test(wide_products_have_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
