// Prints iterations, time and memory of the pressure solvers for the buoyancy of a plume from a cold start: the table
// of docs/pressure.md.
//     bench_pressure [METHOD] [cells along a side ...]
// Threads: OMP_NUM_THREADS, else one per physical core.
#include "app/bench/machine.h"
#include "brume/brume.h"
#include "core/field.h"
#include "core/parallel/clock.h"
#include "core/vec3.h"
#include "sim/grid/cells.h"
#include "sim/pressure/pressure.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_REPEATS = 7, SMALLEST = 8, LARGEST = 1024 };

typedef enum BoxKind { CLOSED, OPEN_TOP, SOLIDS, SPHERE, PLATES, MAZE, POCKETS, BOX_KINDS } BoxKind;

static const char *const box_names[BOX_KINDS] = {"closed",           "open top",         "open top, ball, two plates",
                                                 "open top, sphere", "open top, plates", "open top, maze",
                                                 "open top, pockets"};

// A ball, a shelf with a gap and a curtain up to mid-height, the plates one cell thick.
static void add_solids(BrumeSimDef *def, int n)
{
    const float dx = def->dx;
    const int shelf_cell = n * 3 / 4;
    const int curtain_cell = n / 5;
    const float shelf = (float)shelf_cell * dx;
    const float curtain = (float)curtain_cell * dx;
    def->bodies[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = brume_vec3(0.5f, 0.4f, 0.5f), .radius = 0.15f};
    def->bodies[1].shape = (BrumeShape){
        .kind = BRUME_SHAPE_BOX, .a = brume_vec3(0.125f, shelf, 0.125f), .b = brume_vec3(0.875f, shelf + dx, 1.0f)};
    def->bodies[2].shape = (BrumeShape){
        .kind = BRUME_SHAPE_BOX, .a = brume_vec3(curtain, 0.0f, 0.0f), .b = brume_vec3(curtain + dx, 0.5f, 1.0f)};
    def->body_count = 3;
}

// A solid plate one cell thick perpendicular to an axis, from `low` to `high` along the other two, in fractions of the
// box.
static void add_plate(BrumeSimDef *def, int axis, int cell, BrumeVec3 low, BrumeVec3 high)
{
    const float lower = (float)cell * def->dx;
    float *const low_end[] = {&low.x, &low.y, &low.z};
    float *const high_end[] = {&high.x, &high.y, &high.z};
    *low_end[axis] = lower;
    *high_end[axis] = lower + def->dx;
    def->bodies[def->body_count++].shape = (BrumeShape){.kind = BRUME_SHAPE_BOX, .a = low, .b = high};
}

static void add_sphere(BrumeSimDef *def)
{
    def->bodies[def->body_count++].shape =
        (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = brume_vec3(0.5f, 0.4f, 0.5f), .radius = 0.2f};
}

// Three shelves with gaps at different ends, at positions that divide blocks of 2 to 16 cells.
static void add_plates(BrumeSimDef *def, int n)
{
    add_plate(def, 1, n / 4 + 1, brume_vec3(0.0f, 0.0f, 0.0f), brume_vec3(0.75f, 0.0f, 1.0f));
    add_plate(def, 1, n / 2 + 3, brume_vec3(0.25f, 0.0f, 0.0f), brume_vec3(1.0f, 0.0f, 1.0f));
    add_plate(def, 1, n * 3 / 4 + 5, brume_vec3(0.0f, 0.0f, 0.25f), brume_vec3(1.0f, 0.0f, 1.0f));
}

// Seven floors with alternating gaps.
static void add_maze(BrumeSimDef *def, int n)
{
    for (int level = 1; level <= 6; level++) {
        const float from = level % 2 ? 0.125f : 0.0f;
        add_plate(def, 1, n * level / 7, brume_vec3(from, 0.0f, 0.0f), brume_vec3(from + 0.875f, 0.0f, 1.0f));
    }
}

// 27 rooms; all but the uppermost ones are sealed.
static void add_pockets(BrumeSimDef *def, int n)
{
    for (int axis = 0; axis < 3; axis++) {
        add_plate(def, axis, n / 3, brume_vec3(0.0f, 0.0f, 0.0f), brume_vec3(1.0f, 1.0f, 1.0f));
        add_plate(def, axis, n * 2 / 3, brume_vec3(0.0f, 0.0f, 0.0f), brume_vec3(1.0f, 1.0f, 1.0f));
    }
}

static BrumeSimDef make_box(BoxKind kind, int n)
{
    BrumeSimDef def = brume_default_sim_def();
    def.nx = n;
    def.ny = n;
    def.nz = n;
    def.dx = 1.0f / (float)n;
    def.faces[BRUME_FACE_Y_MAX].kind = kind == CLOSED ? BRUME_WALL : BRUME_OPEN;
    def.origin = brume_vec3(0.0f, 0.0f, 0.0f);
    switch (kind) {
    case SOLIDS:
        add_solids(&def, n);
        break;
    case SPHERE:
        add_sphere(&def);
        break;
    case PLATES:
        add_plates(&def, n);
        break;
    case MAZE:
        add_maze(&def, n);
        break;
    case POCKETS:
        add_pockets(&def, n);
        break;
    default:
        break;
    }
    return def;
}

// the temperature of an oscillating column at a point of the unit box
static float heat(float x, float y, float z)
{
    const float radius = 0.06f + 0.1f * y;
    const float across = x - 0.5f - 0.05f * sinf(9.0f * y);
    const float along = z - 0.5f;
    const float squared = (across * across + along * along) / (radius * radius);
    return expf(-squared) * (1.0f + 0.5f * sinf(25.0f * y)) / (1.0f + expf(30.0f * (y - 0.7f)));
}

