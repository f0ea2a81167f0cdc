#include "app/bench/bench_markdown.h"
#include "app/bench/bench_report.h"
#include "app/bench/triad.h"
#include "app/cli/console.h"
#include "app/cli/data_file.h"
#include "app/commands.h"
#include "brume/brume.h"
#include "core/error.h"
#include "core/memory.h"
#include "io/file.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { MAX_VALUES = 32 };

typedef struct IntList {
    int count;
    int values[MAX_VALUES];
} IntList;

typedef struct BenchSettings {
    IntList sizes, weak, threads;
    double warmup; ///< [s]
    int steps;
    BrumeTextList overrides;
    const char *csv, *json, *markdown;
} BenchSettings;

static BrumeStatus parse_list(IntList *list, const char *option, const char *value, int least, int most,
                              BrumeError *error)
{
    *list = (IntList){0};
    for (const char *part = value; part;) {
        const size_t length = strcspn(part, ",");
        char text[16];
        if (length >= sizeof text || list->count == MAX_VALUES) {
            goto failed;
        }
        memcpy(text, part, length);
        text[length] = '\0';
        if (!brume_parse_int(text, least, most, &list->values[list->count++])) {
            goto failed;
        }
        part = part[length] == ',' ? part + length + 1 : NULL;
    }
    return BRUME_OK;
failed:
    return brume_fail(error, BRUME_BAD_INPUT,
                      "%s: '%s' is not a list of up to %d whole numbers from %d to %d, as %d,%d", option, value,
                      MAX_VALUES, least, most, least, 2 * least);
}

static BrumeStatus parse_sizes(void *member, const char *option, const char *value, BrumeError *error)
{
    return parse_list(member, option, value, 8, 2048, error);
}

static BrumeStatus parse_threads(void *member, const char *option, const char *value, BrumeError *error)
{
    return parse_list(member, option, value, 1, 1024, error);
}

static IntList default_threads(void)
{
    const int cores = brume_physical_cores();
    return (IntList){.count = cores > 1 ? 2 : 1, .values = {1, cores}};
}

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

static BrumeStatus measure_triads(double triad[], const BenchSettings *settings, size_t array, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int t = 0; t < settings->threads.count && status == BRUME_OK; t++) {
        status = brume_measure_triad(settings->threads.values[t], array, &triad[t], error);
    }
    return status;
}

/** Measures one case and prints it; states that differ are told in `same` and do not end the run. */
static BrumeStatus measure_case(BrumeBenchReport *report, const BenchSettings *settings, BrumeBenchCase wanted,
                                BrumeError *same, BrumeError *error)
{
    BrumeBenchCase *result = &report->cases[report->count];
    *result = wanted;
    brume_bench_resize(&result->def, wanted.weak ? brume_bench_weak_size(wanted.size, wanted.threads) : wanted.size);
    const BrumeStatus status = brume_bench_measure(result, settings->warmup, settings->steps, error);
    if (status != BRUME_OK) {
        return status;
    }
    report->count++;
    brume_bench_print_case(result);
    BrumeError differs;
    if (same->status == BRUME_OK && check_hash(report, &differs) != BRUME_OK) {
        *same = differs;
    }
    return BRUME_OK;
}

static BrumeStatus measure_all(BrumeBenchReport *report, const BenchSettings *settings, const BrumeScene *scene,
                               BrumeError *error)
{
    double triad[MAX_VALUES];
    BrumeStatus status = measure_triads(triad, settings, brume_triad_array(report->machine.last_cache), error);
    if (status != BRUME_OK) {
        return status;
    }
    brume_bench_print_table_head();
    BrumeError same = {.status = BRUME_OK};
    const IntList *const series[] = {&settings->sizes, &settings->weak};
    for (int weak = 0; weak < 2; weak++) {
        for (int s = 0; s < series[weak]->count; s++) {
            for (int t = 0; t < settings->threads.count; t++) {
                const BrumeBenchCase wanted = {.def = scene->sim,
                                               .timeline = &scene->timeline,
                                               .threads = settings->threads.values[t],
                                               .size = series[weak]->values[s],
                                               .weak = weak == 1,
                                               .triad = triad[t]};
                status = measure_case(report, settings, wanted, &same, error);
                if (status != BRUME_OK) {
                    return status;
                }
            }
        }
    }
    brume_bench_print_stages(report);
    brume_bench_print_scaling(report);
    if (same.status != BRUME_OK) {
        *error = same;
    }
    return same.status;
}

