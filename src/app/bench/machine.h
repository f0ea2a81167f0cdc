/**
 * @file machine.h
 * The machine and the build that a measurement was taken with.
 */
#ifndef BRUME_APP_BENCH_MACHINE_H
#define BRUME_APP_BENCH_MACHINE_H

#include <stddef.h>

typedef struct BrumeMachine {
    char cpu[128];     ///< model
    int cores;         ///< physical ones that the process may run on
    int processors;    ///< logical ones that the process may run on
    char caches[96];   ///< "L1d 32 kB, L2 512 kB, L3 32 MB"; sizes are per cache
    size_t last_cache; ///< bytes of the last level, 0 where unknown
    size_t memory;     ///< bytes
    char os[192];      ///< kernel and architecture
    char compiler[96];
    const char *flags;   ///< of the build
    const char *vectors; ///< widest vectors that the row kernels use here
} BrumeMachine;

/** The average number of threads that wanted to run in the last minute; negative where the system does not tell. */
double brume_machine_load(void);

/** Asks the system; what it does not tell is "unknown" or 0. */
BrumeMachine brume_machine(void);

#endif
