#define _GNU_SOURCE // sched_getaffinity, CPU_ISSET and pthread_setname_np

#include "core/parallel/threads.h"

#include "core/control_group.h"

#include <errno.h>
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

// added to the niceness: such a thread gets half of the time of one of normal priority that competes with it for a core
static const int BACKGROUND_NICENESS = 3;

// whether `cpu` is the first hardware thread of its core that this process may run on, so that each core counts once
static int is_first_of_core(int cpu, const cpu_set_t *allowed)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu);
    FILE *file = fopen(path, "r");
    if (!file) {
        return 1;
    }
    int first = 1;
    int from = 0;
    int to = 0;
    int separator = 0;
    while (first && fscanf(file, "%d", &from) == 1) {
        to = from;
        separator = fgetc(file);
        if (separator == '-') {
            if (fscanf(file, "%d", &to) != 1) {
                break;
            }
            separator = fgetc(file);
        }
        for (int sibling = from; sibling <= to && sibling < cpu; sibling++) {
            first = first && !CPU_ISSET((size_t)sibling, allowed);
        }
        if (separator != ',') {
            break;
        }
    }
    (void)fclose(file);
    return first;
}

int brume_most_threads(void)
{
    const int threads = omp_get_max_threads();
    const int processors = omp_get_num_procs();
    return threads > processors ? threads : processors;
}

int brume_physical_cores(void)
{
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        return omp_get_num_procs();
    }
    int cores = 0;
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        cores += CPU_ISSET((size_t)cpu, &allowed) && is_first_of_core(cpu, &allowed);
    }
    const double most = ceil(brume_group_limits().processors);
    cores = most < cores ? (int)most : cores;
    return cores > 0 ? cores : 1;
}

int brume_choose_threads(int wanted)
{
    if (wanted > 0) {
        return wanted;
    }
    return getenv("OMP_NUM_THREADS") ? omp_get_max_threads() : brume_physical_cores();
}

void brume_set_threads(int count)
{
    omp_set_dynamic(0);
    omp_set_num_threads(count);
}

int brume_get_threads(void) { return omp_get_max_threads(); }

void brume_lower_priority(void)
{
    // on Linux each thread has its own niceness, which the threads that it starts inherit
    const id_t thread = (id_t)syscall(SYS_gettid);
    errno = 0;
    const int present = getpriority(PRIO_PROCESS, thread);
    if (errno == 0) {
        (void)setpriority(PRIO_PROCESS, thread, present + BACKGROUND_NICENESS);
    }
}

void brume_name_threads(const char *name)
{
    // on Linux the threads that a thread starts inherit its name
    (void)pthread_setname_np(pthread_self(), name);
}
