// Data of docs/founding-texts.md (scripts/founding):
//     bench_founding cost [CELLS]      a table: time of a step of each integrator in a closed box of CELLS^3, by
//     default 64 bench_founding checkerboard      a slice of u: before a step, after one at the centers, after one on
//     the faces bench_founding drift             frames of scenes/collocated.yaml: difference of the smoke from floats,
//     and its sum
// Run in the folder of the sources.
#include "app/bench/machine.h"
#include "brume/brume.h"
#include "core/parallel/clock.h"
#include "sim/boundary/boundary.h"
#include "sim/integrators/centers.h"
#include "sim/measures/monitor.h"
#include "sim/state/state.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 41, WARM = 24, SIDE = 32 };

// scenes/collocated.yaml with other settings
static BrumeSim *create(const char *const *overrides, int count)
{
    BrumeScene *scene = NULL;
    BrumeSim *sim = NULL;
    BrumeError error = {.status = BRUME_OK};
    if (brume_scene_load(&scene, "scenes/collocated.yaml", overrides, count, NULL, &error) != BRUME_OK ||
        brume_sim_create(&sim, &scene->sim, &error) != BRUME_OK) {
        (void)fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    brume_scene_destroy(scene);
    return sim;
}

static void step(BrumeSim *sim, double dt)
{
    BrumeError error;
    if (brume_sim_step(sim, dt, NULL, &error) != BRUME_OK) {
        (void)fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

// The simulations take their steps in turns.
static void print_cost(const char *cells)
{
    static const char *const variants[][3] = {
        {"`second-order`, `ppm`", "solver.integrator=second-order", "solver.cfl=2"},
        {"`split`, `ppm`", "solver.integrator=split", "solver.cfl=2"},
        {"`classic`", "solver.integrator=classic", "solver.cfl=2"},
        {"`collocated`", "solver.integrator=collocated", "solver.cfl=2"},
        {"`collocated`, 9 bits", "solver.fraction_bits=9", "solver.cfl=2"},
        {"`practical`", "solver.integrator=practical", "solver.wave_speed=3"},
        {"`practical`, `accounting: forward`", "solver.integrator=practical", "solver.accounting=forward"},
    };
    enum { VARIANTS = sizeof variants / sizeof variants[0] };
    static double ms[VARIANTS][ROUNDS];
    BrumeSim *sims[VARIANTS];
    char resolution[64];
    const double dt = 0.01;
    (void)snprintf(resolution, sizeof resolution, "solver.resolution=%s", cells);
    for (int n = 0; n < VARIANTS; n++) {
        const char *const overrides[] = {"domain.size=1", resolution, "solver.max_steps=64", variants[n][1],
                                         variants[n][2]};
        sims[n] = create(overrides, sizeof overrides / sizeof overrides[0]);
        for (int s = 0; s < WARM; s++) {
            step(sims[n], dt);
        }
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int n = 0; n < VARIANTS; n++) {
            const double start = brume_seconds();
            step(sims[n], dt);
            ms[n][round] = 1e3 * (brume_seconds() - start);
        }
    }
    const BrumeMachine machine = brume_machine();
    (void)printf("%s, %d threads, %s, %s³ cells, medians of %d steps in turns:\n\n", machine.cpu, brume_get_threads(),
                 machine.compiler, cells, ROUNDS);
    (void)printf("| integrator | step [ms] | over `second-order` | steps of a frame of 1/24 s |\n");
    (void)printf("| --- | --- | --- | --- |\n");
    double first = 0.0;
    for (int n = 0; n < VARIANTS; n++) {
        BrumeFrameStats stats = {0};
        BrumeError error;
        qsort(ms[n], ROUNDS, sizeof ms[n][0], compare);
        const double median = ms[n][ROUNDS / 2];
        first = n == 0 ? median : first;
        (void)brume_sim_frame(sims[n], &stats, &error);
        (void)brume_sim_frame(sims[n], &stats, &error);
        (void)printf("| %s | %.1f | %.2f | %d |\n", variants[n][0], median, median / first, stats.steps);
        brume_sim_destroy(sims[n]);
    }
}

// a vortex in the plane, and +.3 and -.3 in turns along x
static double start_u(double x, double y, int i) { return sin(M_PI * x) * cos(M_PI * y) + (i % 2 == 0 ? 0.3 : -0.3); }

static double start_v(double x, double y) { return -cos(M_PI * x) * sin(M_PI * y); }

// the velocity at the centers, or on the faces
static void set_start(BrumeSim *sim, BrumeField velocity[3], bool at_centers)
{
    const BrumeGrid grid = velocity[0].grid;
    const double h = 1.0 / SIDE;
    for (int k = 1; k <= grid.nz; k++) {
        for (int j = 1; j <= grid.ny; j++) {
            for (int i = 1; i <= grid.nx; i++) {
                const ptrdiff_t c = brume_field_index(&velocity[0], i, j, k);
                const double lower = at_centers ? 0.5 : 1.0;
                velocity[0].data[c] = (float)start_u((i - lower) * h, (j - 0.5) * h, i);
                velocity[1].data[c] = (float)start_v((i - 0.5) * h, (j - lower) * h);
                velocity[2].data[c] = 0.0f;
            }
        }
    }
    if (at_centers) {
        brume_establish(sim, BRUME_VALID_PREVIOUS);
        brume_centers_to_faces(sim);
    } else {
        brume_set_velocity_boundary(sim);
        (void)brume_measure_flow(sim);
    }
}

static void print_checkerboard(void)
{
    const char *const cube[] = {"domain.size=[1, 1, 0.25]", "solver.resolution=32", "emitters=[]",
                                "air.vorticity_confinement=0"};
    const char *const staggered[] = {cube[0], cube[1], cube[2], cube[3], "solver.integrator=classic"};
    BrumeSim *centers = create(cube, 4);
    BrumeSim *faces = create(staggered, 5);
    set_start(centers, centers->previous, true);
    set_start(faces, faces->fields, false);
    step(centers, 1e-6);
    step(faces, 1e-6);
    for (int j = 1; j <= SIDE; j++) {
        for (int i = 1; i <= SIDE; i++) {
            (void)printf("%d %d %g %g %g\n", i, j, start_u((i - 0.5) / SIDE, (j - 0.5) / SIDE, i),
                         (double)brume_field_at(&centers->previous[0], i, j, 4),
                         (double)brume_field_at(&faces->fields[0], i, j, 4));
        }
        (void)printf("\n");
    }
    brume_sim_destroy(centers);
    brume_sim_destroy(faces);
}

static double sum_of_density(const BrumeSim *sim, const BrumeSim *other)
{
    const BrumeField *a = &sim->fields[BRUME_FIELD_DENSITY];
    double sum = 0.0;
    for (int k = 1; k <= a->grid.nz; k++) {
        for (int j = 1; j <= a->grid.ny; j++) {
            for (int i = 1; i <= a->grid.nx; i++) {
                const double value = (double)brume_field_at(a, i, j, k);
                sum +=
                    other ? fabs(value - (double)brume_field_at(&other->fields[BRUME_FIELD_DENSITY], i, j, k)) : value;
            }
        }
    }
    return sum;
}

static void print_drift(void)
{
    static const char *const bits[] = {"solver.fraction_bits=6", "solver.fraction_bits=9", "solver.fraction_bits=12",
                                       "solver.fraction_bits=16"};
    enum { RUNS = sizeof bits / sizeof bits[0], FRAMES = 60 };
    BrumeSim *exact = create(NULL, 0);
    BrumeSim *sims[RUNS];
    for (int n = 0; n < RUNS; n++) {
        sims[n] = create(&bits[n], 1);
    }
    for (int frame = 1; frame <= FRAMES; frame++) {
        BrumeError error;
        (void)brume_sim_frame(exact, NULL, &error);
        const double sum = sum_of_density(exact, NULL);
        (void)printf("%d", frame);
        for (int n = 0; n < RUNS; n++) {
            (void)brume_sim_frame(sims[n], NULL, &error);
            (void)printf(" %.5g %.5g", sum_of_density(exact, sims[n]) / sum, sum_of_density(sims[n], NULL) / sum);
        }
        (void)printf("\n");
        (void)fflush(stdout);
    }
    for (int n = 0; n < RUNS; n++) {
        brume_sim_destroy(sims[n]);
    }
    brume_sim_destroy(exact);
}

int main(int argc, char **argv)
{
    const char *const what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "cost") == 0) {
        print_cost(argc > 2 ? argv[2] : "64");
    } else if (strcmp(what, "checkerboard") == 0) {
        print_checkerboard();
    } else if (strcmp(what, "drift") == 0) {
        print_drift();
    } else {
        (void)fprintf(stderr, "usage: bench_founding cost [CELLS] | checkerboard | drift\n");
        return 1;
    }
    return 0;
}
