/**
 * @file threads.h
 * How many threads a team has. Kernels share one rule: `#pragma omp parallel for schedule(static)` over z-planes,
 * which gives the same slab to the same thread in every kernel.
 */
#ifndef BRUME_CORE_THREADS_H
#define BRUME_CORE_THREADS_H

#include "brume/threads.h"

/** Names the calling thread, and the teams that it starts from now on, for debuggers and `top`: 15 letters at most. */
void brume_name_threads(const char *name);

/**
 * Lets others go first: the calling thread, and the teams that it starts from now on, give way to threads of the usual
 * priority where there are not cores enough for all. Where the system does not allow it, nothing changes.
 */
void brume_lower_priority(void);

#endif
