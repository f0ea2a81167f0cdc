#include "app/bench/bench_report.h"

#include "app/bench/bench_scaling.h"
#include "app/bench/outline.h"
#include "app/bench/traffic.h"
#include "app/cli/format.h"
#include "app/cli/text.h"
#include "brume/brume.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>

void brume_bench_report_start(BrumeBenchReport *report)
{
    report->machine = brume_machine();
    report->load = brume_machine_load();
    const time_t now = time(NULL);
    struct tm utc;
    if (!gmtime_r(&now, &utc) || strftime(report->date, sizeof report->date, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0) {
        report->date[0] = '\0';
    }
}

const char *brume_bench_pressure(const BrumeSimDef *def)
{
    return brume_pressure_resolve(def->pressure, def->obstacle_count > 0, brume_all_periodic(def));
}

void brume_bench_print_head(const BrumeBenchReport *report)
{
    const BrumeMachine *machine = &report->machine;
    const BrumeSimDef *def = &report->cases[0].def;
    brume_print_fact("version", "brume %s, %s", brume_version(), report->date);
    brume_print_fact("machine", "%s, %d cores (%d processors), %s, %s", machine->cpu, machine->cores,
                     machine->processors, machine->caches, brume_format_bytes((double)machine->memory).text);
    brume_print_fact("system", "%s, load %.2f before the run%s", machine->os, report->load,
                     report->load > 0.5 ? " (other work disturbs the figures)" : "");
    brume_print_fact("build", "%s, %s; row kernels in %s", machine->compiler, machine->flags, machine->vectors);
    brume_print_fact("scene", "%s: %s, %s to %g", report->scene_path, def->advection, brume_bench_pressure(def),
                     (double)def->tolerance);
    brume_print_fact("measured", "after %g s of the scene, medians of %d steps; GB/s by the least traffic of a step",
                     report->warmup, report->steps);
}

void brume_bench_print_table_head(void)
{
    (void)printf("\n%-13s %7s %9s %9s %7s %5s %9s %7s %7s %6s %9s  %s\n", "cells", "threads", "ms/step", "Mcells/s",
                 "travel", "iter", "residual", "B/cell", "GB/s", "triad", "of triad", "state hash");
}

static double rate_of(const BrumeBenchCase *result) { return result->traffic * result->cell_rate; }

void brume_bench_print_case(const BrumeBenchCase *result)
{
    char cells[32];
    (void)snprintf(cells, sizeof cells, "%dx%dx%d", result->def.nx, result->def.ny, result->def.nz);
    (void)printf("%-13s %7d %9.2f %9.2f %7.2f %5g %8.1e%s %7.0f %7.2f %6.2f %8.1f%%  %016" PRIx64 "\n", cells,
                 result->threads, result->step_ms, 1e-6 * result->cell_rate, result->travel, result->iterations,
                 result->residual, result->converged ? " " : "!", result->bytes_per_cell, 1e-9 * rate_of(result),
                 1e-9 * result->triad, 100.0 * rate_of(result) / result->triad, result->hash);
    (void)fflush(stdout);
}

void brume_bench_print_stages(const BrumeBenchReport *report)
{
    (void)printf("\n%-13s %7s", "ms a stage", "threads");
    for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
        (void)printf(" %16s", brume_stage_name((BrumeStage)stage));
    }
    (void)printf("\n");
    for (int n = 0; n < report->count; n++) {
        const BrumeBenchCase *result = &report->cases[n];
        char cells[32];
        (void)snprintf(cells, sizeof cells, "%dx%dx%d", result->def.nx, result->def.ny, result->def.nz);
        (void)printf("%-13s %7d", cells, result->threads);
        for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
            (void)printf(" %16.2f", result->stage_ms[stage]);
        }
        (void)printf("\n");
    }
}

void brume_bench_print_scaling(const BrumeBenchReport *report)
{
    bool started = false;
    for (int n = 0; n < report->count; n++) {
        const BrumeBenchCase *result = &report->cases[n];
        const BrumeBenchGain gain = brume_bench_gain(report->cases, report->count, n);
        if (gain.base == result) {
            continue;
        }
        if (!started) {
            (void)printf("\n%-13s %7s %9s %9s %11s %9s %9s %12s %7s\n", "scaling", "threads", "against", "speed-up",
                         "efficiency", "triad's", "possible", "of possible", "alone");
            started = true;
        }
        char cells[32];
        (void)snprintf(cells, sizeof cells, "%s %d^3", result->weak ? "weak" : "strong", result->def.nx);
        (void)printf("%-13s %7d %9d %9.2f %10.0f%% %9.2f %9.2f %11.0f%% %6.1f%%\n", cells, result->threads,
                     gain.base->threads, gain.speedup, 100.0 * gain.efficiency, gain.triad, gain.possible,
                     100.0 * gain.speedup / gain.possible, 100.0 * result->alone);
    }
}

