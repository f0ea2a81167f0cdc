/**
 * @file threads.h
 * How many threads a team has. Kernels share one rule: `#pragma omp parallel for schedule(static)` over z-planes,
 * which gives the same slab to the same thread in every kernel.
 */
#ifndef BRUME_CORE_THREADS_H
#define BRUME_CORE_THREADS_H

/** Physical cores that this process may run on (hyper-threads counted once). At least 1. */
int brume_physical_cores(void);

/**
 * The thread count to use: `wanted` where it is above 0, else OMP_NUM_THREADS where that is set, else the physical
 * cores.
 */
int brume_choose_threads(int wanted);

/** Sets the team size of the calling thread's OpenMP regions. */
void brume_set_threads(int count);

/** The team size of the calling thread's OpenMP regions. */
int brume_get_threads(void);

#endif
