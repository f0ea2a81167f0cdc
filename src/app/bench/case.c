#include "app/bench/case.h"

#include "app/bench/machine.h"
#include "app/bench/traffic.h"
#include "core/elementary.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/parallel/threads.h"
#include "core/quantile.h"

#include <math.h>
#include <omp.h>
#include <time.h>

/** Measurements of each step. */
typedef struct Samples {
    int count;
    double *values; // SERIES_COUNT series of `count` values each
} Samples;

enum { SERIES_STEP, SERIES_STAGES, SERIES_ITERATIONS = SERIES_STAGES + BRUME_STAGE_COUNT, SERIES_COUNT };

static double *series(const Samples *samples, int index) { return samples->values + (ptrdiff_t)samples->count * index; }

static double median(const Samples *samples, int index) { return brume_median(series(samples, index), samples->count); }

void brume_bench_resize(BrumeSimDef *def, int size)
{
    const int longest_xy = def->nx > def->ny ? def->nx : def->ny;
    const int longest = longest_xy > def->nz ? longest_xy : def->nz;
    const float side = def->dx * (float)longest;
    def->origin.x += 0.5f * (def->dx * (float)def->nx - side);
    def->origin.z += 0.5f * (def->dx * (float)def->nz - side);
    def->nx = def->ny = def->nz = size;
    def->dx = side / (float)size;
}

int brume_bench_weak_size(int size, int threads)
{
    return threads > 1 ? 8 * (int)lround(size * brume_pow(threads, 1.0 / 3.0) / 8.0) : size;
}

// applies the change of the timeline before the next frame, with its settings at the size of this case
static BrumeStatus apply_change(const BrumeBenchCase *bench, BrumeSim *sim, BrumeError *error)
{
    const BrumeChange *found = brume_timeline_find(bench->timeline, brume_sim_frames(sim));
    if (!found) {
        return BRUME_OK;
    }
    BrumeChange change = *found;
    BrumeSimDef settings;
    if (change.settings) {
        settings = *change.settings;
        brume_bench_resize(&settings, bench->def.nx);
        change.settings = &settings;
    }
    return brume_change_apply(&change, sim, error);
}

BrumeStatus brume_bench_warm_up(const BrumeBenchCase *bench, BrumeSim *sim, double seconds, double *dt,
                                BrumeError *error)
{
    BrumeFrameStats frame = {.steps = 1};
    do {
        BrumeStatus status = apply_change(bench, sim, error);
        if (status == BRUME_OK) {
            status = brume_sim_frame(sim, &frame, error);
        }
        if (status != BRUME_OK) {
            return status;
        }
    } while (brume_sim_time(sim) < seconds - 0.5 / (double)brume_sim_settings(sim)->fps);
    *dt = 1.0 / ((double)brume_sim_settings(sim)->fps * frame.steps);
    return BRUME_OK;
}

static BrumeStatus measure_steps(BrumeSim *sim, BrumeBenchCase *result, Samples *samples, BrumeError *error)
{
    result->converged = true;
    for (int n = 0; n < samples->count; n++) {
        BrumeStepStats step;
        const double start = brume_seconds();
        const BrumeStatus status = brume_sim_step(sim, result->dt, &step, error);
        if (status != BRUME_OK) {
            return status;
        }
        series(samples, SERIES_STEP)[n] = 1e3 * (brume_seconds() - start);
        for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
            series(samples, SERIES_STAGES + stage)[n] = step.ms[stage];
        }
        series(samples, SERIES_ITERATIONS)[n] = step.iterations;
        result->residual = step.residual > result->residual ? step.residual : result->residual;
        result->cfl = step.displacement > result->cfl ? step.displacement : result->cfl;
        result->converged = result->converged && step.converged;
    }
    return BRUME_OK;
}

static void summarize(BrumeBenchCase *result, const BrumeSim *sim, const Samples *samples)
{
    const BrumeSimDef *def = brume_sim_settings(sim);
    const double cells = (double)def->nx * def->ny * def->nz;
    result->step_ms = median(samples, SERIES_STEP);
    result->iterations = median(samples, SERIES_ITERATIONS);
    for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
        result->stage_ms[stage] = median(samples, SERIES_STAGES + stage);
        result->stage_traffic[stage] = brume_min_traffic(def, (BrumeStage)stage, result->iterations);
        result->traffic += result->stage_traffic[stage];
    }
    result->cell_rate = cells / (1e-3 * result->step_ms);
    result->bytes_per_cell = (double)brume_sim_bytes(sim) / cells;
    result->hash = brume_sim_hash(sim);
}

