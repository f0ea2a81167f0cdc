#include "core/parallel/worker.h"

#include "core/minmax.h"
#include "core/parallel/clock.h"
#include "core/parallel/threads.h"

#include <math.h>
#include <string.h>
#include <time.h>

// longest single wait [s]: any time_t can represent its end, and a return without a signal is allowed
static const double LONGEST_WAIT = 3600.0;

void brume_monitor_init(BrumeMonitor *monitor)
{
    pthread_condattr_t attributes;
    (void)pthread_condattr_init(&attributes);
    (void)pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    (void)pthread_cond_init(&monitor->changed, &attributes);
    (void)pthread_condattr_destroy(&attributes);
    (void)pthread_mutex_init(&monitor->mutex, NULL);
}

void brume_monitor_destroy(BrumeMonitor *monitor)
{
    (void)pthread_cond_destroy(&monitor->changed);
    (void)pthread_mutex_destroy(&monitor->mutex);
}

void brume_monitor_wait(BrumeMonitor *monitor, double until)
{
    const double clock = brume_fmin(until, brume_seconds() + LONGEST_WAIT);
    const double whole = floor(clock);
    const struct timespec time = {(time_t)whole, (long)(1e9 * (clock - whole))};
    (void)pthread_cond_timedwait(&monitor->changed, &monitor->mutex, &time);
}

static void *run(void *argument)
{
    BrumeWorker *worker = argument;
    void *context = worker->context;
    if (worker->name) {
        brume_name_threads(worker->name);
    }
    worker->run(context);
    brume_monitor_lock(worker->monitor);
    worker->ended = true;
    void (*const release)(void *) = worker->release;
    brume_monitor_signal_and_unlock(worker->monitor);
    if (release) {
        release(context);
    }
    return NULL;
}

BrumeStatus brume_worker_start(BrumeWorker *worker, BrumeMonitor *monitor, const char *name, void (*run_worker)(void *),
                               void *context, BrumeError *error)
{
    worker->monitor = monitor;
    worker->name = name;
    worker->run = run_worker;
    worker->context = context;
    const int failure = pthread_create(&worker->handle, NULL, run, worker);
    worker->started = failure == 0;
    return worker->started ? BRUME_OK : brume_fail(error, BRUME_FAILED, "cannot start a thread: %s", strerror(failure));
}

bool brume_worker_stop(BrumeWorker *worker, double seconds)
{
    if (!worker->started) {
        return true;
    }
    const double until = brume_seconds() + seconds;
    brume_monitor_lock(worker->monitor);
    atomic_store(&worker->quit, true);
    brume_monitor_signal(worker->monitor);
    while (!worker->ended && brume_seconds() < until) {
        brume_monitor_wait(worker->monitor, until);
    }
    const bool ended = worker->ended;
    brume_monitor_unlock(worker->monitor);
    return ended;
}

void brume_worker_join(BrumeWorker *worker)
{
    if (worker->started) {
        (void)brume_worker_stop(worker, INFINITY);
        (void)pthread_join(worker->handle, NULL);
        worker->started = false;
    }
}

void brume_worker_join_or_detach(BrumeWorker *worker, double seconds, void (*release)(void *), void *context)
{
    if (!brume_worker_stop(worker, seconds)) {
        brume_monitor_lock(worker->monitor);
        const bool detaches = !worker->ended;
        worker->release = detaches ? release : NULL;
        const pthread_t handle = worker->handle; // the thread may free the worker once it is unlocked
        brume_monitor_unlock(worker->monitor);
        if (detaches) {
            (void)pthread_detach(handle);
            return;
        }
    }
    brume_worker_join(worker);
    release(context);
}
