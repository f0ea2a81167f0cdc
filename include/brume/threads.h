/**
 * @file threads.h
 * How many threads a team has. Results do not depend on it.
 */
#ifndef BRUME_THREADS_H
#define BRUME_THREADS_H

#include "brume/export.h"

BRUME_BEGIN_DECLS

/** Physical cores that this process may run on (hyper-threads counted once). At least 1. */
BRUME_API int brume_physical_cores(void);

/**
 * The thread count to use: `wanted` where it is above 0, else OMP_NUM_THREADS where that is set, else the physical
 * cores.
 */
BRUME_API int brume_choose_threads(int wanted);

/** Sets the team size of the calling thread's OpenMP regions. */
BRUME_API void brume_set_threads(int count);

/** The team size of the calling thread's OpenMP regions. */
BRUME_API int brume_get_threads(void);

BRUME_END_DECLS

#endif
