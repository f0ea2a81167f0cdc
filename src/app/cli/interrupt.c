#include "app/cli/interrupt.h"
#include "core/error.h"
#include "core/parallel/clock.h"

#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/*
 * The signals are received by a thread that waits in sigwait. Unlike a signal handler, that thread may lock mutexes and
 * print. They are blocked in all threads that are started later (a thread inherits the mask of the thread that starts
 * it). Where one is delivered to a thread of before, as one that has read a mesh, a handler sends it on.
 */
static atomic_bool requested, partial_requested;
static pthread_mutex_t writing_files = PTHREAD_MUTEX_INITIALIZER;
static sigset_t signals;
static pthread_t waiting_thread;
static const char *_Atomic first_message;
static char partial_file[PATH_MAX]; // the file that a second signal removes, or empty; protected by writing_files

// A terminal that is closed sends SIGHUP twice, by the kernel and by the shell. A second SIGHUP within this time is
// ignored [s].
static const double hangup_repetition = 0.2;

// the thread that receives all signals: the first stops the run after the frame, the second ends the program
static void *wait_for_signals(void *unused)
{
    (void)unused;
    double hung_up = -INFINITY; // time of the first signal, if it was SIGHUP [s]
    int signal_number;
    while (sigwait(&signals, &signal_number) == 0) {
        const double now = brume_seconds();
        if (signal_number == SIGUSR1) {
            atomic_store(&partial_requested, true);
            continue;
        }
        if (signal_number == SIGHUP && now - hung_up < hangup_repetition) {
            continue;
        }
        hung_up = signal_number == SIGHUP ? now : hung_up;
        if (atomic_exchange(&requested, true)) {
            (void)pthread_mutex_lock(&writing_files);
            if (partial_file[0]) {
                (void)unlink(partial_file);
            }
            _exit(BRUME_INTERRUPTED);
        }
        const char *message = atomic_load(&first_message);
        if (!message) {
            continue;
        }
        // a terminal echoes ^C at the start of the line
        (void)fprintf(stderr, "%sbrume: %s (a second signal stops immediately)\n", isatty(STDERR_FILENO) ? "\n" : "",
                      message);
    }
    return NULL;
}

static void send_on(int signal_number) { (void)pthread_kill(waiting_thread, signal_number); }

static void add_unless_ignored(int signal_number)
{
    struct sigaction action;
    if (sigaction(signal_number, NULL, &action) == 0 && action.sa_handler != SIG_IGN) {
        (void)sigaddset(&signals, signal_number);
    }
}

// sets the handler of the signals that are waited for
static void handle_elsewhere(void)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGTERM, SIGUSR1, SIGUSR2};
    const struct sigaction action = {.sa_handler = send_on, .sa_flags = SA_RESTART};
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++) {
        if (sigismember(&signals, numbers[n]) == 1) {
            (void)sigaction(numbers[n], &action, NULL);
        }
    }
}

BrumeStatus brume_interrupt_start(const char *message, BrumeError *error)
{
    atomic_store(&first_message, message);
    (void)sigemptyset(&signals);
    add_unless_ignored(SIGHUP);
    add_unless_ignored(SIGINT);
    add_unless_ignored(SIGTERM);
    add_unless_ignored(SIGUSR1);
    add_unless_ignored(SIGUSR2);
    (void)pthread_sigmask(SIG_BLOCK, &signals, NULL);
    const int failure = pthread_create(&waiting_thread, NULL, wait_for_signals, NULL);
    if (failure != 0) {
        return brume_fail(error, BRUME_FAILED, "cannot start a thread: %s", strerror(failure));
    }
    (void)pthread_detach(waiting_thread);
    handle_elsewhere();
    return BRUME_OK;
}

void brume_interrupt_silence(void) { atomic_store(&first_message, NULL); }

bool brume_interrupt_requested(void) { return atomic_load(&requested); }

bool brume_partial_requested(void) { return atomic_load(&partial_requested); }

void brume_partial_clear(void) { atomic_store(&partial_requested, false); }

void brume_interrupt_block(void) { (void)pthread_mutex_lock(&writing_files); }

void brume_interrupt_unblock(void) { (void)pthread_mutex_unlock(&writing_files); }

void brume_interrupt_set_partial_file(const char *path)
{
    (void)snprintf(partial_file, sizeof partial_file, "%s", path ? path : "");
}
