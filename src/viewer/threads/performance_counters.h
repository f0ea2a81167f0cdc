/**
 * @file performance_counters.h
 * How smooth the window is: pictures a second, and the time from an input to the picture that shows it.
 */
#ifndef BRUME_VIEWER_THREADS_PERFORMANCE_COUNTERS_H
#define BRUME_VIEWER_THREADS_PERFORMANCE_COUNTERS_H

#include "core/error.h"

#include <stdbool.h>

enum { BRUME_PERFORMANCE_COUNTERS_RING = 4096 };

/** The newest of a kind of measurements. */
typedef struct BrumePerformanceCountersRing {
    long count; ///< of all, of which the newest BRUME_PERFORMANCE_COUNTERS_RING are kept
    double values[BRUME_PERFORMANCE_COUNTERS_RING];
} BrumePerformanceCountersRing;

typedef struct BrumePerformanceCounters {
    double started;                         ///< clock at the first presentation [s]
    double newest;                          ///< clock at the newest [s]
    BrumePerformanceCountersRing presented; ///< clock of each presentation [s]
    BrumePerformanceCountersRing drawn;     ///< clock of each that showed a new picture of the smoke [s]
    BrumePerformanceCountersRing latency;   ///< from input to its picture [ms]
    BrumePerformanceCountersRing turn;      ///< time that a turn of the loop took, waiting not counted [ms]
} BrumePerformanceCounters;

/** Adds a measurement. */
void brume_performance_counters_add(BrumePerformanceCountersRing *ring, double value);

/** Events a second over the last second before `now`, of a ring of clocks; 0 where there are fewer than two. */
double brume_performance_counters_rate(const BrumePerformanceCountersRing *ring, double now);

/** The share `at` (0 smallest, 0.5 median, 1 largest) of the kept values; 0 where there are none. */
double brume_performance_counters_quantile(const BrumePerformanceCountersRing *ring, double at);

/** What is written besides the meter's own. */
typedef struct BrumePerformanceCountersFacts {
    const char *renderer, *scene;
    int width, height; ///< of the window's picture [pixels]
    int threads;
    int cells[3];
    int frames;    ///< simulated
    double sim_ms; ///< a frame [ms]
    double time;   ///< simulated [s]
    long bytes;    ///< resident memory of the program
} BrumePerformanceCountersFacts;

/** Writes all as JSON, whole or not at all. Fails as brume_file_write does. */
BrumeStatus brume_performance_counters_write(const BrumePerformanceCounters *meter,
                                             const BrumePerformanceCountersFacts *facts, const char *path,
                                             BrumeError *error);

#endif
