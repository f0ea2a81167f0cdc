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

/** How the threads of a team wait between parallel regions: how long they spin before they sleep. */
typedef enum BrumeWaiting {
    /**
     * As the machine's load suggests: like BRUME_WAITING_RUNTIME while the process has the processors for itself, like
     * BRUME_WAITING_BRIEF while other work wants them too.
     */
    BRUME_WAITING_ADAPTIVE,
    /**
     * They sleep after some microseconds, so that other work on the machine slows a step by its share only. With GCC's
     * runtime this holds for all OpenMP teams of the process, and the library starts a thread and a team that sleep (in
     * all no more threads than two above the number of processors).
     */
    BRUME_WAITING_BRIEF,
    BRUME_WAITING_RUNTIME, ///< as the OpenMP runtime does by itself
} BrumeWaiting;

/**
 * Sets how teams wait from the next step on, for the whole process; BRUME_WAITING_ADAPTIVE without it. Where one of the
 * variables GOMP_SPINCOUNT, OMP_WAIT_POLICY or KMP_BLOCKTIME is set in the environment, that holds instead. May be
 * called by any thread at any time.
 */
BRUME_API void brume_set_waiting(BrumeWaiting waiting);

BRUME_END_DECLS

#endif
