/**
 * @file series.h
 * The cases that `brume bench --render` measures: several sizes, each with several numbers of threads.
 */
#ifndef BRUME_APP_BENCH_RENDER_SERIES_H
#define BRUME_APP_BENCH_RENDER_SERIES_H

#include "app/bench/series.h"

/**
 * Measures the renderer with the state of the scene in the file `path` after settings->warmup, simulated at each size,
 * or, where `path` is NULL, with a procedural plume; prints the tables and writes the files. Fails as loading the
 * scene, the simulation and the writing of files do, and, after all cases are measured, with BRUME_FAILED where
 * pictures differ. Sets the team size of the calling thread.
 */
BrumeStatus brume_bench_render_run(const BrumeBenchSettings *settings, const char *path, BrumeError *error);

#endif
