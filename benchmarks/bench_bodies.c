// Prints the cost of bodies: the time of a step of a plume with a body over that of the same step without one, for
// bodies at rest, moving and turning, in whole and in cut cells: a table of docs/performance.md.
//     bench_bodies [--blocks] [--smoke] [cells along a side [steps [number of a row, from 0 ...]]]     128 cells,
//     9 steps, all rows
// All air is carried, with --blocks that of active blocks alone where the settings allow it. Smoke and heat are carried
// where they are: a body that turns spreads those of the plume. With --smoke they are everywhere from the start, so
// that all rows carry the same.
// Threads: OMP_NUM_THREADS, else one per physical core. The simulations take their steps in turns in one run, so that
// other load affects all alike. The mesh is a torus of 100,800 triangles.
#include "app/bench/machine.h"
#include "brume/brume.h"
#include "core/parallel/clock.h"
#include "core/quantile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WARMUP = 16, MOST_STEPS = 99, AROUND = 420, ACROSS = 120 };

static const double STEP = 1.0 / 48.0; // [s]

typedef struct Case {
    const char *name, *solids, *pressure;
    bool is_mesh;
    float speed; // along x, to and fro [m/s]
    float rate;  // about x [degrees/s]
} Case;

static const Case cases[] = {
    {.name = "none", .pressure = "mgpcg"},
    {.name = "none, direct solve", .pressure = "auto"},
    {.name = "sphere at rest", .solids = "cells", .pressure = "mgpcg"},
    {.name = "sphere that moves", .solids = "cells", .pressure = "mgpcg", .speed = 0.15f},
    {.name = "torus mesh that turns", .solids = "cells", .pressure = "mgpcg", .is_mesh = true, .rate = 180.0f},
    {.name = "sphere at rest", .solids = "cut", .pressure = "mgpcg"},
    {.name = "sphere that moves", .solids = "cut", .pressure = "mgpcg", .speed = 0.15f},
    {.name = "torus mesh that turns", .solids = "cut", .pressure = "mgpcg", .is_mesh = true, .rate = 180.0f},
};
enum { CASES = sizeof cases / sizeof *cases };

// the series of a case; each step has a value of each
enum { WALL, PROCESSOR, OTHER, SERIES }; // of a step, of all threads, without the stage of the projection [ms]

typedef struct Run {
    BrumeSim *sim;
    double ms[SERIES][MOST_STEPS];
} Run;

static BrumeStatus create_torus(BrumeMesh **mesh, BrumeError *error)
{
    static BrumeVec3 positions[AROUND * ACROSS];
    static int corners[2 * AROUND * ACROSS][3];
    const float turn = 6.28318531f;
    for (int a = 0; a < AROUND; a++) {
        for (int b = 0; b < ACROSS; b++) {
            const float radius = 0.3f + 0.12f * cosf(turn * (float)b / (float)ACROSS);
            const float along = turn * (float)a / (float)AROUND;
            const int n = a * ACROSS + b;
            const int beside = a * ACROSS + (b + 1) % ACROSS;
            const int next = (a + 1) % AROUND * ACROSS + b;
            const int across = (a + 1) % AROUND * ACROSS + (b + 1) % ACROSS;
            positions[n] =
                (BrumeVec3){radius * cosf(along), 0.12f * sinf(turn * (float)b / (float)ACROSS), radius * sinf(along)};
            const int two[2][3] = {{n, beside, next}, {beside, across, next}};
            for (int c = 0; c < 6; c++) {
                corners[2 * n + c / 3][c % 3] = two[c / 3][c % 3];
            }
        }
    }
    const BrumeMeshDef def = {.vertex_count = AROUND * ACROSS,
                              .positions = positions,
                              .triangle_count = 2 * AROUND * ACROSS,
                              .corners = &corners[0][0]};
    return brume_mesh_create(mesh, &def, error);
}

static void fill_with_smoke(BrumeSim *sim)
{
    const BrumeFieldId ids[] = {BRUME_FIELD_TEMPERATURE, BRUME_FIELD_DENSITY};
    for (size_t n = 0; n < sizeof ids / sizeof *ids; n++) {
        BrumeField *field = brume_sim_write_field(sim, ids[n]);
        for (int k = 1; k <= field->grid.nz; k++) {
            for (int j = 1; j <= field->grid.ny; j++) {
                for (int i = 1; i <= field->grid.nx; i++) {
                    field->data[i + field->sy * j + field->sz * k] = 0.01f * (float)(1 + (i + j + k) % 7);
                }
            }
        }
    }
}

// what all rows have in common
typedef struct Setting {
    int cells;
    bool blocks, smoke;
} Setting;

static BrumeStatus create_sim(BrumeSim **sim, const Case *of, const BrumeMesh *mesh, const Setting *setting,
                              BrumeError *error)
{
    const int n = setting->cells;
    BrumeSimDef def = brume_default_sim_def();
    def.active_blocks = setting->blocks;
    def.nx = def.ny = def.nz = n;
    def.dx = 1.0f / (float)n;
    def.origin = (BrumeVec3){0.0f, 0.0f, 0.0f};
    def.solids = of->solids ? of->solids : def.solids;
    def.pressure = of->pressure;
    def.emitter_count = 1;
    def.emitters[0] = brume_default_emitter_def();
    def.emitters[0].shape = (BrumeShape){.kind = BRUME_SHAPE_SPHERE, .a = {0.5f, 0.1f, 0.5f}, .radius = 0.1f};
    def.emitters[0].smoke[0] = (BrumeSource){BRUME_SOURCE_SET, 1.0f};
    def.emitters[0].temperature = (BrumeSource){BRUME_SOURCE_SET, 75.0f};
    def.body_count = of->solids != NULL;
    def.bodies[0].shape = (BrumeShape){.kind = of->is_mesh ? BRUME_SHAPE_MESH : BRUME_SHAPE_SPHERE,
                                       .a = {0.51f, 0.5f, 0.49f},
                                       .radius = 0.2f,
                                       .mesh = of->is_mesh ? mesh : NULL};
    const BrumeStatus status = brume_sim_create(sim, &def, error);
    if (status == BRUME_OK && setting->smoke) {
        fill_with_smoke(*sim);
    }
    return status;
}