static double cpu_seconds(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void brume_read_cpu_times(double *seconds, int threads)
{
#pragma omp parallel num_threads(threads)
    seconds[omp_get_thread_num()] = cpu_seconds();
}

double brume_imbalance(const double *begin, const double *end, int threads)
{
    const double first = end[0] - begin[0];
    double others = 0.0;
    for (int n = 1; n < threads; n++) {
        others += end[n] - begin[n];
    }
    return threads > 1 && first > 0.0 ? 1.0 - others / ((threads - 1) * first) : 0.0;
}

/*
 * Measures the imbalance over further steps in which waiting threads sleep almost at once: a thread that spins uses as
 * much processor time as one that works.
 */
static BrumeStatus measure_imbalance(BrumeSim *sim, BrumeBenchCase *result, int steps, double *begin, double *end,
                                     BrumeError *error)
{
    brume_set_waiting(BRUME_WAITING_BRIEF);
    BrumeStatus status = brume_sim_step(sim, result->dt, NULL, error); // the first step sets the way of waiting
    brume_read_cpu_times(begin, result->threads);
    for (int n = 0; n < steps && status == BRUME_OK; n++) {
        status = brume_sim_step(sim, result->dt, NULL, error);
    }
    brume_read_cpu_times(end, result->threads);
    brume_set_waiting(BRUME_WAITING_ADAPTIVE);
    result->imbalance = brume_imbalance(begin, end, result->threads);
    return status;
}

BrumeStatus brume_bench_measure(BrumeBenchCase *result, double warmup, int steps, BrumeError *error)
{
    BrumeSim *sim = NULL;
    const int threads = result->threads;
    Samples samples = {.count = steps, .values = brume_alloc((size_t)steps, SERIES_COUNT * sizeof(double))};
    double *begin = brume_alloc(2 * (size_t)threads, sizeof *begin);
    double *end = begin + threads;
    BrumeStatus status = BRUME_OK;
    if (!samples.values || !begin) {
        status = brume_out_of_memory(error, "the times of %d steps", steps);
        goto cleanup;
    }
    brume_set_threads(threads);
    status = brume_sim_create(&sim, &result->def, error);
    if (status == BRUME_OK) {
        status = brume_bench_warm_up(result, sim, warmup, &result->dt, error);
    }
    if (status == BRUME_OK) {
        status = measure_steps(sim, result, &samples, error);
    }
    if (status == BRUME_OK) {
        summarize(result, sim, &samples);
        status = measure_imbalance(sim, result, threads > 1 ? (steps + 1) / 2 : 0, begin, end, error);
    }
    if (status == BRUME_OK) {
        const size_t array = brume_sim_bytes(sim) / 3;
        brume_sim_destroy(sim); // the triad may need its memory
        sim = NULL;
        status = brume_measure_triad(threads, array, &result->triad_at_sim_size, error);
    }
cleanup:
    brume_sim_destroy(sim);
    brume_free(begin);
    brume_free(samples.values);
    return status;
}

static double cells_of(const BrumeBenchCase *bench)
{
    return (double)bench->def.nx * (double)bench->def.ny * (double)bench->def.nz;
}

// whether two cases differ in the number of threads alone
static bool same_series(const BrumeBenchCase *a, const BrumeBenchCase *b)
{
    return a->weak == b->weak && (a->weak ? a->size == b->size : a->def.nx == b->def.nx);
}

double brume_bench_speedup_bound(const BrumeBenchCase *base, int threads, double triad)
{
    const double thread_ratio = (double)threads / base->threads;
    const double bandwidth_ratio = triad / base->triad_at_sim_size;
    double before = 0.0; // [ms]
    double after = 0.0;
    for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
        const double stage_ms = base->stage_ms[stage];
        const double min_ms = 1e3 * base->stage_traffic[stage] * cells_of(base) / base->triad_at_sim_size;
        const double memory = min_ms < stage_ms ? min_ms : stage_ms;
        before += stage_ms;
        after += memory / bandwidth_ratio + (stage_ms - memory) / thread_ratio;
    }
    return after > 0.0 ? before / after : 1.0;
}

BrumeBenchSpeedup brume_bench_speedup(const BrumeBenchCase *cases, int count, int index)
{
    const BrumeBenchCase *bench = &cases[index];
    const BrumeBenchCase *base = bench;
    for (int n = 0; n < count; n++) {
        if (same_series(&cases[n], bench) && cases[n].threads < base->threads) {
            base = &cases[n];
        }
    }
    const double speedup = bench->cell_rate / base->cell_rate;
    return (BrumeBenchSpeedup){
        .base = base,
        .speedup = speedup,
        .efficiency = speedup * base->threads / bench->threads,
        .triad = bench->triad / base->triad,
        .bound = brume_bench_speedup_bound(base, bench->threads, bench->triad_at_sim_size),
    };
}