// b = the divergence of the buoyancy on the open y faces
static void fill_plume(BrumeField *b, const BrumeCells *cells)
{
    const BrumeGrid grid = b->grid;
    const float dx = 1.0f / (float)grid.nx;
#pragma omp parallel for schedule(static)
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t at = brume_field_index(b, i, j, k);
                const float x = ((float)i - 0.5f) * dx;
                const float z = ((float)k - 0.5f) * dx;
                const float below = cells->flags[at] & BRUME_CELL_Y_LOWER ? heat(x, (float)(j - 1) * dx, z) : 0.0f;
                const float above = cells->flags[at] & BRUME_CELL_Y_UPPER ? heat(x, (float)j * dx, z) : 0.0f;
                b->data[at] = below - above;
            }
        }
    }
}

static int compare_doubles(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

static BrumeStatus measure(const BrumeCells *cells, const char *box, const char *method, int repeats, BrumeField *p,
                           BrumeField *scratch, BrumeError *error)
{
    const BrumePressureDef def = {
        .method = method, .tolerance = 1e-4f, .max_iterations = 20000, .over_relaxation = 1.9f};
    BrumePressure *pressure;
    const BrumeStatus status = brume_pressure_create(&pressure, &def, cells, error);
    if (status != BRUME_OK) {
        return status;
    }
    double ms[MAX_REPEATS];
    BrumePressureResult result = {0};
    for (int n = 0; n < repeats; n++) {
        fill_plume(&scratch[0], cells);
        brume_field_fill(p, 0.0f);
        const double start = brume_seconds();
        result = brume_pressure_solve(pressure, p, scratch);
        ms[n] = 1e3 * (brume_seconds() - start);
    }
    qsort(ms, (size_t)repeats, sizeof *ms, compare_doubles);
    (void)printf("| %d³ | %s | %s | %d | %.1e%s | %.1f | %.2f |\n", cells->grid.nx, box, method, result.iterations,
                 result.residual, result.converged ? "" : " (not converged)", ms[repeats / 2],
                 (double)brume_pressure_bytes(pressure) / (double)brume_grid_cells(cells->grid));
    (void)fflush(stdout);
    brume_pressure_destroy(pressure);
    return BRUME_OK;
}

// measures all methods, or `only` one
static BrumeStatus measure_box(BoxKind kind, int size, const char *only, BrumeError *error)
{
    const BrumeSimDef def = make_box(kind, size);
    const BrumeGrid grid = brume_grid(size, size, size);
    BrumeCells cells = {0};
    BrumeField p = {0};
    BrumeField scratch[BRUME_PRESSURE_SCRATCH] = {0};
    BrumeStatus status = brume_cells_create(&cells, &def, error);
    if (status == BRUME_OK) {
        status = brume_field_create(&p, grid, error);
    }
    for (int n = 0; n < BRUME_PRESSURE_SCRATCH && status == BRUME_OK; n++) {
        status = brume_field_create(&scratch[n], grid, error);
    }
    for (int n = 0; brume_pressure_name(n) && status == BRUME_OK; n++) {
        const char *method = brume_pressure_name(n);
        const bool slow = strcmp(method, "cg") == 0 || strcmp(method, "relaxation") == 0; // a solve takes seconds
        const bool is_alias = strcmp(brume_pressure_resolve(method, cells.bodies, false), method) != 0;
        if ((slow && kind > SOLIDS) || (only && strcmp(method, only) != 0)) {
            continue; // the last boxes are measured for the iterations of multigrid
        }
        if (!brume_pressure_unmet_need(method, cells.bodies, false) && !is_alias) {
            status = measure(&cells, box_names[kind], method, slow ? 1 : MAX_REPEATS, &p, scratch, error);
        }
    }
    for (int n = 0; n < BRUME_PRESSURE_SCRATCH; n++) {
        brume_field_destroy(&scratch[n]);
    }
    brume_field_destroy(&p);
    brume_cells_destroy(&cells);
    return status;
}

static bool is_method(const char *text)
{
    for (int n = 0; brume_pressure_name(n); n++) {
        if (strcmp(brume_pressure_name(n), text) == 0) {
            return true;
        }
    }
    return false;
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 && is_method(argv[1]) ? argv[1] : NULL;
    brume_set_threads(brume_choose_threads(0));
    const BrumeMachine machine = brume_machine();
    (void)printf("%s, %d threads, %s, load %.2f before the run\n\n", machine.cpu, brume_get_threads(), machine.compiler,
                 brume_machine_load());
    (void)printf("| cells | box | method | iterations | residual | ms | B/cell |\n");
    (void)printf("| --- | --- | --- | --- | --- | --- | --- |\n");
    const char *const usual[] = {"32", "64", "96", "128"};
    const int first = only ? 2 : 1;
    const int count = argc > first ? argc - first : (int)(sizeof usual / sizeof usual[0]);
    for (int n = 0; n < count; n++) {
        const char *text = argc > first ? argv[n + first] : usual[n];
        char *end = NULL;
        const long size = text ? strtol(text, &end, 10) : 0;
        if (!end || *end != '\0' || size < SMALLEST || size > LARGEST) {
            (void)fprintf(stderr, "bench_pressure: '%s' is not a number of cells from %d to %d\n", text, SMALLEST,
                          LARGEST);
            return BRUME_BAD_INPUT;
        }
        for (int kind = 0; kind < (int)BOX_KINDS; kind++) {
            BrumeError error;
            const BrumeStatus status = measure_box((BoxKind)kind, (int)size, only, &error);
            if (status != BRUME_OK) {
                (void)fprintf(stderr, "bench_pressure: %s\n", error.text);
                return (int)status;
            }
        }
    }
    return BRUME_OK;
}
