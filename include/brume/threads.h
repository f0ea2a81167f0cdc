/**
 * @file threads.h
 * The number of threads that share the work of a call. Results do not depend on it.
 */
#ifndef BRUME_THREADS_H
#define BRUME_THREADS_H

#include "brume/export.h"

BRUME_BEGIN_DECLS

/**
 * The number of physical cores that this process may run on (hyper-threads count once), or the quota of its control
 * groups where that is lower, rounded up; at least 1.
 */
BRUME_API int brume_physical_cores(void);

/**
 * The number of threads to use: `wanted` if it is above 0, otherwise the number in the environment variable
 * OMP_NUM_THREADS if it is set, otherwise brume_physical_cores.
 */
BRUME_API int brume_choose_threads(int wanted);

/** Sets the team size of later calls of the library, and of other OpenMP regions, by this thread; `count` >= 1. */
BRUME_API void brume_set_threads(int count);

/** The team size of calls by this thread. */
BRUME_API int brume_get_threads(void);

/** How the threads of a team wait between parallel regions: how long they spin before they sleep. */
typedef enum BrumeWaiting {
    /**
     * Chosen before each step, and when a renderer loads a volume, by the load of the machine: BRUME_WAITING_BRIEF
     * while other processes need the processors, otherwise BRUME_WAITING_RUNTIME.
     */
    BRUME_WAITING_ADAPTIVE,
    /**
     * They sleep after some microseconds, so that other processes slow a step only in proportion to the processor time
     * that they use. With GCC's runtime this holds for all OpenMP teams of the process, and the library starts a thread
     * and a team that sleep (together at most two threads more than there are processors).
     */
    BRUME_WAITING_BRIEF,
    BRUME_WAITING_RUNTIME, ///< as by default in the OpenMP runtime
} BrumeWaiting;

/**
 * Sets how teams wait from the next step or loaded volume on, for the whole process; the default is
 * BRUME_WAITING_ADAPTIVE. Where one of the variables GOMP_SPINCOUNT, OMP_WAIT_POLICY or KMP_BLOCKTIME is set in the
 * environment, that variable takes precedence. May be called by any thread at any time.
 */
BRUME_API void brume_set_waiting(BrumeWaiting waiting);

BRUME_END_DECLS

#endif
