#include "app/bench/bench_scaling.h"

static double cells_of(const BrumeBenchCase *bench)
{
    return (double)bench->def.nx * (double)bench->def.ny * (double)bench->def.nz;
}

static bool same_series(const BrumeBenchCase *a, const BrumeBenchCase *b)
{
    return a->weak == b->weak && (a->weak ? a->size == b->size : a->def.nx == b->def.nx);
}

double brume_bench_possible_gain(const BrumeBenchCase *base, int threads, double triad)
{
    const double threads_gain = (double)threads / base->threads;
    const double memory_gain = triad / base->triad_here;
    double before = 0.0; // [ms]
    double after = 0.0;
    for (int stage = 0; stage < BRUME_STAGE_COUNT; stage++) {
        const double whole = base->stage_ms[stage];
        const double least = 1e3 * base->stage_traffic[stage] * cells_of(base) / base->triad_here;
        const double memory = least < whole ? least : whole;
        before += whole;
        after += memory / memory_gain + (whole - memory) / threads_gain;
    }
    return after > 0.0 ? before / after : 1.0;
}

BrumeBenchGain brume_bench_gain(const BrumeBenchCase *cases, int count, int index)
{
    const BrumeBenchCase *bench = &cases[index];
    const BrumeBenchCase *base = bench;
    for (int n = 0; n < count; n++) {
        if (same_series(&cases[n], bench) && cases[n].threads < base->threads) {
            base = &cases[n];
        }
    }
    const double speedup = bench->cell_rate / base->cell_rate;
    return (BrumeBenchGain){
        .base = base,
        .speedup = speedup,
        .efficiency = speedup * base->threads / bench->threads,
        .triad = bench->triad / base->triad,
        .possible = brume_bench_possible_gain(base, bench->threads, bench->triad_here),
    };
}
