// Prints iterations and processor time of the pressure solver "mgpcg" with cut cells, against whole cells and against
// the box without a solid, for the buoyancy of a column below an open top: a table of docs/pressure.md.
//     bench_cut [cells along a side ...]
// Threads: OMP_NUM_THREADS, else one per physical core. The three boxes of a row alternate in one run.
#include "app/bench/machine.h"
#include "brume/brume.h"
#include "core/field.h"
#include "sim/grid/cells.h"
#include "sim/grid/cut_cells.h"
#include "sim/pressure/pressure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { REPEATS = 9, SMALLEST = 8, LARGEST = 512 };

typedef enum Kind { EMPTY, WHOLE, CUT, KINDS } Kind;

static float ball(float x, float y, float z) { return sqrtf(x * x + y * y + z * z) - 0.21f; }

// a box of three different edges, turned about two axes
static float tilted_box(float x, float y, float z)
{
    const float turned_y = -sinf(0.5f) * x + cosf(0.5f) * y;
    const float along_x = fabsf(cosf(0.5f) * x + sinf(0.5f) * y) - 0.24f;
    const float along_y = fabsf(cosf(0.8f) * turned_y + sinf(0.8f) * z) - 0.16f;
    const float along_z = fabsf(-sinf(0.8f) * turned_y + cosf(0.8f) * z) - 0.11f;
    return fmaxf(along_x, fmaxf(along_y, along_z));
}

static float torus(float x, float y, float z)
{
    const float turned_y = cosf(0.4f) * y - sinf(0.4f) * z;
    const float turned_z = sinf(0.4f) * y + cosf(0.4f) * z;
    const float across = sqrtf(x * x + turned_z * turned_z) - 0.27f;
    return sqrtf(across * across + turned_y * turned_y) - 0.09f;
}

typedef struct Solid {
    const char *name;
    float (*distance)(float x, float y, float z); ///< from the middle of a box of side 1
} Solid;

static const Solid solids[] = {{"sphere", ball}, {"tilted box", tilted_box}, {"torus", torus}};

// the distances at the points of the cells at `shift` cells below their upper ends
static void fill_distances(BrumeField *distance, const Solid *solid, float shift)
{
    const BrumeGrid grid = distance->grid;
    const float dx = 1.0f / (float)grid.nx;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz + 1; k++) {
        for (int j = 1; j <= grid.ny + 1; j++) {
            for (int i = 1; i <= grid.nx + 1; i++) {
                distance->data[brume_field_index(distance, i, j, k)] = solid->distance(
                    ((float)i - shift) * dx - 0.51f, ((float)j - shift) * dx - 0.42f, ((float)k - shift) * dx - 0.49f);
            }
        }
    }
}

static BrumeStatus create_cells(BrumeCells *cells, Kind kind, int n, const Solid *solid, BrumeError *error)
{
    BrumeSimDef def = brume_default_sim_def();
    def.nx = def.ny = def.nz = n;
    def.dx = 1.0f / (float)n;
    def.faces[BRUME_FACE_Y_MAX].kind = BRUME_OPEN;
    def.body_count = kind != EMPTY; // the distances take the place of its shape
    def.bodies[0].disabled = true;
    BrumeStatus status = brume_cells_create(cells, &def, error);
    if (status != BRUME_OK || kind == EMPTY) {
        return status;
    }
    BrumeField distance;
    status = brume_field_create(&distance, cells->grid, error);
    if (status != BRUME_OK) {
        return status;
    }
    fill_distances(&distance, solid, kind == CUT ? 1.0f : 0.5f);
    if (kind == CUT) {
        status = brume_cells_cut_at(cells, &distance, error);
    } else {
        for (int k = 1; k <= n; k++) {
            for (int j = 1; j <= n; j++) {
                for (int i = 1; i <= n; i++) {
                    const ptrdiff_t c = brume_field_index(&distance, i, j, k);
                    if (!(distance.data[c] > 0.0f)) {
                        brume_cells_set_solid(cells, c, 0);
                    }
                }
            }
        }
        brume_cells_find_open_faces(cells);
    }
    brume_field_destroy(&distance);
    return status;
}

// b = the divergence of a column of buoyancy on the open y faces
static void fill_plume(BrumeField *b, const BrumeCells *cells)
{
    const BrumeGrid grid = b->grid;
    const float dx = 1.0f / (float)grid.nx;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t c = brume_field_index(b, i, j, k);
                const float x = ((float)i - 0.5f) * dx - 0.5f;
                const float z = ((float)k - 0.5f) * dx - 0.5f;
                float force[2];
                for (int upper = 0; upper < 2; upper++) {
                    const float y = (float)(j - 1 + upper) * dx;
                    const float radius = 0.06f + 0.1f * y;
                    const float heat = expf(-(x * x + z * z) / (radius * radius)) * (1.0f + 0.5f * sinf(25.0f * y));
                    const float area =
                        cells->fractions ? cells->fractions->face[1].data[c + (upper ? b->sy : 0)] : 1.0f;
                    force[upper] = cells->flags[c] >> (2 + upper) & 1 ? area * heat : 0.0f;
                }
                b->data[c] = force[0] - force[1];
            }
        }
    }
}

