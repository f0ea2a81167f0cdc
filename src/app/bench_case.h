/**
 * @file bench_case.h
 * One measurement: a scene in a developed state, at one size and thread count.
 */
#ifndef BRUME_APP_BENCH_CASE_H
#define BRUME_APP_BENCH_CASE_H

#include "core/error.h"
#include "sim/timeline.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct BrumeBenchCase {
    BrumeSimDef def;
    const BrumeTimeline *timeline; ///< of the scene; its settings are resized as `def` is
    int threads;
    double triad;                       ///< memory rate measured with this many threads [bytes/s]
    double dt;                          ///< of the measured steps [s]
    double travel;                      ///< largest of the measured steps [cells]
    double step_ms;                     ///< median wall time of a step
    double stage_ms[BRUME_STAGE_COUNT]; ///< medians
    double iterations;                  ///< median
    double residual;                    ///< worst
    bool converged;                     ///< every solve
    double cell_rate;                   ///< cells a second at the median step [1/s]
    double bytes_per_cell;              ///< memory of the simulation
    double traffic;                     ///< least traffic of a step [bytes/cell]
    uint64_t hash;                      ///< of the state after the last step
} BrumeBenchCase;

/**
 * Cuts the scene's box into `size` cells along its longest side, and widens the other sides so that it is a cube of
 * size^3 cells; it stays centred in x and z and keeps its floor.
 */
void brume_bench_resize(BrumeSimDef *def, int size);

/**
 * Simulates the first `warmup` seconds [s] by frames, then measures `steps` steps of the length that the last frame's
 * had. `result` comes with def, threads and triad filled in. Sets the caller's team size. The hash does not depend on
 * the threads.
 */
BrumeStatus brume_bench_measure(BrumeBenchCase *result, double warmup, int steps, BrumeError *error);

#endif
