#include "app/bench/machine.h"

#include "core/error.h"
#include "core/memory.h"
#include "core/parallel/clock.h"
#include "core/parallel/threads.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

static void read_cpu_model(char *model, size_t size)
{
    (void)snprintf(model, size, "unknown CPU");
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (colon && strncmp(line, "model name", 10) == 0) {
            const char *name = colon + 1 + strspn(colon + 1, " \t");
            (void)snprintf(model, size, "%.*s", (int)strcspn(name, "\n"), name);
            break;
        }
    }
    if (file) {
        (void)fclose(file);
    }
}

static int read_cache_text(int index, const char *name, char *text, int size)
{
    char path[96];
    (void)snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", index, name);
    FILE *file = fopen(path, "r");
    if (!file) {
        return 0;
    }
    const int read = fgets(text, size, file) != NULL;
    (void)fclose(file);
    text[read ? strcspn(text, "\n") : 0] = '\0';
    return read;
}

static void read_caches(BrumeMachine *machine)
{
    for (int index = 0; index < 8; index++) {
        char level[8];
        char type[32];
        char size[32];
        unsigned long kilobytes = 0;
        if (!read_cache_text(index, "level", level, sizeof level) ||
            !read_cache_text(index, "type", type, sizeof type) || !read_cache_text(index, "size", size, sizeof size) ||
            sscanf(size, "%luK", &kilobytes) != 1 || strcmp(type, "Instruction") == 0) {
            continue;
        }
        const size_t used = strlen(machine->caches);
        (void)snprintf(machine->caches + used, sizeof machine->caches - used, "%sL%s%s %lu KiB", used ? ", " : "",
                       level, strcmp(type, "Data") == 0 ? "d" : "", kilobytes);
        machine->last_cache = kilobytes * 1024;
    }
    if (!machine->caches[0]) {
        (void)snprintf(machine->caches, sizeof machine->caches, "unknown caches");
    }
}

static const char *widest_vectors(void)
{
#if defined(__x86_64__) && defined(__linux__) && !defined(BRUME_SANITIZED)
    __builtin_cpu_init();
    return __builtin_cpu_supports("avx2") ? "AVX2" : "SSE2";
#else
    return "the compiler's default";
#endif
}

double brume_machine_load(void)
{
    double load;
    return getloadavg(&load, 1) == 1 ? load : -1.0;
}

BrumeMachine brume_machine(void)
{
    BrumeMachine machine = {
        .cores = brume_physical_cores(),
        .processors = omp_get_num_procs(),
        .memory = brume_physical_memory(),
        .flags = BRUME_BUILD_FLAGS,
        .vectors = widest_vectors(),
    };
    read_cpu_model(machine.cpu, sizeof machine.cpu);
    read_caches(&machine);
    struct utsname name;
    if (uname(&name) == 0) {
        (void)snprintf(machine.os, sizeof machine.os, "%.60s %.60s %.60s", name.sysname, name.release, name.machine);
    } else {
        (void)snprintf(machine.os, sizeof machine.os, "unknown system");
    }
#if defined(__clang__)
    (void)snprintf(machine.compiler, sizeof machine.compiler, "clang %s", __clang_version__);
#elif defined(__GNUC__)
    (void)snprintf(machine.compiler, sizeof machine.compiler, "gcc %s", __VERSION__);
#else
    (void)snprintf(machine.compiler, sizeof machine.compiler, "unknown compiler");
#endif
    return machine;
}

enum { MIN_PASSES = 10, MAX_PASSES = 2000 };

static const double min_seconds = 0.05; // total time of the passes, so that short passes are repeated more often

size_t brume_triad_array(size_t last_cache)
{
    const size_t min_bytes = (size_t)64 << 20;
    const size_t max_bytes = brume_physical_memory() / 12;
    const size_t bytes = 4 * last_cache > min_bytes ? 4 * last_cache : min_bytes;
    return max_bytes > 0 && bytes > max_bytes ? max_bytes : bytes;
}

static double time_triad(double *restrict a, const double *restrict b, const double *restrict c, ptrdiff_t entries)
{
    const double scale = 3.0;
    const double start = brume_seconds();
#pragma omp parallel for schedule(static)
    for (ptrdiff_t i = 0; i < entries; i++) {
        a[i] = b[i] + scale * c[i];
    }
    return brume_seconds() - start;
}

BrumeStatus brume_measure_triad(int threads, size_t array, double *rate, BrumeError *error)
{
    const ptrdiff_t entries = (ptrdiff_t)(array / sizeof(double));
    double *a = brume_alloc_untouched((size_t)entries, sizeof *a);
    double *b = brume_alloc_untouched((size_t)entries, sizeof *b);
    double *c = brume_alloc_untouched((size_t)entries, sizeof *c);
    BrumeStatus status = BRUME_OK;
    if (!a || !b || !c) {
        status = brume_out_of_memory(error, "the triad's arrays");
        goto cleanup;
    }
    brume_set_threads(threads);
#pragma omp parallel for schedule(static)
    for (ptrdiff_t i = 0; i < entries; i++) {
        a[i] = 0.0;
        b[i] = 1.0;
        c[i] = 2.0;
    }
    double best = 0.0;
    double total = 0.0;
    for (int n = 0; n < MIN_PASSES || (total < min_seconds && n < MAX_PASSES); n++) {
        const double seconds = time_triad(a, b, c, entries);
        best = n == 0 || seconds < best ? seconds : best;
        total += seconds;
    }
    *rate = 3.0 * sizeof(double) * (double)entries / best;
cleanup:
    brume_free(a);
    brume_free(b);
    brume_free(c);
    return status;
}