// of all threads; unlike the time of day, it hardly depends on other load
static double processor_ms(void) { return 1e3 * (double)clock() / (double)CLOCKS_PER_SEC; }

static BrumeStatus take_step(Run *run, const Case *of, int step, BrumeError *error)
{
    if (of->speed > 0.0f || of->rate > 0.0f) {
        const float velocity = step / 16 % 2 ? -of->speed : of->speed;
        brume_sim_move_and_turn(run->sim, 0, (BrumeVec3){velocity, 0.0f, 0.0f}, (BrumeVec3){of->rate, 0.0f, 0.0f});
    }
    const double processor = processor_ms();
    const double start = brume_seconds();
    BrumeStepStats stats;
    const BrumeStatus status = brume_sim_step(run->sim, STEP, &stats, error);
    if (status == BRUME_OK && step >= WARMUP) {
        const double wall = 1e3 * (brume_seconds() - start);
        run->ms[WALL][step - WARMUP] = wall;
        run->ms[PROCESSOR][step - WARMUP] = processor_ms() - processor;
        run->ms[OTHER][step - WARMUP] = wall - stats.ms[BRUME_STAGE_PROJECTION];
    }
    return status;
}

static void print_row(Run *run, const Run *first, const Case *of, int steps)
{
    double medians[SERIES];
    double ratios[SERIES];
    for (int series = 0; series < SERIES; series++) {
        double shares[MOST_STEPS];
        for (int n = 0; n < steps; n++) {
            shares[n] = run->ms[series][n] / first->ms[series][n];
        }
        ratios[series] = brume_median(shares, steps);
    }
    for (int series = 0; series < SERIES; series++) {
        double values[MOST_STEPS];
        for (int n = 0; n < steps; n++) {
            values[n] = run->ms[series][n];
        }
        medians[series] = brume_median(values, steps);
    }
    (void)printf("| %s | %s | %.1f | %.1f | %.2f | %.2f | %.2f | %08x |\n", of->name, of->solids ? of->solids : "",
                 medians[WALL], medians[PROCESSOR], ratios[WALL], ratios[PROCESSOR], ratios[OTHER],
                 (unsigned)brume_sim_hash(run->sim));
}

static int argument(int argc, char **argv, int n, int otherwise) { return argc > n ? atoi(argv[n]) : otherwise; }

int main(int argc, char **argv)
{
    static Run runs[CASES];
    brume_set_threads(brume_choose_threads(0));
    Setting setting = {0};
    for (; argc > 1 && strncmp(argv[1], "--", 2) == 0; argc--, argv++) {
        setting.blocks = setting.blocks || strcmp(argv[1], "--blocks") == 0;
        setting.smoke = setting.smoke || strcmp(argv[1], "--smoke") == 0;
    }
    const int cells = setting.cells = argument(argc, argv, 1, 128);
    const int steps = argument(argc, argv, 2, 9);
    bool chosen[CASES] = {false};
    for (int n = 0; n < CASES; n++) {
        const int row = argument(argc, argv, n + 3, argc > 3 ? -1 : n);
        chosen[n] = chosen[n] || argc <= 3;
        if (row >= 0 && row < CASES) {
            chosen[row] = true;
        }
    }
    if (cells < 16 || cells > 512 || steps < 1 || steps > MOST_STEPS) {
        (void)fprintf(stderr, "bench_bodies: 16 to 512 cells and 1 to %d steps are measured\n", MOST_STEPS);
        return BRUME_BAD_INPUT;
    }
    const BrumeMachine machine = brume_machine();
    (void)printf("%s, %d threads, %s, load %.2f before the run; %d³ cells\n\n", machine.cpu, brume_get_threads(),
                 machine.compiler, brume_machine_load(), cells);
    BrumeError error;
    BrumeMesh *mesh = NULL;
    BrumeStatus status = create_torus(&mesh, &error);
    for (int n = 0; n < CASES && status == BRUME_OK; n++) {
        status = chosen[n] ? create_sim(&runs[n].sim, &cases[n], mesh, &setting, &error) : BRUME_OK;
    }
    for (int step = 0; step < WARMUP + steps; step++) {
        for (int n = 0; n < CASES && status == BRUME_OK; n++) {
            status = chosen[n] ? take_step(&runs[n], &cases[n], step, &error) : BRUME_OK;
        }
    }
    if (status != BRUME_OK) {
        (void)fprintf(stderr, "bench_bodies: %s\n", error.text);
        return (int)status;
    }
    (void)printf(
        "| body | solids | step [ms] | processor [ms] | over the first | processor | without the projection | state |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- |\n");
    const Run *first = NULL;
    for (int n = 0; n < CASES; n++) {
        if (chosen[n]) {
            first = first ? first : &runs[n];
            print_row(&runs[n], first, &cases[n], steps);
        }
        brume_sim_destroy(runs[n].sim);
    }
    brume_mesh_release(mesh);
    return BRUME_OK;
}
