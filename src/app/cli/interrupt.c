#include "app/cli/interrupt.h"
#include "core/error.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * The signals are blocked in every thread (which inherit the mask of the one that starts them) and taken by one that
 * only waits for them. It may lock and print like any thread, which a signal handler may not.
 */
static atomic_bool requested;
static pthread_mutex_t files = PTHREAD_MUTEX_INITIALIZER;
static sigset_t signals;

static void *watch(void *unused)
{
    (void)unused;
    int signal_number;
    while (sigwait(&signals, &signal_number) == 0) {
        if (atomic_exchange(&requested, true)) {
            (void)pthread_mutex_lock(&files);
            _exit(BRUME_INTERRUPTED);
        }
        // on a terminal the line begins with the echo of ^C
        (void)fprintf(stderr, "%sbrume: stopping after this frame (once more stops at once)\n",
                      isatty(STDERR_FILENO) ? "\n" : "");
    }
    return NULL;
}

static void watch_unless_ignored(int signal_number)
{
    struct sigaction action;
    if (sigaction(signal_number, NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
        (void)sigaddset(&signals, signal_number);
    }
}

BrumeStatus brume_interrupt_start(BrumeError *error)
{
    (void)sigemptyset(&signals);
    watch_unless_ignored(SIGINT);
    watch_unless_ignored(SIGTERM);
    (void)pthread_sigmask(SIG_BLOCK, &signals, NULL);
    pthread_t thread;
    const int failure = pthread_create(&thread, NULL, watch, NULL);
    if (failure != 0) {
        return brume_fail(error, BRUME_FAILED, "cannot start a thread: %s", strerror(failure));
    }
    (void)pthread_detach(thread);
    return BRUME_OK;
}

bool brume_interrupt_requested(void) { return atomic_load(&requested); }

void brume_interrupt_hold(void) { (void)pthread_mutex_lock(&files); }

void brume_interrupt_release(void) { (void)pthread_mutex_unlock(&files); }
