#define _GNU_SOURCE // pthread_getname_np

// Workers: they run until they are told to quit, their owner waits for them no longer than it says, and a worker that
// is detached frees what it uses.
#include "core/parallel/clock.h"
#include "core/parallel/worker.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const double max_wait = 60.0; // longest wait for anything [s]

static bool refuses; // the system starts no thread

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *context)
{
    return refuses ? EAGAIN : __real_pthread_create(thread, attributes, run, context);
}

// a thread that doubles numbers, one after the other
typedef struct Doubling {
    BrumeMonitor monitor;
    BrumeWorker worker;
    int requested, done, released; // guarded by the monitor
    bool has_request, blocked;
    char name[16];
} Doubling;

static void run(void *context)
{
    Doubling *doubling = context;
    brume_monitor_lock(&doubling->monitor);
    (void)pthread_getname_np(pthread_self(), doubling->name, sizeof doubling->name);
    while (!brume_worker_quits(&doubling->worker) || doubling->blocked) {
        if (doubling->has_request) {
            doubling->done = 2 * doubling->requested;
            doubling->has_request = false;
            brume_monitor_signal(&doubling->monitor);
        } else {
            brume_monitor_wait(&doubling->monitor, INFINITY);
        }
    }
    brume_monitor_unlock(&doubling->monitor);
}

static void release(void *context)
{
    Doubling *doubling = context;
    brume_monitor_lock(&doubling->monitor);
    doubling->released++;
    brume_monitor_signal_and_unlock(&doubling->monitor);
}

static void start(Doubling *doubling)
{
    BrumeError error;
    *doubling = (Doubling){0};
    brume_monitor_init(&doubling->monitor);
    assert_int_equal(brume_worker_start(&doubling->worker, &doubling->monitor, "doubling", run, doubling, &error),
                     BRUME_OK);
}

static void expect(Doubling *doubling, int number, int result)
{
    brume_monitor_lock(&doubling->monitor);
    doubling->requested = number;
    doubling->has_request = true;
    brume_monitor_signal(&doubling->monitor);
    const double until = brume_seconds() + max_wait;
    while (doubling->has_request && brume_seconds() < until) {
        brume_monitor_wait(&doubling->monitor, until);
    }
    assert_int_equal(doubling->done, result);
    brume_monitor_unlock(&doubling->monitor);
}

static void set_blocked(Doubling *doubling, bool blocked)
{
    brume_monitor_lock(&doubling->monitor);
    doubling->blocked = blocked;
    brume_monitor_signal_and_unlock(&doubling->monitor);
}

static void test_requests_until_the_end(void **state)
{
    (void)state;
    Doubling doubling;
    start(&doubling);
    expect(&doubling, 21, 42);
    expect(&doubling, -4, -8);
    assert_string_equal(doubling.name, "doubling");
    assert_false(brume_worker_quits(&doubling.worker));
    brume_worker_join(&doubling.worker);
    assert_true(brume_worker_quits(&doubling.worker));
    assert_true(brume_worker_stop(&doubling.worker, 0.0)); // it has ended
    brume_worker_join(&doubling.worker);                   // again
    brume_monitor_destroy(&doubling.monitor);
}

static void test_wait_ends_at_its_deadline(void **state)
{
    (void)state;
    BrumeMonitor monitor;
    brume_monitor_init(&monitor);
    brume_monitor_lock(&monitor);
    const double until = brume_seconds() + 0.05;
    while (brume_seconds() < until) {
        brume_monitor_wait(&monitor, until);
    }
    brume_monitor_wait(&monitor, until - 1.0); // in the past
    assert_true(brume_seconds() < until + max_wait);
    brume_monitor_unlock(&monitor);
    brume_monitor_destroy(&monitor);
}

static void test_stop_waits_no_longer_than_asked(void **state)
{
    (void)state;
    Doubling doubling;
    start(&doubling);
    set_blocked(&doubling, true);
    const double begin = brume_seconds();
    assert_false(brume_worker_stop(&doubling.worker, 0.02));
    assert_true(brume_seconds() - begin >= 0.02);
    assert_false(brume_worker_stop(&doubling.worker, 0.0));
    set_blocked(&doubling, false);
    assert_true(brume_worker_stop(&doubling.worker, INFINITY));
    brume_worker_join_or_detach(&doubling.worker, 0.0, release, &doubling);
    assert_int_equal(doubling.released, 1);
    brume_monitor_destroy(&doubling.monitor);
}

static void test_detached_thread_releases_its_context(void **state)
{
    (void)state;
    static Doubling doubling; // the thread may use it until the program ends
    start(&doubling);
    set_blocked(&doubling, true);
    brume_worker_join_or_detach(&doubling.worker, 0.02, release, &doubling);
    brume_monitor_lock(&doubling.monitor);
    assert_int_equal(doubling.released, 0);
    brume_monitor_unlock(&doubling.monitor);
    set_blocked(&doubling, false);
    brume_monitor_lock(&doubling.monitor);
    const double until = brume_seconds() + max_wait;
    while (doubling.released == 0 && brume_seconds() < until) {
        brume_monitor_wait(&doubling.monitor, until);
    }
    assert_int_equal(doubling.released, 1);
    brume_monitor_unlock(&doubling.monitor);
}

static void test_thread_that_does_not_start(void **state)
{
    (void)state;
    Doubling doubling = {0};
    BrumeError error;
    brume_monitor_init(&doubling.monitor);
    refuses = true;
    const BrumeStatus status =
        brume_worker_start(&doubling.worker, &doubling.monitor, "doubling", run, &doubling, &error);
    refuses = false;
    assert_int_equal(status, BRUME_FAILED);
    assert_non_null(strstr(error.text, "cannot start a thread: "));
    assert_true(brume_worker_stop(&doubling.worker, INFINITY));
    brume_worker_join_or_detach(&doubling.worker, 0.0, release, &doubling);
    assert_int_equal(doubling.released, 1);
    brume_monitor_destroy(&doubling.monitor);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_requests_until_the_end),
        cmocka_unit_test(test_wait_ends_at_its_deadline),
        cmocka_unit_test(test_stop_waits_no_longer_than_asked),
        cmocka_unit_test(test_detached_thread_releases_its_context),
        cmocka_unit_test(test_thread_that_does_not_start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
