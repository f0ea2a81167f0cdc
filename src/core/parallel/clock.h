/**
 * @file clock.h
 * The monotonic clock: reading it for measurements, and waiting for another thread up to a time on it.
 */
#ifndef BRUME_CORE_PARALLEL_CLOCK_H
#define BRUME_CORE_PARALLEL_CLOCK_H

#include <math.h>
#include <pthread.h>
#include <stdbool.h>

/** The time on the monotonic clock, from an unspecified start [s]. */
double brume_seconds(void);

/** Initializes a condition variable for brume_wait_until. The caller frees it with pthread_cond_destroy. */
void brume_wait_init(pthread_cond_t *changed);

/**
 * Waits until `changed` is signaled or brume_seconds() reaches `until` [s]; with INFINITY it waits for the signal. The
 * caller holds `mutex`, which is released during the wait and held again on return. The function may also return
 * without a signal (a spurious wake-up), so the caller tests its condition in a loop.
 */
void brume_wait_until(pthread_cond_t *changed, pthread_mutex_t *mutex, double until);

/**
 * Waits until `*condition`, which another thread sets under `mutex` before it signals `changed`, at most `seconds`,
 * which may be INFINITY. Returns the condition. The caller holds `mutex`, as for brume_wait_until.
 */
bool brume_wait_for(const bool *condition, pthread_cond_t *changed, pthread_mutex_t *mutex, double seconds);

#endif
