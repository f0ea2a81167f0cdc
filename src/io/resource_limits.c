#include "io/resource_limits.h"

#include "core/memory.h"

#include <sys/resource.h>

// A leaf of OpenVDB of 512 values takes at least 130 bytes in a file; the values of EXR and HDF5 files are admitted
// apart.
static const double memory_per_byte = 128.0;
static const double small_memory = 128e6;      // [bytes]
static const double read_bytes_second = 500e3; // the slowest that is seen is ten times as fast
static const double value_bytes_second = 10e6;
#ifdef BRUME_SANITIZED
static const double small_seconds = 20.0;
#else
static const double small_seconds = 1.0;
#endif
static const double writing_seconds = 10.0; // compression

static bool is_limited;
static double allowed_seconds; // of processor time, from the start of the process on
static double allowed_space;   // of the address space [bytes]; 0: not limited
static double initial_space;   // the address space when the limit was set [bytes]
static double failed_bytes;    // the largest allocation that has failed since [bytes]

static double used_seconds(void)
{
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
                                                     1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec)
                                               : 0.0;
}

static const char status_file[] = "/proc/self/status";

// sets the soft limits alone, which the next file may raise
static void apply_limits(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_CPU, &limit) == 0) {
        limit.rlim_cur =
            (rlim_t)(allowed_seconds + 1.0) < limit.rlim_max ? (rlim_t)(allowed_seconds + 1.0) : limit.rlim_max;
        (void)setrlimit(RLIMIT_CPU, &limit);
    }
#ifndef BRUME_SANITIZED // a sanitizer reserves most of the address space
    if (allowed_space > 0.0 && getrlimit(RLIMIT_AS, &limit) == 0) {
        limit.rlim_cur = (rlim_t)allowed_space < limit.rlim_max ? (rlim_t)allowed_space : limit.rlim_max;
        (void)setrlimit(RLIMIT_AS, &limit);
    }
#endif
}

void brume_limit_reading(size_t file_size)
{
    initial_space = (double)brume_kernel_bytes(status_file, "VmSize:");
    failed_bytes = 0.0;
    is_limited = true;
    allowed_seconds = used_seconds() + small_seconds + (double)file_size / read_bytes_second;
    allowed_space = initial_space > 0.0 ? initial_space + small_memory + memory_per_byte * (double)file_size : 0.0;
    apply_limits();
}

void brume_limit_writing(size_t values_size)
{
    initial_space = (double)brume_kernel_bytes(status_file, "VmSize:");
    is_limited = true;
    allowed_seconds = used_seconds() + writing_seconds * small_seconds + (double)values_size / read_bytes_second;
    allowed_space = initial_space > 0.0 ? initial_space + (double)brume_physical_memory() : 0.0;
    apply_limits();
}

bool brume_allows_allocation(size_t size)
{
    return !is_limited || allowed_space <= 0.0 || (double)size <= allowed_space - initial_space;
}

void brume_note_failed_allocation(size_t size)
{
    failed_bytes = (double)size > failed_bytes ? (double)size : failed_bytes;
}

BrumeStatus brume_fail_reading_memory(const char *path, BrumeError *error)
{
    const double allowed = allowed_space - initial_space;
    const double peak = (double)brume_kernel_bytes(status_file, "VmPeak:") - initial_space;
    const double most = peak > failed_bytes ? peak : failed_bytes;
    // the library may have been about to double a buffer
    if (is_limited && allowed_space > 0.0 && most > 0.5 * allowed) {
        return brume_fail(error, BRUME_BAD_INPUT,
                          "%s: is damaged: reading it takes more than the %.0f MB that a file of its size can need",
                          path, allowed * 1e-6);
    }
    return brume_out_of_memory(error, "%s", path);
}

BrumeStatus brume_admit_values(double bytes, const char *path, const char *what, BrumeError *error)
{
    const double available = (double)brume_available_memory();
    if (available > 0.0 && bytes > available) {
        return brume_fail(error, BRUME_FAILED, "%s: its %s need %.1f GB of memory, but only %.1f GB are available",
                          path, what, bytes * 1e-9, available * 1e-9);
    }
    if (is_limited) {
        allowed_seconds += small_seconds * bytes / value_bytes_second;
        allowed_space += allowed_space > 0.0 ? 2.0 * bytes : 0.0; // the values, and the data that they are decoded from
        apply_limits();
    }
    return BRUME_OK;
}
