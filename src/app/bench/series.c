#include "app/bench/series.h"

#include "app/bench/report.h"
#include "app/cli/output_files.h"
#include "app/cli/scene_readers.h"
#include "brume/brume.h"
#include "core/error.h"
#include "core/memory.h"
#include "io/file.h"

#include <inttypes.h>
#include <stdio.h>

// the last case against the others with as many cells
static BrumeStatus check_hash(const BrumeBenchReport *report, BrumeError *error)
{
    const BrumeBenchCase *last = &report->cases[report->count - 1];
    for (int n = 0; n + 1 < report->count; n++) {
        const BrumeBenchCase *other = &report->cases[n];
        if (other->def.nx == last->def.nx && other->hash != last->hash) {
            return brume_fail(error, BRUME_FAILED,
                              "the states of %d^3 cells differ: %016" PRIx64 " with %d threads, %016" PRIx64 " with %d",
                              last->def.nx, other->hash, other->threads, last->hash, last->threads);
        }
    }
    return BRUME_OK;
}

static BrumeStatus measure_triads(double triad[], const BrumeBenchSettings *settings, size_t array, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int t = 0; t < settings->threads.count && status == BRUME_OK; t++) {
        status = brume_measure_triad(settings->threads.values[t], array, &triad[t], error);
    }
    return status;
}

// measures one case and prints it; a hash that differs sets `hash_error` and does not end the run
static BrumeStatus measure_case(BrumeBenchReport *report, const BrumeBenchSettings *settings, BrumeBenchCase def,
                                BrumeError *hash_error, BrumeError *error)
{
    BrumeBenchCase *result = &report->cases[report->count];
    *result = def;
    brume_bench_resize(&result->def, def.weak ? brume_bench_weak_size(def.size, def.threads) : def.size);
    const BrumeStatus status = brume_bench_measure(result, settings->warmup, settings->steps, error);
    if (status != BRUME_OK) {
        return status;
    }
    report->count++;
    brume_bench_print_case(result);
    BrumeError differs;
    if (hash_error->status == BRUME_OK && check_hash(report, &differs) != BRUME_OK) {
        *hash_error = differs;
    }
    return BRUME_OK;
}

static BrumeStatus measure_all(BrumeBenchReport *report, const BrumeBenchSettings *settings, const BrumeScene *scene,
                               BrumeError *error)
{
    double triad[BRUME_BENCH_MAX_VALUES];
    BrumeStatus status = measure_triads(triad, settings, brume_triad_array(report->origin.machine.last_cache), error);
    if (status != BRUME_OK) {
        return status;
    }
    brume_bench_print_table_head();
    BrumeError hash_error = {.status = BRUME_OK};
    const BrumeIntList *const series[] = {&settings->sizes, &settings->weak};
    for (int weak = 0; weak < 2; weak++) {
        for (int s = 0; s < series[weak]->count; s++) {
            for (int t = 0; t < settings->threads.count; t++) {
                const BrumeBenchCase def = {.def = scene->sim,
                                            .timeline = &scene->timeline,
                                            .threads = settings->threads.values[t],
                                            .size = series[weak]->values[s],
                                            .weak = weak == 1,
                                            .triad = triad[t]};
                status = measure_case(report, settings, def, &hash_error, error);
                if (status != BRUME_OK) {
                    return status;
                }
            }
        }
    }
    brume_bench_print_stages(report);
    brume_bench_print_scaling(report);
    if (hash_error.status != BRUME_OK) {
        *error = hash_error;
    }
    return hash_error.status;
}

static BrumeStatus write_report(const BrumeBenchReport *report, const BrumeBenchSettings *settings, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    if (settings->csv) {
        status = brume_bench_write_csv(report, settings->csv, error);
    }
    if (settings->json && status == BRUME_OK) {
        status = brume_bench_write_json(report, settings->json, error);
    }
    if (settings->markdown && status == BRUME_OK) {
        status = brume_bench_write_markdown(report, settings->markdown, error);
    }
    return status;
}

BrumeStatus brume_bench_check_outputs(const BrumeBenchSettings *settings, const char *scene_path, BrumeError *error)
{
    const BrumeOutputFile outputs[] = {
        {settings->csv, "--csv", BRUME_OUTPUT_BENCH_CSV},
        {settings->json, "--json", BRUME_OUTPUT_BENCH_JSON},
        {settings->markdown, "--markdown", BRUME_OUTPUT_BENCH_MARKDOWN},
    };
    enum { COUNT = sizeof outputs / sizeof outputs[0] };
    BrumeStatus status = brume_check_output_files(outputs, COUNT, scene_path ? scene_path : "", error);
    for (int n = 0; n < COUNT && status == BRUME_OK; n++) {
        status = outputs[n].path ? brume_file_check_writable(outputs[n].path, error) : BRUME_OK;
    }
    return status;
}

BrumeStatus brume_bench_run(const BrumeBenchSettings *settings, const char *path, BrumeError *error)
{
    BrumeScene *scene = NULL;
    BrumeBenchReport report = {.scene_path = path, .warmup = settings->warmup, .steps = settings->steps};
    BrumeStatus status = brume_scene_load(&scene, path, settings->common.overrides.texts,
                                          settings->common.overrides.count, &brume_scene_readers, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    report.scene_name = scene->name;
    report.cases = brume_alloc((size_t)(settings->sizes.count + settings->weak.count) * (size_t)settings->threads.count,
                               sizeof *report.cases);
    if (!report.cases) {
        status = brume_out_of_memory(error, "the cases of the benchmark");
        goto cleanup;
    }
    status = brume_bench_check_outputs(settings, path, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    report.cases[0].def = scene->sim;
    report.origin = brume_bench_origin();
    brume_bench_print_head(&report);
    status = measure_all(&report, settings, scene, error);
    if (status == BRUME_OK) {
        status = write_report(&report, settings, error);
    }
cleanup:
    brume_free(report.cases);
    brume_scene_destroy(scene);
    return status;
}
