/**
 * @file series.h
 * The series of cases that `brume bench` measures: several sizes, each with several numbers of threads.
 */
#ifndef BRUME_APP_BENCH_SERIES_H
#define BRUME_APP_BENCH_SERIES_H

#include "app/cli/args.h"
#include "core/error.h"

#include <stdbool.h>

enum { BRUME_BENCH_MAX_VALUES = 32 };

/** A list of whole numbers. */
typedef struct BrumeIntList {
    int count;
    int values[BRUME_BENCH_MAX_VALUES];
} BrumeIntList;

typedef struct BrumeBenchSettings {
    BrumeCommonOptions common;
    BrumeIntList sizes;                ///< strong series: cells along a side
    BrumeIntList weak;                 ///< weak series: cells along a side per thread; may be empty
    BrumeIntList threads;              ///< numbers of threads of each size
    double warmup;                     ///< simulated time before the measurement [s]
    int steps;                         ///< measured steps
    bool render;                       ///< measure the renderer instead of the solver
    int rounds;                        ///< of the renderer: measurements of each time
    BrumeImageSize image;              ///< of the renderer's picture
    const char *csv, *json, *markdown; ///< files to write; NULL: none
} BrumeBenchSettings;

/**
 * Fails, before anything is measured, where a file to write is the scene, another output, exists and is of another
 * kind, or cannot be written. `scene_path` may be NULL.
 */
BrumeStatus brume_bench_check_outputs(const BrumeBenchSettings *settings, const char *scene_path, BrumeError *error);

/**
 * Measures all cases of the scene in the file `path`, prints the tables and writes the files. Fails as loading the
 * scene, the simulation and the writing of files do, and, after all cases are measured, with BRUME_FAILED if states
 * with as many cells differ between numbers of threads. Sets the team size of the calling thread.
 */
BrumeStatus brume_bench_run(const BrumeBenchSettings *settings, const char *path, BrumeError *error);

#endif
