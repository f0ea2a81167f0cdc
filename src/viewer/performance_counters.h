/**
 * @file performance_counters.h
 * Performance counters of the viewer: presentation rates, the latency from an input to its picture, and the time of a
 * loop iteration. Used by the window thread alone.
 */
#ifndef BRUME_VIEWER_PERFORMANCE_COUNTERS_H
#define BRUME_VIEWER_PERFORMANCE_COUNTERS_H

#include "core/error.h"

#include <stdbool.h>

enum { BRUME_MEASUREMENTS_KEPT = 4096 };

/** A ring buffer with the latest measurements of one kind. */
typedef struct BrumeMeasurements {
    long count; ///< number of all measurements; `values` has the latest BRUME_MEASUREMENTS_KEPT
    double values[BRUME_MEASUREMENTS_KEPT];
} BrumeMeasurements;

typedef struct BrumePerformanceCounters {
    double started;              ///< clock of the first presentation [s]
    double latest_present;       ///< clock of the latest presentation [s]
    BrumeMeasurements presented; ///< clock of each presentation [s]
    BrumeMeasurements frames;    ///< clock of each picture with a new frame [s]
    BrumeMeasurements drawn;     ///< clock of each presentation with a new picture of the smoke [s]
    BrumeMeasurements latency;   ///< from an input to the presentation of its picture [ms]
    double pending_input;        ///< clock of an input whose picture was not shown yet, 0 for none [s]
    bool has_new_input;          ///< `pending_input` is from this iteration of the loop
    BrumeMeasurements iteration; ///< duration of a loop iteration that presented, without waiting for events [ms]
} BrumePerformanceCounters;

/** Adds a measurement. */
void brume_measurements_add(BrumeMeasurements *measurements, double value);

/** Returns the number of events per second in the second before `now`, for clocks as values; 0 for fewer than two. */
double brume_measurements_rate(const BrumeMeasurements *measurements, double now);

/** Returns the quantile `fraction` (0 smallest, 0.5 median, 1 largest) of the stored values; 0 without any. */
double brume_measurements_quantile(const BrumeMeasurements *measurements, double fraction);

/** Facts that are written together with the counters. */
typedef struct BrumePerformanceContext {
    const char *renderer, *scene;
    int width, height; ///< of the window's picture [pixels]
    int threads;
    int cells[3];
    int frames;    ///< simulated
    double sim_ms; ///< wall time of the latest frame [ms]
    double time;   ///< simulated time [s]
    long bytes;    ///< resident memory of the program
} BrumePerformanceContext;

/** Writes everything as a JSON file. Fails as brume_file_write does; an existing file is unchanged then. */
BrumeStatus brume_performance_counters_write(const BrumePerformanceCounters *counters,
                                             const BrumePerformanceContext *context, const char *path,
                                             BrumeError *error);

#endif
