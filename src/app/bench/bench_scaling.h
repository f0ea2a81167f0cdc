/**
 * @file bench_scaling.h
 * What more threads gain, beside what they could: time that the memory takes shrinks as the triad's does, the rest as
 * the threads grow in number.
 */
#ifndef BRUME_APP_BENCH_BENCH_SCALING_H
#define BRUME_APP_BENCH_BENCH_SCALING_H

#include "app/bench/bench_case.h"

/** A case against the one with the fewest threads of its series. */
typedef struct BrumeBenchGain {
    const BrumeBenchCase *base;
    double speedup;    ///< how many times the base's cells a second it does
    double efficiency; ///< the speed-up over the ratio of the threads
    double triad;      ///< speed-up of the triad over arrays beyond the caches
    double possible;   ///< speed-up that a step with the base's times could reach, see brume_bench_possible_gain
} BrumeBenchGain;

/**
 * Finds the base of `cases[index]` among `count` cases and compares with it. The base has the fewest threads of all
 * cases of the same size, or, for a weak case, of all weak cases of the same size for one thread. Without another case
 * the base is the case itself and all ratios are 1.
 */
BrumeBenchGain brume_bench_gain(const BrumeBenchCase *cases, int count, int index);

/**
 * The speed-up that `threads` threads at a memory rate of `triad` [bytes/s] could reach over `base`: in each stage the
 * time of its least traffic at the base's own rate in place shrinks with the memory rate, what is left with the number
 * of threads.
 */
double brume_bench_possible_gain(const BrumeBenchCase *base, int threads, double triad);

#endif
