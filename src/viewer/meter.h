/**
 * @file meter.h
 * How smooth the window is: pictures a second, and the time from an input to the picture that shows it.
 */
#ifndef BRUME_VIEWER_METER_H
#define BRUME_VIEWER_METER_H

#include "core/error.h"

#include <stdbool.h>

enum { BRUME_METER_RING = 4096 };

/** The newest of a kind of measurements. */
typedef struct BrumeMeterRing {
    long count; ///< of all, of which the newest BRUME_METER_RING are kept
    double values[BRUME_METER_RING];
} BrumeMeterRing;

typedef struct BrumeMeter {
    double started;           ///< clock at the first presentation [s]
    double newest;            ///< clock at the newest [s]
    BrumeMeterRing presented; ///< clock of each presentation [s]
    BrumeMeterRing drawn;     ///< clock of each that showed a new picture of the smoke [s]
    BrumeMeterRing latency;   ///< from input to its picture [ms]
    BrumeMeterRing turn;      ///< time that a turn of the loop took, waiting not counted [ms]
} BrumeMeter;

/** Adds a measurement. */
void brume_meter_add(BrumeMeterRing *ring, double value);

/** Events a second over the last second before `now`, of a ring of clocks; 0 where there are fewer than two. */
double brume_meter_rate(const BrumeMeterRing *ring, double now);

/** The share `at` (0 smallest, 0.5 median, 1 largest) of the kept values; 0 where there are none. */
double brume_meter_quantile(const BrumeMeterRing *ring, double at);

/** What is written besides the meter's own. */
typedef struct BrumeMeterFacts {
    const char *renderer, *scene;
    int width, height; ///< of the window's picture [pixels]
    int threads;
    int cells[3];
    int frames;    ///< simulated
    double sim_ms; ///< a frame [ms]
    double time;   ///< simulated [s]
    long bytes;    ///< resident memory of the program
} BrumeMeterFacts;

/** Writes all as JSON, whole or not at all. Fails as brume_file_write does. */
BrumeStatus brume_meter_write(const BrumeMeter *meter, const BrumeMeterFacts *facts, const char *path,
                              BrumeError *error);

#endif
