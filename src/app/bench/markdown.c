// The report in Markdown.
#include "app/bench/report.h"

#include "core/text.h"
#include "io/file.h"

#include <inttypes.h>

/** Traffic of a step with fused passes and four multigrid iterations [bytes/cell], docs/benchmarks.md. */
static const double reference_traffic = 430.0;

static double cells_of(const BrumeBenchCase *result)
{
    return (double)result->def.nx * (double)result->def.ny * (double)result->def.nz;
}

// time of a traffic of `bytes` per cell at the bandwidth of the triad [ms]
static double triad_ms(const BrumeBenchCase *result, double bytes)
{
    return 1e3 * bytes * cells_of(result) / result->triad;
}

static void add_machine(BrumeText *text, const BrumeBenchReport *report)
{
    const BrumeSimDef *def = &report->cases[0].def;
    brume_text_add(text, "## Machine and build\n\n| | |\n| --- | --- |\n");
    brume_bench_add_origin_markdown(text, &report->origin);
    brume_text_add(text, "| scene | `%s`: %s, %s to %g |\n", report->scene_path, def->advection,
                   brume_bench_pressure(def), (double)def->tolerance);
    brume_text_add(text, "| measured | %s, after %g s of the scene, medians of %d steps |\n", report->origin.date,
                   report->warmup, report->steps);
}

static void add_triad(BrumeText *text, const BrumeBenchReport *report)
{
    brume_text_add(text, "\n## Triad\n\n| threads | GB/s |\n| --- | --- |\n");
    for (int n = 0; n < report->count; n++) {
        bool listed = false;
        for (int before = 0; before < n; before++) {
            listed = listed || report->cases[before].threads == report->cases[n].threads;
        }
        if (!listed) {
            brume_text_add(text, "| %d | %.1f |\n", report->cases[n].threads, 1e-9 * report->cases[n].triad);
        }
    }
}

static void add_steps(BrumeText *text, const BrumeBenchReport *report)
{
    brume_text_add(text,
                   "\n## Steps\n\n"
                   "| cells | threads | ms/step | ns/cell | Mcells/s | CFL | iterations | residual | memory "
                   "B/cell | min. traffic B/cell | GB/s | of triad | over %g B/cell | state hash |\n"
                   "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
                   reference_traffic);
    for (int n = 0; n < report->count; n++) {
        const BrumeBenchCase *result = &report->cases[n];
        const double rate = brume_bench_traffic_rate(result);
        brume_text_add(text,
                       "| %d³%s | %d | %.2f | %.1f | %.2f | %.2f | %g | %.1e%s | %.0f | %.0f | %.2f | %.1f %% | %.2f× "
                       "| `%016" PRIx64 "` |\n",
                       result->def.nx, result->weak ? " (weak)" : "", result->threads, result->step_ms,
                       1e9 / result->cell_rate, 1e-6 * result->cell_rate, result->cfl, result->iterations,
                       result->residual, result->converged ? "" : " (not converged)", result->bytes_per_cell,
                       result->traffic, 1e-9 * rate, 100.0 * rate / result->triad,
                       result->step_ms / triad_ms(result, reference_traffic), result->hash);
    }
}

static void add_stages(BrumeText *text, const BrumeBenchReport *report)
{
    brume_text_add(
        text,
        "\n## Stages\n\n`at triad` is the time of a stage's minimum traffic at the bandwidth of the triad [ms].\n\n"
        "| cells | threads | stage | ms | share | min. B/cell | GB/s | at triad | ratio |\n"
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
    for (int n = 0; n < report->count; n++) {
        const BrumeBenchCase *result = &report->cases[n];
        for (int stage = 0; stage < BRUME_STAGE_COUNT && !result->weak; stage++) {
            const double ms = result->stage_ms[stage];
            const double bytes = result->stage_traffic[stage];
            if (ms < 1e-3 * result->step_ms && !(bytes > 0.0)) {
                continue;
            }
            brume_text_add(text, "| %d³ | %d | %s | %.2f | %.1f %% | %.0f |", result->def.nx, result->threads,
                           brume_stage_name((BrumeStage)stage), ms, 100.0 * ms / result->step_ms, bytes);
            if (bytes > 0.0 && ms > 0.0) {
                brume_text_add(text, " %.2f | %.2f | %.2f× |\n", 1e-6 * bytes * cells_of(result) / ms,
                               triad_ms(result, bytes), ms / triad_ms(result, bytes));
            } else {
                brume_text_add(text, " | | |\n");
            }
        }
    }
}

static void add_scaling(BrumeText *text, const BrumeBenchReport *report)
{
    bool started = false;
    for (int n = 0; n < report->count; n++) {
        const BrumeBenchCase *result = &report->cases[n];
        const BrumeBenchSpeedup speedup = brume_bench_speedup(report->cases, report->count, n);
        if (speedup.base == result) {
            continue;
        }
        if (!started) {
            brume_text_add(text, "\n## Scaling\n\n"
                                 "`bound` is the speed-up of a step if in each stage the time of the minimum traffic "
                                 "scaled with the triad over as much memory, and the remaining time with the threads. "
                                 "`imbalance` is 1 less the processor time of the other threads over that of the "
                                 "first.\n\n"
                                 "| series | cells | threads | base | speed-up | efficiency | triad's speed-up | "
                                 "bound | of bound | imbalance |\n"
                                 "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
            started = true;
        }
        brume_text_add(text, "| %s | %d³ | %d | %d³ with %d | %.2f | %.0f %% | %.2f | %.2f | %.0f %% | %.1f %% |\n",
                       result->weak ? "weak" : "strong", result->def.nx, result->threads, speedup.base->def.nx,
                       speedup.base->threads, speedup.speedup, 100.0 * speedup.efficiency, speedup.triad, speedup.bound,
                       100.0 * speedup.speedup / speedup.bound, 100.0 * result->imbalance);
    }
}

BrumeStatus brume_bench_write_markdown(const BrumeBenchReport *report, const char *path, BrumeError *error)
{
    BrumeText text = {0};
    add_machine(&text, report);
    add_triad(&text, report);
    add_steps(&text, report);
    add_stages(&text, report);
    add_scaling(&text, report);
    const BrumeStatus status = brume_file_write_text(path, &text, error);
    brume_text_destroy(&text);
    return status;
}
