/**
 * @file triad.h
 * The memory rate that a machine reaches in practice: a[i] = b[i] + s c[i] in double over arrays far larger than its
 * caches, after the triad of STREAM (McCalpin 1995, "Memory Bandwidth and Machine Balance in Current High Performance
 * Computers"). 24 bytes count an entry, as there; a cache that reads a line before it is overwritten moves 32.
 */
#ifndef BRUME_APP_BENCH_TRIAD_H
#define BRUME_APP_BENCH_TRIAD_H

#include "core/error.h"

#include <stddef.h>

/**
 * Bytes of one of the triad's arrays that leave no doubt that memory is measured: four times `last_cache` bytes, at
 * least 64 MB, and at most a twelfth of the machine's memory.
 */
size_t brume_triad_array(size_t last_cache);

/**
 * Measures with `threads` threads over three arrays of `array` bytes each: the best of at least ten passes in `*rate`
 * [bytes/s]. Arrays that fit into a cache measure the cache. Sets the caller's team size. BRUME_FAILED without memory.
 */
BrumeStatus brume_measure_triad(int threads, size_t array, double *rate, BrumeError *error);

#endif
