/**
 * @file bench_case.h
 * One measurement: a scene in a developed state, at one size and thread count.
 */
#ifndef BRUME_APP_BENCH_BENCH_CASE_H
#define BRUME_APP_BENCH_BENCH_CASE_H

#include "brume/timeline.h"
#include "core/error.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct BrumeBenchCase {
    BrumeSimDef def;
    const BrumeTimeline *timeline; ///< of the scene; its settings are resized as `def` is
    int threads;
    int size;                                ///< asked for: cells along a side, of a weak case those for one thread
    bool weak;                               ///< part of the series whose cells grow with the threads
    double triad;                            ///< memory rate measured with this many threads [bytes/s]
    double triad_here;                       ///< the same over arrays that take as much as the simulation [bytes/s]
    double dt;                               ///< of the measured steps [s]
    double travel;                           ///< largest of the measured steps [cells]
    double step_ms;                          ///< median wall time of a step
    double stage_ms[BRUME_STAGE_COUNT];      ///< medians
    double iterations;                       ///< median
    double alone;                            ///< share of the first thread's time that the others did not work
    double residual;                         ///< worst
    bool converged;                          ///< every solve
    double cell_rate;                        ///< cells a second at the median step [1/s]
    double bytes_per_cell;                   ///< memory of the simulation
    double stage_traffic[BRUME_STAGE_COUNT]; ///< least traffic of a step's stages [bytes/cell]
    double traffic;                          ///< their sum [bytes/cell]
    uint64_t hash;                           ///< of the state after the last step
} BrumeBenchCase;

/**
 * Cuts the scene's box into `size` cells along its longest side, and widens the other sides so that it is a cube of
 * size^3 cells; it stays centred in x and z and keeps its floor.
 */
void brume_bench_resize(BrumeSimDef *def, int size);

/**
 * Cells along a side for the series in which each thread has as many: those of `threads` cubes of size^3 cells in one
 * cube, to the next multiple of 8, which the coarse levels of multigrid like. `size` itself for one thread.
 */
int brume_bench_weak_size(int size, int threads);

/**
 * Simulates the first `warmup` seconds [s] by frames, then measures `steps` steps of the length that the last frame's
 * had. `result` comes with def, timeline, size, weak, threads and triad filled in. Sets the caller's team size. The
 * hash does not depend on the threads.
 */
BrumeStatus brume_bench_measure(BrumeBenchCase *result, double warmup, int steps, BrumeError *error);

#endif
