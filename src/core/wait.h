/**
 * @file wait.h
 * Waiting for another thread, though no longer than until a time on the clock of brume_seconds.
 */
#ifndef BRUME_CORE_WAIT_H
#define BRUME_CORE_WAIT_H

#include <math.h>
#include <pthread.h>

/** A condition that brume_wait_until can wait for; to be destroyed by pthread_cond_destroy. */
void brume_wait_init(pthread_cond_t *changed);

/**
 * Waits until `changed` is signaled or brume_seconds() has come to `until` [s]; INFINITY waits for the signal. `mutex`
 * is locked by the caller and locked again on return, which may also come for no reason: look again at what is waited
 * for.
 */
void brume_wait_until(pthread_cond_t *changed, pthread_mutex_t *mutex, double until);

#endif
