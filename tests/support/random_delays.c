/*
 * A library for LD_PRELOAD that delays the threads of a program at random moments: each call of pthread_mutex_lock
 * waits before it with a probability of one in BRUME_DELAY_EVERY (20), each call of pthread_mutex_unlock after it, for
 * up to BRUME_DELAY_US microseconds (3000). Calls of libraries are not delayed: calls of X, of the C++ library and of
 * OpenGL have so many that a window would not open for minutes. So threads interleave that a computer at rest almost
 * never shows, as the delays of a computer with much other work. The delays of a thread follow from BRUME_DELAY_SEED
 * (1) and from its place in the order in which threads first come to a mutex.
 */
#define _GNU_SOURCE // RTLD_NEXT

#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include "next_function.h"

typedef int Function(pthread_mutex_t *mutex);

static uint64_t number(const char *variable, uint64_t otherwise)
{
    const char *text = getenv(variable);
    return text ? strtoull(text, NULL, 10) : otherwise;
}

// xorshift64 (Marsaglia 2003, "Xorshift RNGs")
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static uintptr_t program_begin, program_end; // its addresses in memory

static int find_program(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size;
    (void)context;
    for (int n = 0; n < info->dlpi_phnum; n++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[n];
        if (header->p_type == PT_LOAD && (header->p_flags & PF_X) != 0) {
            program_begin = info->dlpi_addr + header->p_vaddr;
            program_end = program_begin + header->p_memsz;
        }
    }
    return 1; // the program is the first of all
}

__attribute__((constructor)) static void find_addresses(void) { (void)dl_iterate_phdr(find_program, NULL); }

static bool is_of_program(const void *address)
{
    return (uintptr_t)address >= program_begin && (uintptr_t)address < program_end;
}

static void delay(const void *caller)
{
    if (!is_of_program(caller)) {
        return;
    }
    static atomic_uint_fast64_t threads;
    static _Thread_local uint64_t state, every, longest;
    if (state == 0) {
        const uint64_t thread = atomic_fetch_add(&threads, 1) + 1;
        state = (number("BRUME_DELAY_SEED", 1) + 1) * 0x9e3779b97f4a7c15u + thread * 0xbf58476d1ce4e5b9u;
        every = number("BRUME_DELAY_EVERY", 20);
        longest = number("BRUME_DELAY_US", 3000);
        state |= 1;
    }
    const uint64_t random = next_random(&state) >> 16;
    if (every > 0 && random % every == 0) {
        const uint64_t us = longest > 0 ? (random >> 20) % longest : 0;
        const struct timespec duration = {.tv_sec = (time_t)(us / 1000000), .tv_nsec = (long)(us % 1000000 * 1000)};
        (void)nanosleep(&duration, NULL);
    }
}

int pthread_mutex_lock(pthread_mutex_t *mutex)
{
    NEXT(Function *, "pthread_mutex_lock")
    delay(__builtin_return_address(0));
    return next(mutex);
}

int pthread_mutex_unlock(pthread_mutex_t *mutex)
{
    NEXT(Function *, "pthread_mutex_unlock")
    const int result = next(mutex);
    delay(__builtin_return_address(0));
    return result;
}