static BrumeStatus write_report(const BrumeBenchReport *report, const BenchSettings *settings, BrumeError *error)
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

static BrumeStatus bench(const BenchSettings *settings, const char *path, BrumeError *error)
{
    BrumeScene *scene = NULL;
    BrumeBenchReport report = {.scene_path = path, .warmup = settings->warmup, .steps = settings->steps};
    BrumeStatus status = brume_scene_load(&scene, path, settings->overrides.texts, settings->overrides.count, error);
    if (status != BRUME_OK) {
        goto cleanup;
    }
    report.scene_name = scene->name;
    report.cases = brume_alloc((size_t)(settings->sizes.count + settings->weak.count) * (size_t)settings->threads.count,
                               sizeof *report.cases);
    if (!report.cases) {
        status = brume_fail(error, BRUME_FAILED, "out of memory");
        goto cleanup;
    }
    const char *const files[] = {settings->csv, settings->json, settings->markdown};
    for (size_t n = 0; n < sizeof files / sizeof files[0]; n++) {
        if (files[n] && brume_file_make_folder(files[n], error) != BRUME_OK) {
            status = BRUME_FAILED;
            goto cleanup;
        }
    }
    report.cases[0].def = scene->sim;
    brume_bench_report_start(&report);
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

static int run_bench(const BrumeCommand *command, int argc, char **argv)
{
    static BenchSettings settings = {
        .sizes = {.count = 3, .values = {64, 96, 128}},
        .warmup = 2.0,
        .steps = 9,
    };
    settings.threads = default_threads();
    BrumeError error;
    const char *scene;
    char path[BRUME_MAX_PATH];
    BrumeStatus status = brume_args_parse(command, brume_commands, argc, argv, &scene, &settings, &error);
    if (status == BRUME_OK && !scene) {
        status = brume_find_scene("plume.yaml", path, &error);
        scene = path;
    }
    if (status == BRUME_OK) {
        status = bench(&settings, scene, &error);
    }
    if (status != BRUME_OK) {
        brume_print_error(&error);
    }
    return (int)status;
}

#define MEMBER(kind_, member) .kind = BRUME_OPTION_##kind_, .offset = offsetof(BenchSettings, member)

static const BrumeOption options[] = {
    {.name = "sizes",
     .value = "N,N,...",
     MEMBER(CUSTOM, sizes),
     .parse = parse_sizes,
     .help = "cells along a side (default: 64,96,128); the box is widened to\na cube of N^3 cells"},
    {.name = "weak",
     .value = "N,N,...",
     MEMBER(CUSTOM, weak),
     .parse = parse_sizes,
     .help = "measure weak scaling too: cubes in which each thread has N^3\ncells"},
    {.name = "threads",
     .letter = 't',
     .value = "N,N,...",
     MEMBER(CUSTOM, threads),
     .parse = parse_threads,
     .help = "thread counts (default: 1 and the physical cores)"},
    {.name = "warmup",
     .value = "SECONDS",
     MEMBER(NUMBER, warmup),
     .least = 0,
     .most = 3600,
     .help = "simulated time before measuring (default: 2)"},
    {.name = "steps",
     .value = "N",
     MEMBER(INT, steps),
     .least = 5,
     .most = 100000,
     .help = "steps to measure (default: 9)"},
    {.name = "define",
     .letter = 'D',
     .value = "KEY=VALUE",
     MEMBER(LIST, overrides),
     .help = "override a scene value, as -D solver.pressure=cg; repeatable"},
    {.name = "csv", .value = "FILE", MEMBER(TEXT, csv), .help = "write the numbers as CSV"},
    {.name = "json", .value = "FILE", MEMBER(TEXT, json), .help = "write the numbers as JSON"},
    {.name = "markdown", .value = "FILE", MEMBER(TEXT, markdown), .help = "write a report as Markdown"},
};

const BrumeCommand brume_bench_command = {
    .name = "bench",
    .summary = "measure the solver at several sizes and thread counts",
    .details = "Simulates a scene into a developed state and measures its steps: ms a step and a\n"
               "stage, pressure iterations, Mcells/s, memory, and the rate of the least traffic that a\n"
               "step needs as a share of a triad measured in the same run. The state must be the same\n"
               "at all thread counts; otherwise the exit status is 1. Without a SCENE it takes\n"
               "scenes/plume.yaml.",
    .usage = "[SCENE] [options]",
    .operand = "SCENE",
    .options = options,
    .option_count = sizeof options / sizeof options[0],
    .run = run_bench,
};
