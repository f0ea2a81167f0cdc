// The benchmark of the solver: a strong series of sizes and a weak one, each with several numbers of threads.
#include "app/bench/case.h"
#include "app/bench/machine.h"
#include "app/bench/report.h"
#include "brume/brume.h"

#include <inttypes.h>
#include <stdio.h>

// fails if the hash differs from the hash of a case with as many cells
static BrumeStatus check_hash(const BrumeBenchReport *report, const BrumeBenchCase *last, BrumeError *error)
{
    for (const BrumeBenchCase *other = report->cases; other < last; other++) {
        if (other->def.nx == last->def.nx && other->hash != last->hash) {
            return brume_fail(error, BRUME_FAILED,
                              "the states of %d^3 cells differ: %016" PRIx64 " with %d threads, %016" PRIx64 " with %d",
                              last->def.nx, other->hash, other->threads, last->hash, last->threads);
        }
    }
    return BRUME_OK;
}

// measures one case and prints it; a different hash sets `difference` and does not end the run
static BrumeStatus measure_case(BrumeBenchReport *report, const BrumeBenchCase *def, BrumeError *difference,
                                BrumeError *error)
{
    BrumeBenchCase *result = (BrumeBenchCase *)report->cases + report->count;
    *result = *def;
    brume_bench_resize(&result->def, def->weak ? brume_bench_weak_size(def->size, def->threads) : def->size);
    const BrumeStatus status = brume_bench_measure(result, report->settings->warmup, report->settings->steps, error);
    if (status != BRUME_OK) {
        return status;
    }
    report->count++;
    brume_bench_print(report, BRUME_BENCH_CASES, report->count - 1);
    if (difference->status == BRUME_OK) {
        (void)check_hash(report, result, difference);
    }
    return BRUME_OK;
}

static BrumeStatus measure(BrumeBenchReport *report, BrumeError *error)
{
    const BrumeBenchSettings *settings = report->settings;
    const size_t array = brume_triad_array(brume_machine().last_cache);
    double triad[BRUME_BENCH_MAX_VALUES];
    BrumeStatus status = BRUME_OK;
    for (int t = 0; t < settings->threads.count && status == BRUME_OK; t++) {
        status = brume_measure_triad(settings->threads.values[t], array, &triad[t], error);
    }
    BrumeError difference = {.status = BRUME_OK};
    const int strong = settings->sizes.count;
    for (int s = 0; s < strong + settings->weak.count; s++) {
        for (int t = 0; t < settings->threads.count && status == BRUME_OK; t++) {
            const BrumeBenchCase def = {.def = report->scene->sim,
                                        .timeline = &report->scene->timeline,
                                        .threads = settings->threads.values[t],
                                        .size =
                                            s < strong ? settings->sizes.values[s] : settings->weak.values[s - strong],
                                        .weak = s >= strong,
                                        .triad = triad[t]};
            status = measure_case(report, &def, &difference, error);
        }
    }
    if (status == BRUME_OK && difference.status != BRUME_OK) {
        *error = difference;
        status = difference.status;
    }
    return status;
}

static void add_facts(BrumeBenchReport *report)
{
    const BrumeSimDef *def = &report->scene->sim;
    brume_bench_add_fact(report, "scene", "%s: %s, %s to %g", report->path, def->advection,
                         brume_pressure_resolve(def->pressure, brume_has_bodies(def), brume_all_periodic(def)),
                         (double)def->tolerance);
    brume_bench_add_fact(report, "measured",
                         "after %g s of the scene, medians of %d steps; GB/s of the minimum traffic of a step",
                         report->settings->warmup, report->settings->steps);
}

enum {
    CASES = BRUME_BENCH_CASES,
    STAGES = BRUME_BENCH_PARTS,
    SCALING = BRUME_BENCH_SCALING,
    PRINTED = BRUME_BENCH_PRINTED,
};

