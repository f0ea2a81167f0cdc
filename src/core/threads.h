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

/** Names the calling thread, and the teams that it starts from now on, for debuggers and `top`: 15 letters at most. */
void brume_name_threads(const char *name);

/**
 * Lets others go first: the calling thread, and the teams that it starts from now on, give way to threads of the usual
 * priority where there are not cores enough for all. Where the system does not allow it, nothing changes.
 */
void brume_give_way(void);

/** The team size of the calling thread's OpenMP regions. */
int brume_get_threads(void);

#endif
