#include "held_thread.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHECKS = 6000, SLEEPING_CHECKS = 5, CHECK_MICROSECONDS = 10000 };

// whether a thread has this name; `*sleeps`: it waits in the system
static bool has_name(pid_t process, pid_t thread, const char *name, bool *sleeps)
{
    char path[64];
    char found[64] = "";
    char state = '?';
    (void)snprintf(path, sizeof path, "/proc/%d/task/%d/stat", (int)process, (int)thread);
    FILE *file = fopen(path, "r");
    if (!file) {
        return false; // it has ended
    }
    const int count = fscanf(file, "%*d (%63[^)]) %c", found, &state);
    (void)fclose(file);
    *sleeps = state == 'S';
    return count == 2 && strcmp(found, name) == 0;
}

// the threads of this name; returns whether all sleep
static bool find_threads(pid_t process, const char *name, HeldThreads *threads)
{
    char path[64];
    bool all_sleep = true;
    threads->count = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        const pid_t thread = (pid_t)strtol(entry->d_name, NULL, 10);
        bool sleeps = false;
        if (thread > 0 && threads->count < MAX_HELD_THREADS && has_name(process, thread, name, &sleeps)) {
            threads->ids[threads->count++] = thread;
            all_sleep = all_sleep && sleeps;
        }
    }
    (void)closedir(folder);
    return all_sleep && threads->count > 0;
}

HeldThreads hold_threads(pid_t process, const char *name)
{
    HeldThreads threads = {0};
    int sleeping = 0; // checks in a row
    for (int n = 0; n < CHECKS && sleeping < SLEEPING_CHECKS; n++) {
        sleeping = find_threads(process, name, &threads) ? sleeping + 1 : 0;
        (void)usleep(CHECK_MICROSECONDS);
    }
    if (sleeping < SLEEPING_CHECKS) {
        fail_msg("no threads '%s' that sleep", name);
    }
    for (int n = 0; n < threads.count; n++) {
        int status;
        if (ptrace(PTRACE_SEIZE, threads.ids[n], NULL, NULL) != 0) {
            print_message("threads cannot be held: %s\n", strerror(errno));
            threads.count = n;
            release_threads(&threads);
            return threads;
        }
        assert_int_equal(ptrace(PTRACE_INTERRUPT, threads.ids[n], NULL, NULL), 0);
        assert_int_equal(waitpid(threads.ids[n], &status, __WALL), threads.ids[n]);
    }
    return threads;
}

void release_threads(HeldThreads *threads)
{
    for (int n = 0; n < threads->count; n++) {
        if (ptrace(PTRACE_DETACH, threads->ids[n], NULL, NULL) != 0) {
            (void)waitpid(threads->ids[n], NULL, __WALL | WNOHANG); // it was ended with its process
        }
    }
    threads->count = 0;
}
