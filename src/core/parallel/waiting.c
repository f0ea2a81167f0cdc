/*
 * A step runs some thirty parallel regions, many of a fraction of a millisecond. A thread that waits for the next one
 * spins before it sleeps: in GCC's runtime (libgomp) for about a millisecond, in LLVM's (libomp) for 200. On an idle
 * machine this saves the system calls that wake a team. On a busy one the spinning thread occupies the processor that
 * the thread it waits for should run on, and a step becomes 4 to 200 times slower (docs/benchmarks.md has the
 * measurements). So waiting is brief on a busy machine, and as long as the runtime's elsewhere.
 *
 * The system counts for each thread how long it was ready to run without a processor, in /proc/thread-self/schedstat
 * (Linux, Documentation/scheduler/sched-stats.rst). That share of the time is some 0.4 in a team that a busy process
 * interrupts, and below 0.03 in one that runs next to threads of the program that write files only. Where the system
 * does not count it, two other counters show whether the machine is busy: the share of the time in which the first
 * thread had a processor, and the involuntary context switches of the process, of which there are hundreds a second
 * next to other work. They also count the threads that write files.
 *
 * libomp lets a program set the time, for each thread that starts teams: kmp_set_blocktime.
 *
 * libgomp reads its setting, GOMP_SPINCOUNT, from the environment before the code of any library runs. But its manual
 * documents that it spins 100 times only while the process has more OpenMP threads than there are processors. So an
 * additional team is started, just large enough to exceed that number; its threads run one empty region and sleep until
 * the team is ended. They use no processor time.
 *
 * Where the program brings another runtime than the library was built with, the dynamic linker binds the library's
 * parallel regions to one of them; the functions of that runtime are looked up and called.
 */
#define _GNU_SOURCE // RTLD_DEFAULT, dladdr

#include "core/parallel/waiting.h"

#include "brume/threads.h"
#include "core/parallel/clock.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

typedef void BlockTimeSetter(int milliseconds);

static const double window = 0.1;       // over which waiting is counted [s]
static const double most_delay = 0.05;  // longest time without a processor on an idle machine, as a share of a window
static const int quiet_windows = 3;     // after which teams may spin again
static const int llvm_block_time = 200; // the runtime's own [ms]

static atomic_int chosen_waiting = BRUME_WAITING_ADAPTIVE;
static atomic_bool brief = true; // how teams wait now

/** Counters of a thread that steps the simulation. */
typedef struct Watch {
    double start;     ///< of the window [s], 0 before the first
    double processor; ///< time that the thread has had a processor until then [s]
    long switches;    ///< involuntary ones of the process until then
    int quiet;        ///< windows without other work, in a row
} Watch;

// the variables below are guarded by `lock`
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool looked_up;
static bool environment_decides;
static BlockTimeSetter *set_block_time; // of the runtime that the library's regions run in; NULL: it is libgomp

// the additional team, of libgomp only
static pthread_t idle_thread;
static int idle_threads; // 0: there is none
// between its first thread and the thread that starts or ends it, which holds `lock` all the while
static pthread_mutex_t idle_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t idle_changed = PTHREAD_COND_INITIALIZER;
static bool idle_present; // the team has run its region
static bool idle_ends;

void brume_set_waiting(BrumeWaiting waiting) { atomic_store(&chosen_waiting, waiting); }

static void look_up_runtime(void)
{
    environment_decides = getenv("GOMP_SPINCOUNT") || getenv("OMP_WAIT_POLICY") || getenv("KMP_BLOCKTIME");
    int (*function)(void) = omp_get_max_threads;
    void *address = NULL;
    *(int (**)(void))(void *)&address = function;
    Dl_info info;
    void *runtime = dladdr(address, &info) ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    *(void **)(void *)&set_block_time = dlsym(runtime ? runtime : RTLD_DEFAULT, "kmp_set_blocktime");
    if (runtime) {
        (void)dlclose(runtime);
    }
    looked_up = true;
}

// starts the team, and with its end ends it
static void *hold_idle_team(void *threads)
{
    const int count = *(const int *)threads; // NOLINT(clang-analyzer-deadcode.DeadStores): the clause reads it
    int started = 0;                         // without an effect the compiler would leave the region out
#pragma omp parallel num_threads(count) reduction(+ : started)
    started++;

    // the runtime counts the threads of the team for as long as this thread exists
    (void)pthread_mutex_lock(&idle_lock);
    idle_present = started > 0;
    (void)pthread_cond_broadcast(&idle_changed);
    while (!idle_ends) {
        (void)pthread_cond_wait(&idle_changed, &idle_lock);
    }
    (void)pthread_mutex_unlock(&idle_lock);
    return NULL;
}