/** A column of the files: how it is called, and how it is filled from a case. */
typedef struct Column {
    const char *name;
    double (*value)(const BrumeBenchCase *result);
} Column;

static double nx_of(const BrumeBenchCase *result) { return result->def.nx; }
static double ny_of(const BrumeBenchCase *result) { return result->def.ny; }
static double nz_of(const BrumeBenchCase *result) { return result->def.nz; }
static double threads_of(const BrumeBenchCase *result) { return result->threads; }
static double dt_of(const BrumeBenchCase *result) { return result->dt; }
static double travel_of(const BrumeBenchCase *result) { return result->travel; }
static double step_ms_of(const BrumeBenchCase *result) { return result->step_ms; }
static double mcells_of(const BrumeBenchCase *result) { return 1e-6 * result->cell_rate; }
static double iterations_of(const BrumeBenchCase *result) { return result->iterations; }
static double residual_of(const BrumeBenchCase *result) { return result->residual; }
static double converged_of(const BrumeBenchCase *result) { return result->converged; }
static double bytes_of(const BrumeBenchCase *result) { return result->bytes_per_cell; }
static double traffic_of(const BrumeBenchCase *result) { return result->traffic; }
static double gbs_of(const BrumeBenchCase *result) { return 1e-9 * rate_of(result); }
static double triad_of(const BrumeBenchCase *result) { return 1e-9 * result->triad; }
static double triad_here_of(const BrumeBenchCase *result) { return 1e-9 * result->triad_here; }
static double share_of(const BrumeBenchCase *result) { return rate_of(result) / result->triad; }
static double alone_of(const BrumeBenchCase *result) { return result->alone; }

static const Column columns[] = {
    {"nx", nx_of},
    {"ny", ny_of},
    {"nz", nz_of},
    {"threads", threads_of},
    {"dt_s", dt_of},
    {"travel_cells", travel_of},
    {"step_ms", step_ms_of},
    {"mcells_per_s", mcells_of},
    {"iterations", iterations_of},
    {"residual", residual_of},
    {"converged", converged_of},
    {"bytes_per_cell", bytes_of},
    {"traffic_bytes_per_cell", traffic_of},
    {"gb_per_s", gbs_of},
    {"triad_gb_per_s", triad_of},
    {"triad_in_place_gb_per_s", triad_here_of},
    {"share_of_triad", share_of},
    {"alone", alone_of},
};

enum { COLUMN_COUNT = sizeof columns / sizeof columns[0] };

static const char *series_of(const BrumeBenchCase *result) { return result->weak ? "weak" : "strong"; }

static void add_csv_text(BrumeText *text, const char *value)
{
    brume_text_add(text, "\"");
    for (; *value; value++) {
        brume_text_add(text, *value == '"' ? "\"\"" : "%c", *value);
    }
    brume_text_add(text, "\",");
}

static void add_csv_row(BrumeText *text, const BrumeBenchReport *report, const BrumeBenchCase *result)
{
    const BrumeMachine *machine = &report->machine;
    for (int n = 0; n < COLUMN_COUNT; n++) {
        brume_text_add(text, "%.6g,", columns[n].value(result));
    }
    for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
        brume_text_add(text, "%.6g,", result->stage_ms[stage]);
    }
    for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
        brume_text_add(text, "%.6g,", result->stage_traffic[stage]);
    }
    brume_text_add(text, "%s,", series_of(result));
    brume_text_add(text, "%016" PRIx64 ",", result->hash);
    add_csv_text(text, report->scene_path);
    add_csv_text(text, result->def.advection);
    add_csv_text(text, brume_bench_pressure(&result->def));
    brume_text_add(text, "%g,%g,%d,%s,", (double)result->def.tolerance, report->warmup, report->steps, brume_version());
    add_csv_text(text, report->date);
    add_csv_text(text, machine->cpu);
    brume_text_add(text, "%.2f,%d,", report->load, machine->cores);
    add_csv_text(text, machine->caches);
    brume_text_add(text, "%zu,", machine->memory);
    add_csv_text(text, machine->os);
    add_csv_text(text, machine->compiler);
    add_csv_text(text, machine->flags);
    brume_text_add(text, "%s\n", machine->vectors);
}

