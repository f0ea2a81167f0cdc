/**
 * @file held_thread.h
 * Stops the threads of a running program that have one name, so that a test determines the events before they go on.
 */
#ifndef BRUME_TESTS_SUPPORT_HELD_THREAD_H
#define BRUME_TESTS_SUPPORT_HELD_THREAD_H

#include <sys/types.h>

enum { MAX_HELD_THREADS = 64 };

/** The threads that are stopped. */
typedef struct HeldThreads {
    int count; ///< 0: the system does not permit it
    pid_t ids[MAX_HELD_THREADS];
} HeldThreads;

/**
 * Stops all threads of this name, which the caller has started with their process, when all of them sleep. Fails the
 * test where there are none within a minute.
 */
HeldThreads hold_threads(pid_t process, const char *name);

/** Lets them go on. */
void release_threads(HeldThreads *threads);

#endif
