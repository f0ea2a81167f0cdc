/**
 * @file threads.h
 * The number of threads that share the work of a call. Results do not depend on it.
 */
#ifndef BRUME_THREADS_H
#define BRUME_THREADS_H

#include "brume/export.h"

BRUME_BEGIN_DECLS

/** The number of physical cores that this process may run on (hyper-threads count once), at least 1. */
BRUME_API int brume_physical_cores(void);

/**
 * The number of threads to use: `wanted` if it is above 0, otherwise that of the environment variable OMP_NUM_THREADS
 * if it is set, otherwise brume_physical_cores.
 */
BRUME_API int brume_choose_threads(int wanted);

/** Sets the team size of later calls of the library, and of other OpenMP regions, by this thread; `count` >= 1. */
BRUME_API void brume_set_threads(int count);

/** The team size of calls by this thread. */
BRUME_API int brume_get_threads(void);

BRUME_END_DECLS

#endif
