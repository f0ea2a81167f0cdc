/**
 * @file machine.h
 * The machine and the build of a measurement, as reports print them, and the memory bandwidth that the machine reaches
 * with a triad.
 */
#ifndef BRUME_APP_BENCH_MACHINE_H
#define BRUME_APP_BENCH_MACHINE_H

#include "core/error.h"

#include <stddef.h>

typedef struct BrumeMachine {
    char cpu[128];       ///< model
    int cores;           ///< physical cores that the process may use
    int processors;      ///< logical processors that the process may use
    char caches[96];     ///< "L1d 32 KiB, L2 512 KiB, L3 32768 KiB"; size of each cache
    size_t last_cache;   ///< size of the last-level cache [bytes]; 0: unknown
    size_t memory;       ///< [bytes]
    char os[192];        ///< kernel and architecture
    char compiler[96];   ///< name and version
    const char *flags;   ///< compiler options of the build
    const char *vectors; ///< widest vector instructions that the row kernels use on this machine
} BrumeMachine;

/** Returns the machine and the build; values that the system does not report are "unknown" or 0. */
BrumeMachine brume_machine(void);

/** Returns the load average of the last minute; negative if the system does not report it. */
double brume_machine_load(void);

/**
 * Returns the size of one of the triad's arrays [bytes] for a measurement of main memory: four times the last-level
 * cache of `last_cache` bytes, at least 64 MiB, and at most a twelfth of the machine's memory.
 */
size_t brume_triad_array(size_t last_cache);

/**
 * Measures the bandwidth of the triad a[i] = b[i] + s c[i] in double precision, as in STREAM (McCalpin 1995, "Memory
 * Bandwidth and Machine Balance in Current High Performance Computers"), with `threads` threads over three arrays of
 * `array` bytes each: `*rate` is the bandwidth of the fastest of at least ten passes [bytes/s]. An entry counts 24
 * bytes as in STREAM; a cache that reads a line before it is overwritten moves 32. Arrays that fit into a cache measure
 * that cache. Sets the team size of the calling thread. BRUME_FAILED if memory is not available.
 */
BrumeStatus brume_measure_triad(int threads, size_t array, double *rate, BrumeError *error);

#endif
