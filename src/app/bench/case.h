/**
 * @file case.h
 * One case of a benchmark: the steps of a scene in a developed state, at one size and number of threads; and the
 * speed-up of one case over another.
 */
#ifndef BRUME_APP_BENCH_CASE_H
#define BRUME_APP_BENCH_CASE_H

#include "brume/timeline.h"
#include "core/error.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct BrumeBenchCase {
    // set by the caller
    BrumeSimDef def;
    const BrumeTimeline *timeline; ///< timeline of the scene; its settings are resized as `def` is
    int threads;
    int size;     ///< cells along a side; in the weak series for one thread
    bool weak;    ///< part of the weak series, in which the cells grow with the threads
    double triad; ///< bandwidth of the triad with `threads` threads [bytes/s]

    // measured
    double triad_at_sim_size;                ///< bandwidth over arrays with the memory of the simulation [bytes/s]
    double dt;                               ///< length of the measured steps [s]
    double cfl;                              ///< largest CFL number of the measured steps
    double step_ms;                          ///< median wall time of a step [ms]
    double stage_ms[BRUME_STAGE_COUNT];      ///< median wall time of each stage [ms]
    double iterations;                       ///< median number of pressure iterations
    double imbalance;                        ///< brume_imbalance of further steps with brief waiting
    double residual;                         ///< largest relative residual
    bool converged;                          ///< all pressure solves converged
    double cell_rate;                        ///< cells per second at the median step [1/s]
    double bytes_per_cell;                   ///< memory of the simulation [bytes/cell]
    double stage_traffic[BRUME_STAGE_COUNT]; ///< minimum traffic of each stage of a step [bytes/cell]
    double traffic;                          ///< sum of `stage_traffic` [bytes/cell]
    uint64_t hash;                           ///< hash of the state after the last step
} BrumeBenchCase;

/** A case compared with the case of its series that has the fewest threads. */
typedef struct BrumeBenchSpeedup {
    const BrumeBenchCase *base;
    double speedup;    ///< ratio of cells per second
    double efficiency; ///< speed-up over the ratio of the numbers of threads
    double triad;      ///< speed-up of the triad over arrays larger than the caches
    double bound;      ///< brume_bench_speedup_bound
} BrumeBenchSpeedup;

/**
 * Resamples the box of the scene to `size` cells along its longest side and extends the other sides, so that it is a
 * cube of size^3 cells. Its center in x and z and its floor do not change.
 */
void brume_bench_resize(BrumeSimDef *def, int size);

/**
 * Returns the cells along a side of the cube in the weak series, which has as many cells as `threads` cubes of size^3:
 * rounded to a multiple of 8, so that multigrid can coarsen it three times. For one thread it is `size`.
 */
int brume_bench_weak_size(int size, int threads);

/**
 * Simulates the first `seconds` [s] of a case in frames, at least one, with the changes of its timeline. `*dt` becomes
 * the length of the last frame's steps [s].
 */
BrumeStatus brume_bench_warm_up(const BrumeBenchCase *bench, BrumeSim *sim, double seconds, double *dt,
                                BrumeError *error);

/**
 * Simulates the first `warmup` seconds [s] in frames, then measures `steps` steps of the length of the last frame's
 * steps. Sets the team size of the calling thread. The hash does not depend on the number of threads.
 */
BrumeStatus brume_bench_measure(BrumeBenchCase *result, double warmup, int steps, BrumeError *error);

/** Writes the processor time that each of the calling thread's `threads` threads has used [s] to `seconds`. */
void brume_read_cpu_times(double *seconds, int threads);

/**
 * Returns the imbalance of a team between two readings of brume_read_cpu_times: 1 - (mean processor time of the other
 * threads) / (processor time of the first). Serial work of the first thread and unequal shares cause it. 0 for one
 * thread; negative if the others worked more.
 */
double brume_imbalance(const double *begin, const double *end, int threads);

/**
 * Compares `cases[index]` with its base among `count` cases: the case of the same size (in the weak series per thread)
 * with the fewest threads. If there is no other case, the base is the case itself and all ratios are 1.
 */
BrumeBenchSpeedup brume_bench_speedup(const BrumeBenchCase *cases, int count, int index);

/**
 * Returns an upper bound of the speed-up of `threads` threads, with a triad of `triad` [bytes/s], over `base`: in each
 * stage, the time of the minimum traffic at the base's own triad_at_sim_size scales with the bandwidth of the triad,
 * the remaining time with the number of threads.
 */
double brume_bench_speedup_bound(const BrumeBenchCase *base, int threads, double triad);

#endif
