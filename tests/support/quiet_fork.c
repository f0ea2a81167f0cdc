// Linked into programs that are built with the address sanitizer and read files in child processes. The sanitizer of
// GCC 12 does not prepare its locks for fork: where another thread allocates memory at that moment, the child waits for
// its lock without end. A library that OpenVDB needs, log4cplus, starts four threads before main, which on a loaded
// computer still allocate when the first file is read. So fork waits until all other threads sleep, two seconds at
// most. The C library itself needs nothing of the kind.

#include <dirent.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// the state of a thread in /proc: 'R' runs or wants to run, 'D' waits for a device, 'S' sleeps
static char state_of(const char *thread)
{
    char path[64];
    char text[512] = "";
    (void)snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", thread);
    FILE *file = fopen(path, "r");
    if (!file) {
        return 'S'; // it has ended
    }
    const size_t size = fread(text, 1, sizeof text - 1, file);
    (void)fclose(file);
    text[size] = '\0';
    const char *name_end = strrchr(text, ')');
    return name_end && name_end[1] == ' ' ? name_end[2] : 'S';
}

static bool others_sleep(void)
{
    DIR *threads = opendir("/proc/self/task");
    bool sleep = true;
    for (const struct dirent *entry; threads && sleep && (entry = readdir(threads)) != NULL;) {
        if (entry->d_name[0] != '.' && (pid_t)strtol(entry->d_name, NULL, 10) != (pid_t)syscall(SYS_gettid)) {
            const char state = state_of(entry->d_name);
            sleep = state != 'R' && state != 'D';
        }
    }
    if (threads) {
        (void)closedir(threads);
    }
    return sleep;
}

static void wait_for_others(void)
{
    int quiet = 0;
    for (int n = 0; n < 2000 && quiet < 3; n++) {
        quiet = others_sleep() ? quiet + 1 : 0;
        (void)usleep(1000);
    }
}

__attribute__((constructor)) static void register_fork_handler(void)
{
    (void)pthread_atfork(wait_for_others, NULL, NULL);
}
