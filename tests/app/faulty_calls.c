/*
 * A library for LD_PRELOAD that lets calls of a program fail: the BRUME_FAULT_AT-th call (from 1) of the kind
 * BRUME_FAULT_CALL, and all later ones if BRUME_FAULT_STAYS is 1, fail with the errno BRUME_FAULT_ERRNO, or, with 0, a
 * write writes only its first byte. The kind `alloc` is all functions that allocate memory. The file BRUME_FAULT_MARK
 * is created when a call fails.
 */
#define _GNU_SOURCE // RTLD_NEXT, renameat2

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;

static long number(const char *variable)
{
    const char *text = getenv(variable);
    return text ? strtol(text, NULL, 10) : 0;
}

// whether this call is the one that fails; sets errno
static bool fails(const char *call)
{
    const char *chosen = getenv("BRUME_FAULT_CALL");
    if (!chosen || strcmp(chosen, call) != 0) {
        return false;
    }
    const long later = atomic_fetch_add(&calls, 1) + 1 - number("BRUME_FAULT_AT");
    if (later < 0 || (later > 0 && number("BRUME_FAULT_STAYS") == 0)) {
        return false;
    }
    const char *mark = getenv("BRUME_FAULT_MARK");
    const long file = mark ? syscall(SYS_openat, AT_FDCWD, mark, O_CREAT | O_WRONLY, 0666) : -1;
    if (file >= 0) {
        (void)syscall(SYS_close, file);
    }
    errno = (int)number("BRUME_FAULT_ERRNO");
    return true;
}

// the function that this library stands before; ISO C has no conversion from an object pointer
#define NEXT(type, name)                                                                                               \
    static type next;                                                                                                  \
    if (!next) {                                                                                                       \
        void *const symbol = dlsym(RTLD_NEXT, name);                                                                   \
        memcpy(&next, &symbol, sizeof next);                                                                           \
    }

// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name): the headers of the system use reserved names
int open(const char *path, int flags, ...)
{
    typedef int (*Open)(const char *, int, ...);
    NEXT(Open, "open")
    va_list rest;
    va_start(rest, flags);
    const unsigned mode = flags & O_CREAT ? va_arg(rest, unsigned) : 0;
    va_end(rest);
    return fails("open") ? -1 : next(path, flags, mode);
}

ssize_t write(int file, const void *bytes, size_t size)
{
    typedef ssize_t (*Write)(int, const void *, size_t);
    NEXT(Write, "write")
    if (fails("write")) {
        return errno == 0 ? next(file, bytes, size > 0 ? 1 : 0) : -1;
    }
    return next(file, bytes, size);
}

int fsync(int file)
{
    typedef int (*Fsync)(int);
    NEXT(Fsync, "fsync")
    return fails("fsync") ? -1 : next(file);
}

int rename(const char *from, const char *to)
{
    typedef int (*Rename)(const char *, const char *);
    NEXT(Rename, "rename")
    return fails("rename") ? -1 : next(from, to);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    typedef int (*Rename)(int, const char *, int, const char *, unsigned);
    NEXT(Rename, "renameat2")
    return fails("rename") ? -1 : next(from_folder, from, to_folder, to, flags);
}

int mkdir(const char *path, mode_t mode)
{
    typedef int (*Mkdir)(const char *, mode_t);
    NEXT(Mkdir, "mkdir")
    return fails("mkdir") ? -1 : next(path, mode);
}

// the file is closed in any case, as Linux does
int close(int file)
{
    typedef int (*Close)(int);
    NEXT(Close, "close")
    const int result = next(file);
    return fails("close") ? -1 : result;
}

ssize_t read(int file, void *bytes, size_t size)
{
    typedef ssize_t (*Read)(int, void *, size_t);
    NEXT(Read, "read")
    return fails("read") ? -1 : next(file, bytes, size);
}

/*
 * The allocator of glibc by its other names: dlsym may itself allocate.
 */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *memory, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

void *malloc(size_t size) { return fails("alloc") ? NULL : __libc_malloc(size); }

void *calloc(size_t count, size_t size) { return fails("alloc") ? NULL : __libc_calloc(count, size); }

void *realloc(void *memory, size_t size) { return fails("alloc") ? NULL : __libc_realloc(memory, size); }

void *aligned_alloc(size_t alignment, size_t size) { return fails("alloc") ? NULL : __libc_memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    *memory = fails("alloc") ? NULL : __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