BrumeStatus brume_bench_write_csv(const BrumeBenchReport *report, const char *path, BrumeError *error)
{
    BrumeText text = {0};
    for (int n = 0; n < COLUMN_COUNT; n++) {
        brume_text_add(&text, "%s,", columns[n].name);
    }
    for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
        brume_text_add(&text, "ms_%s,", brume_stage_name((BrumeStage)stage));
    }
    for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
        brume_text_add(&text, "bytes_%s,", brume_stage_name((BrumeStage)stage));
    }
    brume_text_add(
        &text,
        "series,hash,scene,advection,pressure,tolerance,warmup_s,steps,version,date,cpu,load,cores,caches,memory_bytes,"
        "system,compiler,flags,vectors\n");
    for (int n = 0; n < report->count; n++) {
        add_csv_row(&text, report, &report->cases[n]);
    }
    const BrumeStatus status = brume_text_write(&text, path, error);
    brume_text_destroy(&text);
    return status;
}

static void add_json_text(BrumeText *text, const char *name, const char *value)
{
    brume_text_add(text, "  \"%s\": ", name);
    brume_text_add_json_string(text, value);
    brume_text_add(text, ",\n");
}

static void add_json_stages(BrumeText *text, const char *name, const double values[BRUME_STAGE_COUNT])
{
    brume_text_add(text, "\n     \"%s\": {", name);
    for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
        brume_text_add(text, "%s\"%s\": ", stage > 0 ? ", " : "", brume_stage_name((BrumeStage)stage));
        brume_text_add_json_number(text, values[stage], 6);
    }
    brume_text_add(text, "}, ");
}

static void add_json_case(BrumeText *text, const BrumeBenchCase *result)
{
    brume_text_add(text, "    {");
    for (int n = 0; n < COLUMN_COUNT; n++) {
        brume_text_add(text, "\"%s\": ", columns[n].name);
        brume_text_add_json_number(text, columns[n].value(result), 6);
        brume_text_add(text, ", ");
    }
    add_json_stages(text, "stage_ms", result->stage_ms);
    add_json_stages(text, "stage_traffic_bytes_per_cell", result->stage_traffic);
    brume_text_add(text, "\n     \"series\": \"%s\", \"hash\": \"%016" PRIx64 "\"}", series_of(result), result->hash);
}

BrumeStatus brume_bench_write_json(const BrumeBenchReport *report, const char *path, BrumeError *error)
{
    const BrumeMachine *machine = &report->machine;
    const BrumeSimDef *def = &report->cases[0].def;
    BrumeText text = {0};
    brume_text_add(&text, "{\n");
    add_json_text(&text, "version", brume_version());
    add_json_text(&text, "date", report->date);
    add_json_text(&text, "cpu", machine->cpu);
    brume_text_add(&text, "  \"cores\": %d,\n  \"processors\": %d,\n  \"memory_bytes\": %zu,\n  \"load\": %.2f,\n",
                   machine->cores, machine->processors, machine->memory, report->load);
    add_json_text(&text, "caches", machine->caches);
    add_json_text(&text, "system", machine->os);
    add_json_text(&text, "compiler", machine->compiler);
    add_json_text(&text, "flags", machine->flags);
    add_json_text(&text, "vectors", machine->vectors);
    add_json_text(&text, "scene", report->scene_path);
    add_json_text(&text, "advection", def->advection);
    add_json_text(&text, "pressure", brume_bench_pressure(def));
    brume_text_add(&text, "  \"tolerance\": %g,\n  \"warmup_s\": %g,\n  \"steps\": %d,\n  \"cases\": [\n",
                   (double)def->tolerance, report->warmup, report->steps);
    for (int n = 0; n < report->count; n++) {
        add_json_case(&text, &report->cases[n]);
        brume_text_add(&text, n + 1 < report->count ? ",\n" : "\n");
    }
    brume_text_add(&text, "  ]\n}\n");
    const BrumeStatus status = brume_text_write(&text, path, error);
    brume_text_destroy(&text);
    return status;
}
