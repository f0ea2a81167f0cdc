// Times a pressure solver on the linear system that the solvers in benchmarks/peers solve too, from an initial value of
// zero.
//     bench_solve CELLS closed|open-top METHOD TOLERANCE THREADS REPEATS
// Prints a line of CSV (peers/lift_problem.h): the median of REPEATS solves without the setup, and the time of an
// iteration. The latter is the difference of two solves that stop after FEW and MORE iterations, so it excludes the
// work before and after the iterations.
#include "benchmarks/peers/lift_problem.h"
#include "brume/brume.h"
#include "core/error.h"
#include "core/field.h"
#include "core/parallel/clock.h"
#include "core/quantile.h"
#include "sim/grid/cells.h"
#include "sim/pressure/pressure.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_REPEATS = 101, FEW = 1, MORE = 3 };

typedef struct System {
    BrumeCells cells;
    BrumeField p, scratch[BRUME_PRESSURE_SCRATCH];
    bool open_top;
} System;

static void fill_right_side(BrumeField *b, bool open_top)
{
    const BrumeGrid grid = b->grid;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                b->data[brume_field_index(b, i, j, k)] = (float)lift_at(grid.nx, open_top, i - 1, j - 1, k - 1);
            }
        }
    }
}

static BrumeStatus create_system(System *system, int n, BrumeError *error)
{
    BrumeSimDef def = brume_default_sim_def();
    def.nx = def.ny = def.nz = n;
    def.dx = 1.0f / (float)n;
    def.faces[BRUME_FACE_Y_MAX].kind = system->open_top ? BRUME_OPEN : BRUME_WALL;
    const BrumeGrid grid = brume_grid(n, n, n);
    BrumeStatus status = brume_cells_create(&system->cells, &def, error);
    if (status == BRUME_OK) {
        status = brume_field_create(&system->p, grid, error);
    }
    for (int field = 0; field < BRUME_PRESSURE_SCRATCH && status == BRUME_OK; field++) {
        status = brume_field_create(&system->scratch[field], grid, error);
    }
    return status;
}

static void destroy_system(System *system)
{
    for (int field = 0; field < BRUME_PRESSURE_SCRATCH; field++) {
        brume_field_destroy(&system->scratch[field]);
    }
    brume_field_destroy(&system->p);
    brume_cells_destroy(&system->cells);
}

/** The median time of `repeats` solves after a first one [ms]; `*result` is the result of the last. */
static BrumeStatus time_solves(System *system, const BrumePressureDef *def, int repeats, double *median,
                               BrumePressureResult *result, BrumeError *error)
{
    BrumePressure *pressure;
    const BrumeStatus status = brume_pressure_create(&pressure, def, &system->cells, error);
    if (status != BRUME_OK) {
        return status;
    }
    double ms[MAX_REPEATS] = {0.0};
    for (int repeat = -1; repeat < repeats; repeat++) {
        fill_right_side(&system->scratch[0], system->open_top);
        brume_field_fill(&system->p, 0.0f);
        const double start = brume_seconds();
        *result = brume_pressure_solve(pressure, &system->p, system->scratch);
        ms[repeat < 0 ? 0 : repeat] = 1e3 * (brume_seconds() - start);
    }
    brume_pressure_destroy(pressure);
    *median = brume_median(ms, repeats);
    return BRUME_OK;
}

// the residual of lift_problem.h, in double precision
static BrumeStatus compute_residual(const System *system, double *residual, BrumeError *error)
{
    const int n = system->p.grid.nx;
    float *interior = malloc((size_t)n * (size_t)n * (size_t)n * sizeof *interior);
    if (!interior) {
        return brume_out_of_memory(error, "the residual");
    }
    for (int k = 0; k < n; k++) {
        for (int j = 0; j < n; j++) {
            memcpy(interior + ((size_t)k * (size_t)n + (size_t)j) * (size_t)n,
                   &system->p.data[brume_field_index(&system->p, 1, j + 1, k + 1)], (size_t)n * sizeof *interior);
        }
    }
    *residual = lift_residual(n, system->open_top, interior, NULL);
    free(interior);
    return BRUME_OK;
}

static BrumeStatus measure(System *system, BrumePressureDef def, int repeats, BrumeError *error)
{
    BrumePressureResult result = {0};
    double median = 0.0;
    double residual = 0.0;
    BrumeStatus status = time_solves(system, &def, repeats, &median, &result, error);
    if (status == BRUME_OK) {
        status = compute_residual(system, &residual, error);
    }
    double ms_iteration = median;
    if (status == BRUME_OK && result.iterations > 1) {
        BrumePressureResult stopped;
        double few = 0.0;
        double more = 0.0;
        def.tolerance = 1e-30f; // not reached in MORE iterations
        def.max_iterations = FEW;
        status = time_solves(system, &def, repeats, &few, &stopped, error);
        def.max_iterations = MORE;
        if (status == BRUME_OK) {
            status = time_solves(system, &def, repeats, &more, &stopped, error);
        }
        ms_iteration = (more - few) / (MORE - FEW);
    }
    if (status == BRUME_OK) {
        char name[64];
        (void)snprintf(name, sizeof name, "brume %s", def.method);
        (void)printf(LIFT_COLUMNS LIFT_LINE, name, system->p.grid.nx, system->open_top ? "open-top" : "closed",
                     brume_get_threads(), result.iterations, residual, median, ms_iteration);
    }
    return status;
}

int main(int argc, char **argv)
{
    System system = {.open_top = false};
    BrumePressureDef def = {.max_iterations = 20000, .over_relaxation = 1.9f};
    const bool complete = argc == 7;
    const int n = complete ? atoi(argv[1]) : 0;
    const int threads = complete ? atoi(argv[5]) : 0;
    const int repeats = complete ? atoi(argv[6]) : 0;
    def.method = complete ? argv[3] : "";
    def.tolerance = complete ? (float)atof(argv[4]) : 0.0f;
    if (n < 8 || n > 1024 || !lift_read_box(argv[2], &system.open_top) ||
        !(def.tolerance > 0.0f && def.tolerance < 1.0f) || threads < 1 || repeats < 1 || repeats > MAX_REPEATS) {
        (void)fprintf(stderr, "usage: bench_solve CELLS closed|open-top METHOD TOLERANCE THREADS REPEATS\n");
        return BRUME_BAD_INPUT;
    }
    brume_set_threads(threads);
    BrumeError error;
    BrumeStatus status = create_system(&system, n, &error);
    if (status == BRUME_OK) {
        status = measure(&system, def, repeats, &error);
    }
    destroy_system(&system);
    if (status != BRUME_OK) {
        (void)fprintf(stderr, "bench_solve: %s\n", error.text);
    }
    return (int)status;
}
