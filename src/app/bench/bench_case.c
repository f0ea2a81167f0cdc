#include "app/bench/bench_case.h"

#include "app/bench/team_time.h"
#include "app/bench/traffic.h"
#include "app/bench/triad.h"
#include "core/clock.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/quantile.h"
#include "core/threads.h"

#include <math.h>

/** What the measured steps took. */
typedef struct Samples {
    int count;
    double *values; // (1 + stages + 1) series of `count`: step, stages, iterations
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
    return threads > 1 ? 8 * (int)lround(size * cbrt(threads) / 8.0) : size;
}

// what the scene does before its next frame, at the size of this measurement
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

static BrumeStatus warm_up(const BrumeBenchCase *bench, BrumeSim *sim, double seconds, double *dt, BrumeError *error)
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
        result->travel = step.displacement > result->travel ? step.displacement : result->travel;
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
        result->stage_traffic[stage] = brume_least_traffic(def, (BrumeStage)stage, result->iterations);
        result->traffic += result->stage_traffic[stage];
    }
    result->cell_rate = cells / (1e-3 * result->step_ms);
    result->bytes_per_cell = (double)brume_sim_bytes(sim) / cells;
    result->hash = brume_sim_hash(sim);
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
        status = brume_fail(error, BRUME_FAILED, "out of memory");
        goto cleanup;
    }
    brume_set_threads(threads);
    status = brume_sim_create(&sim, &result->def, error);
    if (status == BRUME_OK) {
        status = warm_up(result, sim, warmup, &result->dt, error);
    }
    if (status == BRUME_OK) {
        brume_read_team_time(begin, threads);
        status = measure_steps(sim, result, &samples, error);
        brume_read_team_time(end, threads);
    }
    if (status == BRUME_OK) {
        result->alone = brume_team_alone(begin, end, threads);
        summarize(result, sim, &samples);
        const size_t third = brume_sim_bytes(sim) / 3;
        brume_sim_destroy(sim); // its memory may be needed
        sim = NULL;
        status = brume_measure_triad(threads, third, &result->triad_here, error);
    }
cleanup:
    brume_sim_destroy(sim);
    brume_free(begin);
    brume_free(samples.values);
    return status;
}
