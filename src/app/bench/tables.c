// The tables on standard output.
#include "app/bench/report.h"

#include "app/cli/format.h"

#include <inttypes.h>
#include <stdio.h>

const char *brume_bench_pressure(const BrumeSimDef *def)
{
    return brume_pressure_resolve(def->pressure, brume_has_obstacles(def), brume_all_periodic(def));
}

double brume_bench_traffic_rate(const BrumeBenchCase *result) { return result->traffic * result->cell_rate; }

void brume_bench_print_head(const BrumeBenchReport *report)
{
    const BrumeSimDef *def = &report->cases[0].def;
    brume_bench_print_origin(&report->origin);
    brume_print_labeled("scene", "%s: %s, %s to %g", report->scene_path, def->advection, brume_bench_pressure(def),
                        (double)def->tolerance);
    brume_print_labeled("measured",
                        "after %g s of the scene, medians of %d steps; GB/s of the minimum traffic of a step",
                        report->warmup, report->steps);
}

void brume_bench_print_table_head(void)
{
    (void)printf("\n%-13s %7s %9s %9s %7s %5s %9s %7s %7s %6s %9s  %s\n", "cells", "threads", "ms/step", "Mcells/s",
                 "CFL", "iter", "residual", "B/cell", "GB/s", "triad", "of triad", "state hash");
}

void brume_bench_print_case(const BrumeBenchCase *result)
{
    char cells[32];
    (void)snprintf(cells, sizeof cells, "%dx%dx%d", result->def.nx, result->def.ny, result->def.nz);
    (void)printf("%-13s %7d %9.2f %9.2f %7.2f %5g %8.1e%s %7.0f %7.2f %6.2f %8.1f%%  %016" PRIx64 "\n", cells,
                 result->threads, result->step_ms, 1e-6 * result->cell_rate, result->cfl, result->iterations,
                 result->residual, result->converged ? " " : "!", result->bytes_per_cell,
                 1e-9 * brume_bench_traffic_rate(result), 1e-9 * result->triad,
                 100.0 * brume_bench_traffic_rate(result) / result->triad, result->hash);
    (void)fflush(stdout);
}

void brume_bench_print_stages(const BrumeBenchReport *report)
{
    (void)printf("\n%-13s %7s", "ms per stage", "threads");
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
        const BrumeBenchSpeedup speedup = brume_bench_speedup(report->cases, report->count, n);
        if (speedup.base == result) {
            continue;
        }
        if (!started) {
            (void)printf("\n%-13s %7s %9s %9s %11s %9s %9s %12s %10s\n", "scaling", "threads", "base", "speed-up",
                         "efficiency", "triad's", "bound", "of bound", "imbalance");
            started = true;
        }
        char cells[32];
        (void)snprintf(cells, sizeof cells, "%s %d^3", result->weak ? "weak" : "strong", result->def.nx);
        (void)printf("%-13s %7d %9d %9.2f %10.0f%% %9.2f %9.2f %11.0f%% %9.1f%%\n", cells, result->threads,
                     speedup.base->threads, speedup.speedup, 100.0 * speedup.efficiency, speedup.triad, speedup.bound,
                     100.0 * speedup.speedup / speedup.bound, 100.0 * result->imbalance);
    }
}
