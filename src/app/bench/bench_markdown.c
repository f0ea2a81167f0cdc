#include "app/bench/bench_markdown.h"

#include "app/bench/bench_scaling.h"
#include "app/cli/format.h"
#include "app/cli/text.h"
#include "brume/brume.h"

#include <inttypes.h>

/** What a fused step with four iterations of multigrid must move [bytes/cell], docs/benchmarks.md. */
static const double whole_step = 430.0;

static double cells_of(const BrumeBenchCase *result)
{
    return (double)result->def.nx * (double)result->def.ny * (double)result->def.nz;
}

// the time of moving `bytes` a cell at the triad's rate [ms]
static double triad_ms(const BrumeBenchCase *result, double bytes)
{
    return 1e3 * bytes * cells_of(result) / result->triad;
}

static void add_machine(BrumeText *text, const BrumeBenchReport *report)
{
    const BrumeMachine *machine = &report->machine;
    const BrumeSimDef *def = &report->cases[0].def;
    brume_text_add(text, "## Machine and build\n\n| | |\n| --- | --- |\n");
    brume_text_add(text, "| machine | %s, %d cores (%d processors), %s, %s |\n", machine->cpu, machine->cores,
                   machine->processors, machine->caches, brume_format_bytes((double)machine->memory).text);
    brume_text_add(text, "| system | %s, load %.2f before the run |\n", machine->os, report->load);
    brume_text_add(text, "| build | brume %s, %s, `%s`; row kernels in %s |\n", brume_version(), machine->compiler,
                   machine->flags, machine->vectors);
    brume_text_add(text, "| scene | `%s`: %s, %s to %g |\n", report->scene_path, def->advection,
                   brume_bench_pressure(def), (double)def->tolerance);
    brume_text_add(text, "| measured | %s, after %g s of the scene, medians of %d steps |\n", report->date,
                   report->warmup, report->steps);
}

static void add_triad(BrumeText *text, const BrumeBenchReport *report)
{
    brume_text_add(text, "\n## Triad\n\n| threads | GB/s |\n| --- | --- |\n");
    for (int n = 0; n < report->count; n++) {
        bool told = false;
        for (int before = 0; before < n; before++) {
            told = told || report->cases[before].threads == report->cases[n].threads;
        }
        if (!told) {
            brume_text_add(text, "| %d | %.1f |\n", report->cases[n].threads, 1e-9 * report->cases[n].triad);
        }
    }
}

static void add_steps(BrumeText *text, const BrumeBenchReport *report)
{
    brume_text_add(text,
                   "\n## Steps\n\n"
                   "| cells | threads | ms/step | ns/cell | Mcells/s | travel | iterations | residual | memory "
                   "B/cell | least traffic B/cell | GB/s | of triad | against %g B/cell | state hash |\n"
                   "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
                   whole_step);
    for (int n = 0; n < report->count; n++) {
        const BrumeBenchCase *result = &report->cases[n];
        const double rate = result->traffic * result->cell_rate;
        brume_text_add(text,
                       "| %d³%s | %d | %.2f | %.1f | %.2f | %.2f | %g | %.1e%s | %.0f | %.0f | %.2f | %.1f %% | %.2f× "
                       "| `%016" PRIx64 "` |\n",
                       result->def.nx, result->weak ? " (weak)" : "", result->threads, result->step_ms,
                       1e9 / result->cell_rate, 1e-6 * result->cell_rate, result->travel, result->iterations,
                       result->residual, result->converged ? "" : " (not converged)", result->bytes_per_cell,
                       result->traffic, 1e-9 * rate, 100.0 * rate / result->triad,
                       result->step_ms / triad_ms(result, whole_step), result->hash);
    }
}

static void add_stages(BrumeText *text, const BrumeBenchReport *report)
{
    brume_text_add(text,
                   "\n## Stages\n\nA stage at the triad's rate would take `at triad` ms for its least traffic.\n\n"
                   "| cells | threads | stage | ms | share | least B/cell | GB/s | at triad | times that |\n"
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
        const BrumeBenchGain gain = brume_bench_gain(report->cases, report->count, n);
        if (gain.base == result) {
            continue;
        }
        if (!started) {
            brume_text_add(text, "\n## Scaling\n\n"
                                 "`possible` is what the stages could gain where the time of their least traffic "
                                 "shrinks as the triad's over as much memory, and the rest with the threads. "
                                 "`alone` is the share of the first thread's processor time in which the others did "
                                 "not work.\n\n"
                                 "| series | cells | threads | against | speed-up | efficiency | triad's speed-up | "
                                 "possible | of possible | alone |\n"
                                 "| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
            started = true;
        }
        brume_text_add(text, "| %s | %d³ | %d | %d³ with %d | %.2f | %.0f %% | %.2f | %.2f | %.0f %% | %.1f %% |\n",
                       result->weak ? "weak" : "strong", result->def.nx, result->threads, gain.base->def.nx,
                       gain.base->threads, gain.speedup, 100.0 * gain.efficiency, gain.triad, gain.possible,
                       100.0 * gain.speedup / gain.possible, 100.0 * result->alone);
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
    const BrumeStatus status = brume_text_write(&text, path, error);
    brume_text_destroy(&text);
    return status;
}
