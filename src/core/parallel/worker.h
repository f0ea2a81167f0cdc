/**
 * @file worker.h
 * A thread that runs until it is told to quit, and the monitor of the data that it shares with other threads.
 *
 * Small values go through a monitor: data that a mutex guards, held for copies only. The newest value of a large one
 * goes from one thread to another through a triple buffer (triple_buffer.h), without a copy.
 */
#ifndef BRUME_CORE_PARALLEL_WORKER_H
#define BRUME_CORE_PARALLEL_WORKER_H

#include "core/error.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

/** A mutex, and a condition variable by which threads wait for changes of the data that it guards. */
typedef struct BrumeMonitor {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
} BrumeMonitor;

void brume_monitor_init(BrumeMonitor *monitor);
void brume_monitor_destroy(BrumeMonitor *monitor);

static inline void brume_monitor_lock(BrumeMonitor *monitor) { (void)pthread_mutex_lock(&monitor->mutex); }

static inline void brume_monitor_unlock(BrumeMonitor *monitor) { (void)pthread_mutex_unlock(&monitor->mutex); }

/** Wakes all threads that wait. The monitor is locked. */
static inline void brume_monitor_signal(BrumeMonitor *monitor) { (void)pthread_cond_broadcast(&monitor->changed); }

/** Unlocks the monitor after a change, and wakes all threads that wait for one. */
static inline void brume_monitor_signal_and_unlock(BrumeMonitor *monitor)
{
    brume_monitor_signal(monitor);
    brume_monitor_unlock(monitor);
}

/**
 * Waits for a signal until brume_seconds() reaches `until` [s], which may be INFINITY. The monitor is locked; it is
 * unlocked meanwhile. Also returns without a signal (a spurious wake-up), so the caller tests its condition in a loop.
 */
void brume_monitor_wait(BrumeMonitor *monitor, double until);

/** A thread. All zero: not started. Its owner, one thread, calls all functions but brume_worker_quits. */
typedef struct BrumeWorker {
    BrumeMonitor *monitor;
    const char *name;
    void (*run)(void *context);
    void *context;
    bool started;
    pthread_t handle;
    atomic_bool quit;               ///< written with the monitor locked
    bool ended;                     ///< `run` has returned; guarded by the monitor, as `release`
    void (*release)(void *context); ///< called by the thread after `run`; NULL: nothing
} BrumeWorker;

/**
 * Starts a thread of that name (brume_name_threads; NULL: that of the caller), which calls `run`. `run` returns once
 * brume_worker_quits is true; `monitor`, with which it waits, is signaled then. BRUME_FAILED where the system starts no
 * thread.
 */
BrumeStatus brume_worker_start(BrumeWorker *worker, BrumeMonitor *monitor, const char *name, void (*run)(void *context),
                               void *context, BrumeError *error);

/** Whether the thread is to end. Any thread may ask, with or without the monitor. */
static inline bool brume_worker_quits(const BrumeWorker *worker) { return atomic_load(&worker->quit); }

/**
 * Sets `quit` and waits for the end of the thread at most `seconds`, which may be INFINITY. Returns whether it has
 * ended, or was not started. The monitor is not locked.
 */
bool brume_worker_stop(BrumeWorker *worker, double seconds);

/** Stops the thread, however long that takes, and frees it. A worker that was not started is allowed. */
void brume_worker_join(BrumeWorker *worker);

/**
 * Stops the thread and calls `release` with `context`, that of the thread, which may free the worker. A thread that has
 * not ended after `seconds` is detached, and calls `release` itself when it ends.
 */
void brume_worker_join_or_detach(BrumeWorker *worker, double seconds, void (*release)(void *context), void *context);

#endif