static void end_idle_team(void)
{
    if (idle_threads > 0) {
        (void)pthread_mutex_lock(&idle_lock);
        idle_ends = true;
        (void)pthread_cond_broadcast(&idle_changed);
        (void)pthread_mutex_unlock(&idle_lock);
        (void)pthread_join(idle_thread, NULL);
        idle_threads = 0;
    }
}

// Starts the team, so that with a team of `threads` there are more than the processors, and waits until it is there.
static void start_idle_team(int threads)
{
    const int missing = omp_get_num_procs() - threads + 2; // the runtime does not count the team's first thread
    if (missing <= idle_threads || missing < 2) {
        return;
    }
    end_idle_team();
    idle_threads = missing;
    idle_present = false;
    idle_ends = false;
    // its threads receive none of the program's signals
    sigset_t all;
    sigset_t old_mask;
    (void)sigfillset(&all);
    (void)pthread_sigmask(SIG_SETMASK, &all, &old_mask);
    const int failed = pthread_create(&idle_thread, NULL, hold_idle_team, &idle_threads);
    (void)pthread_sigmask(SIG_SETMASK, &old_mask, NULL);
    if (failed) {
        idle_threads = 0;
        return;
    }
    (void)pthread_mutex_lock(&idle_lock);
    while (!idle_present) {
        (void)pthread_cond_wait(&idle_changed, &idle_lock);
    }
    (void)pthread_mutex_unlock(&idle_lock);
}

static double processor_seconds(void)
{
    struct timespec time;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// time for which the calling thread was ready without a processor since its last call [s], 0 at its first; negative
// where the system does not count it
static double count_delay(void)
{
    static _Thread_local unsigned long long last_delay;
    static _Thread_local bool counted;
    char text[96] = "";
    const int file = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    const ssize_t size = file >= 0 ? read(file, text, sizeof text - 1) : 0;
    if (file >= 0) {
        (void)close(file);
    }
    unsigned long long delay = 0; // [ns]
    if (size <= 0 || sscanf(text, "%*u %llu", &delay) != 1) {
        return -1.0;
    }
    const double passed = counted ? 1e-9 * (double)(delay - last_delay) : 0.0;
    last_delay = delay;
    counted = true;
    return passed;
}

// the value of the thread of the team that had to wait longest
static double count_longest_delay(void)
{
    double longest = -1.0;
#pragma omp parallel reduction(max : longest)
    longest = count_delay();
    return longest;
}

// whether the team has the processors for itself, from the counters at both ends of a window
static bool is_alone(const Watch *from, const Watch *to, double delay, int threads)
{
    const double passed = to->start - from->start;
    if (delay >= 0.0) {
        return delay < most_delay * passed;
    }
    const double share = (to->processor - from->processor) / passed;
    const double rate = (double)(to->switches - from->switches) / passed;
    // a team that sleeps while it waits has the processors less of the time, and is interrupted when it wakes
    const bool sleeps = atomic_load(&brief);
    return share > (sleeps ? 0.7 : 0.9) && rate < (sleeps ? 40.0 * threads : 90.0 + 15.0 * threads);
}

// decides anew where the calling thread's window is over
static void watch_load(int threads)
{
    static _Thread_local Watch watch;
    const double now = brume_seconds();
    if (now - watch.start < window) {
        return;
    }
    const double delay = count_longest_delay();
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    Watch next = {now, processor_seconds(), usage.ru_nivcsw, 0};
    if (watch.start > 0.0) {
        next.quiet = is_alone(&watch, &next, delay, threads) ? watch.quiet + 1 : 0;
        atomic_store(&brief, next.quiet < quiet_windows);
    }
    watch = next;
}

void brume_adapt_waiting(void)
{
    const int threads = omp_get_max_threads();
    if (threads == 1 || pthread_mutex_trylock(&lock) != 0) {
        return;
    }
    if (!looked_up) {
        look_up_runtime();
    }
    if (!environment_decides) {
        const int chosen = atomic_load(&chosen_waiting);
        if (chosen == BRUME_WAITING_ADAPTIVE) {
            watch_load(threads);
        } else {
            atomic_store(&brief, chosen == BRUME_WAITING_BRIEF);
        }
        if (set_block_time) {
            set_block_time(atomic_load(&brief) ? 0 : llvm_block_time);
        } else if (atomic_load(&brief)) {
            start_idle_team(threads);
        } else {
            end_idle_team();
        }
    }
    (void)pthread_mutex_unlock(&lock);
}