// of all threads; unlike the time of day, it hardly depends on other load
static double processor_seconds(void) { return (double)clock() / (double)CLOCKS_PER_SEC; }

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static BrumeStatus measure(const Solid *solid, int n, BrumeError *error)
{
    const BrumeGrid grid = brume_grid(n, n, n);
    const BrumePressureDef def = {.method = "mgpcg", .tolerance = 1e-4f, .max_iterations = 100};
    BrumeCells cells[KINDS] = {{.grid = grid}};
    BrumePressure *pressure[KINDS] = {NULL};
    BrumePressureResult result[KINDS] = {{0}};
    double solve_ms[KINDS][REPEATS];
    double create_ms[KINDS][REPEATS];
    BrumeField p = {0};
    BrumeField scratch[BRUME_PRESSURE_SCRATCH] = {{.grid = grid}};
    BrumeStatus status = brume_field_create(&p, grid, error);
    for (int field = 0; field < BRUME_PRESSURE_SCRATCH && status == BRUME_OK; field++) {
        status = brume_field_create(&scratch[field], grid, error);
    }
    for (int kind = 0; kind < KINDS && status == BRUME_OK; kind++) {
        status = create_cells(&cells[kind], (Kind)kind, n, solid, error);
    }
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        for (int kind = 0; kind < KINDS && status == BRUME_OK; kind++) {
            brume_pressure_destroy(pressure[kind]);
            double start = processor_seconds();
            status = brume_pressure_create(&pressure[kind], &def, &cells[kind], error);
            create_ms[kind][repeat] = 1e3 * (processor_seconds() - start);
            if (status == BRUME_OK) {
                fill_plume(&scratch[0], &cells[kind]);
                start = processor_seconds();
                result[kind] = brume_pressure_solve_from_zero(pressure[kind], &p, scratch);
                solve_ms[kind][repeat] = 1e3 * (processor_seconds() - start);
            }
        }
    }
    for (int kind = 0; kind < KINDS && status == BRUME_OK; kind++) {
        static const char *const names[KINDS] = {"none", "whole", "cut"};
        qsort(solve_ms[kind], REPEATS, sizeof solve_ms[kind][0], compare_doubles);
        qsort(create_ms[kind], REPEATS, sizeof create_ms[kind][0], compare_doubles);
        (void)printf("| %d³ | %s | %s | %d | %.1e%s | %.1f | %.1f | %.1f |\n", n, solid->name, names[kind],
                     result[kind].iterations, result[kind].residual, result[kind].converged ? "" : " (not converged)",
                     solve_ms[kind][0], solve_ms[kind][REPEATS / 2], create_ms[kind][REPEATS / 2]);
    }
    (void)fflush(stdout);
    for (int kind = 0; kind < KINDS; kind++) {
        brume_pressure_destroy(pressure[kind]);
        brume_cells_destroy(&cells[kind]);
    }
    for (int field = 0; field < BRUME_PRESSURE_SCRATCH; field++) {
        brume_field_destroy(&scratch[field]);
    }
    brume_field_destroy(&p);
    return status;
}

int main(int argc, char **argv)
{
    brume_set_threads(brume_choose_threads(0));
    const BrumeMachine machine = brume_machine();
    (void)printf("%s, %d threads, %s, load %.2f before the run\n\n", machine.cpu, brume_get_threads(), machine.compiler,
                 brume_machine_load());
    (void)printf("| cells | solid | cells of the solid | iterations | residual | ms: least | ms: median | set-up: ms, "
                 "median |\n");
    (void)printf("| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    const char *const usual[] = {"64", "128"};
    const int count = argc > 1 ? argc - 1 : (int)(sizeof usual / sizeof usual[0]);
    for (int n = 0; n < count; n++) {
        const char *text = argc > 1 ? argv[n + 1] : usual[n];
        char *end = NULL;
        const long size = strtol(text, &end, 10);
        if (*end != '\0' || size < SMALLEST || size > LARGEST) {
            (void)fprintf(stderr, "bench_cut: '%s' is not a number of cells from %d to %d\n", text, SMALLEST, LARGEST);
            return BRUME_BAD_INPUT;
        }
        for (size_t solid = 0; solid < sizeof solids / sizeof *solids; solid++) {
            BrumeError error;
            const BrumeStatus status = measure(&solids[solid], (int)size, &error);
            if (status != BRUME_OK) {
                (void)fprintf(stderr, "bench_cut: %s\n", error.text);
                return (int)status;
            }
        }
    }
    return BRUME_OK;
}