static void add_columns(BrumeBenchLine *line, const BrumeBenchReport *report, int index)
{
    const BrumeBenchCase *cases = report->cases;
    const BrumeBenchCase *result = &cases[index];
    const BrumeBenchSpeedup speedup = brume_bench_speedup(cases, report->count, index);
    const double rate = result->traffic * result->cell_rate;
    if (line->table == BRUME_BENCH_SCALING && speedup.base == result) {
        return;
    }
    char cells[48];
    char hash[17];
    (void)snprintf(cells, sizeof cells, "%dx%dx%d", result->def.nx, result->def.ny, result->def.nz);
    (void)snprintf(hash, sizeof hash, "%016" PRIx64, result->hash);
    brume_bench_text(line, PRINTED, NULL, line->table == BRUME_BENCH_PARTS ? "ms per stage" : "cells", -13, cells);
    brume_bench_file_number(line, "nx", result->def.nx);
    brume_bench_file_number(line, "ny", result->def.ny);
    brume_bench_file_number(line, "nz", result->def.nz);
    brume_bench_number(line, PRINTED, "threads", "threads", 7, 0, result->threads);
    brume_bench_text(line, SCALING, "series", "scaling", 7, result->weak ? "weak" : "strong");
    brume_bench_file_number(line, "dt_s", result->dt);
    brume_bench_number(line, CASES, "step_ms", "ms/step", 9, 2, result->step_ms);
    brume_bench_number(line, CASES, "mcells_per_s", "Mcells/s", 9, 2, 1e-6 * result->cell_rate);
    brume_bench_number(line, CASES, "cfl", "CFL", 7, 2, result->cfl);
    brume_bench_number(line, CASES, "iterations", "iter", 5, -4, result->iterations);
    brume_bench_number(line, CASES, "residual", "residual", 8, -2, result->residual);
    brume_bench_text(line, CASES, NULL, "", 1, result->converged ? "" : "!");
    brume_bench_file_number(line, "converged", result->converged);
    brume_bench_number(line, CASES, "bytes_per_cell", "B/cell", 7, 0, result->bytes_per_cell);
    brume_bench_file_number(line, "traffic_bytes_per_cell", result->traffic);
    brume_bench_number(line, CASES, "gb_per_s", "GB/s", 7, 2, 1e-9 * rate);
    brume_bench_number(line, CASES, "triad_gb_per_s", "triad", 6, 2, 1e-9 * result->triad);
    brume_bench_file_number(line, "triad_at_sim_size_gb_per_s", 1e-9 * result->triad_at_sim_size);
    brume_bench_share(line, CASES, "share_of_triad", "of triad", 9, 1, rate / result->triad);
    brume_bench_text(line, CASES, "hash", "state hash", 16, hash);
    for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
        const char *name = brume_stage_name((BrumeStage)stage);
        brume_bench_number(line, STAGES, brume_bench_name("ms_", name).text, name, 16, 2, result->stage_ms[stage]);
    }
    for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
        brume_bench_file_number(line, brume_bench_name("bytes_", brume_stage_name((BrumeStage)stage)).text,
                                result->stage_traffic[stage]);
    }
    brume_bench_number(line, SCALING, "base_threads", "base", 9, 0, speedup.base->threads);
    brume_bench_file_number(line, "base_nx", speedup.base->def.nx);
    brume_bench_number(line, SCALING, "speedup", "speed-up", 9, 2, speedup.speedup);
    brume_bench_share(line, SCALING, "efficiency", "efficiency", 11, 0, speedup.efficiency);
    brume_bench_number(line, SCALING, "triad_speedup", "triad's", 9, 2, speedup.triad);
    brume_bench_number(line, SCALING, "speedup_bound", "bound", 9, 2, speedup.bound);
    brume_bench_share(line, SCALING, "share_of_bound", "of bound", 12, 0, speedup.speedup / speedup.bound);
    brume_bench_share(line, SCALING, "imbalance", "imbalance", 10, 1, result->imbalance);
}

const BrumeBenchKind brume_bench_solver = {
    .case_size = sizeof(BrumeBenchCase),
    .add_facts = add_facts,
    .measure = measure,
    .add_columns = add_columns,
};
