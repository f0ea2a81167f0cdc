// Prints the time of advection per cell and field on the developed plume, by scheme and order of the trace.
//     bench_advection [cells along a side ...]
// Runs OMP_NUM_THREADS threads, or one per physical core if that is not set.
#include "app/bench/case.h"
#include "app/bench/machine.h"
#include "app/cli/paths.h"
#include "brume/brume.h"
#include "core/error.h"

#include <stdio.h>
#include <stdlib.h>

enum { SMALLEST = 8, LARGEST = 1024, STEPS = 15, VELOCITY_FIELDS = 3 };

static const double warmup = 2.0; // simulated time before the measurement [s]

typedef struct Variant {
    const char *advection;
    int trace_order;
} Variant;

static const Variant variants[] = {{"maccormack", 2}, {"maccormack", 3}, {"semi-lagrangian", 2}};

static BrumeStatus measure(const BrumeScene *scene, const Variant *variant, int size, BrumeError *error)
{
    BrumeBenchCase bench = {
        .def = scene->sim, .timeline = &scene->timeline, .size = size, .threads = brume_get_threads()};
    brume_bench_resize(&bench.def, size);
    bench.def.advection = variant->advection;
    bench.def.trace_order = variant->trace_order;
    const BrumeStatus status = brume_bench_measure(&bench, warmup, STEPS, error);
    if (status != BRUME_OK) {
        return status;
    }
    const double cells = (double)size * size * size;
    const int scalars = 2 + bench.def.color_count; // temperature and the kinds of smoke
    const double velocity_ns = 1e6 * bench.stage_ms[BRUME_STAGE_ADVECT_VELOCITY] / cells;
    const double scalars_ns = 1e6 * bench.stage_ms[BRUME_STAGE_ADVECT_SCALARS] / cells;
    (void)printf("| %d³ | %s | %d | %.2f | %.2f | %.2f | %.2f |\n", size, variant->advection, variant->trace_order,
                 bench.cfl, velocity_ns / VELOCITY_FIELDS, scalars_ns / scalars,
                 (velocity_ns + scalars_ns) / (VELOCITY_FIELDS + scalars));
    (void)fflush(stdout);
    return BRUME_OK;
}

static BrumeStatus measure_all(const BrumeScene *scene, int argc, char **argv, BrumeError *error)
{
    const char *const default_sizes[] = {"64", "128"};
    const int count = argc > 1 ? argc - 1 : (int)(sizeof default_sizes / sizeof default_sizes[0]);
    for (int n = 0; n < count; n++) {
        const char *text = argc > 1 ? argv[n + 1] : default_sizes[n];
        char *end;
        const long size = strtol(text, &end, 10);
        if (*end != '\0' || size < SMALLEST || size > LARGEST) {
            return brume_fail(error, BRUME_BAD_INPUT, "'%s' is not a number of cells from %d to %d", text, SMALLEST,
                              LARGEST);
        }
        for (size_t v = 0; v < sizeof variants / sizeof variants[0]; v++) {
            const BrumeStatus status = measure(scene, &variants[v], (int)size, error);
            if (status != BRUME_OK) {
                return status;
            }
        }
    }
    return BRUME_OK;
}

int main(int argc, char **argv)
{
    BrumeScene *scene = NULL;
    BrumeError error;
    char path[BRUME_MAX_PATH];
    brume_set_threads(brume_choose_threads(0));
    const BrumeMachine machine = brume_machine();
    BrumeStatus status = brume_find_scene("plume.yaml", path, &error);
    if (status == BRUME_OK) {
        status = brume_scene_load(&scene, path, NULL, 0, NULL, &error);
    }
    if (status == BRUME_OK) {
        (void)printf("%s, %d threads, %s, load %.2f before the run; ns per cell and field, including the trace\n\n",
                     machine.cpu, brume_get_threads(), machine.compiler, brume_machine_load());
        (void)printf(
            "| cells | scheme | order of the trace | displacement [cells] | velocity | scalars | all fields |\n");
        (void)printf("| --- | --- | --- | --- | --- | --- | --- |\n");
        status = measure_all(scene, argc, argv, &error);
    }
    brume_scene_destroy(scene);
    if (status != BRUME_OK) {
        (void)fprintf(stderr, "bench_advection: %s\n", error.text);
    }
    return (int)status;
}
