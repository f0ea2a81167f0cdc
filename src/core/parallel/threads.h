/**
 * @file threads.h
 * Names and priorities of threads; brume/threads.h sets their number. All kernels use `#pragma omp parallel for
 * schedule(static)` over z-planes, so that every kernel assigns the same slab of planes to the same thread.
 */
#ifndef BRUME_CORE_PARALLEL_THREADS_H
#define BRUME_CORE_PARALLEL_THREADS_H

#include "brume/threads.h"

/** The largest number of threads of a parallel region, for arrays with a part for each thread. */
int brume_most_threads(void);

/** Names the calling thread, and the threads that it starts later, for debuggers and `top`; at most 15 characters. */
void brume_name_threads(const char *name);

/**
 * Lowers the scheduling priority of the calling thread and of the threads that it starts later, so that threads of
 * normal priority run first where there are fewer cores than threads. Does nothing where the system does not permit it.
 */
void brume_lower_priority(void);

#endif
