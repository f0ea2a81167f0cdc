/*
 * A library for LD_PRELOAD that lets calls of a program fail: the BRUME_FAULT_AT-th call (from 1) of the kind
 * BRUME_FAULT_CALL, and all later ones if BRUME_FAULT_STAYS is 1, fail with the errno BRUME_FAULT_ERRNO. With 0, a call
 * that reads or writes transfers its first byte alone. The file BRUME_FAULT_MARK is created when a call fails.
 *
 * A kind is the name of a function of the system and stands for its variants too: `write` for `pwrite`, `open` for
 * `fopen`, `stat` for `lstat`. The kind `alloc` is all functions that allocate memory. Calls within the C library
 * are not seen, for example those of stdio, and those before `main` neither, where libraries initialize themselves.
 *
 * With BRUME_FREE_BYTES, `statvfs` reports so many free bytes, and BRUME_FREE_STEP less at each call; with a negative
 * number, a file system that does not know its size.
 */
#define _GNU_SOURCE // RTLD_NEXT, renameat2, and the functions with 64-bit offsets

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "next_function.h"

static atomic_long calls;
static bool in_main; // set before the program has a second thread

static long number(const char *variable)
{
    const char *text = getenv(variable);
    return text ? strtol(text, NULL, 10) : 0;
}

// whether this call is the one that fails; sets errno
static bool fails(const char *call)
{
    const char *chosen = in_main ? getenv("BRUME_FAULT_CALL") : NULL;
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

typedef int Main(int argc, char **argv, char **environment);
typedef void Hook(void);
static Main *program;

static int run_program(int argc, char **argv, char **environment)
{
    in_main = true;
    return program(argc, argv, environment);
}

// the headers of the system use reserved names; arguments of the macros are lists of parameters
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,bugprone-macro-parentheses)

// what the start of every program calls
int __libc_start_main(Main *main, int argc, char **argv, Hook *start, Hook *end, Hook *linker_end, void *stack);
int __libc_start_main(Main *main, int argc, char **argv, Hook *start, Hook *end, Hook *linker_end, void *stack)
{
    typedef int (*Start)(Main *, int, char **, Hook *, Hook *, Hook *, void *);
    NEXT(Start, "__libc_start_main")
    program = main;
    return next(run_program, argc, argv, start, end, linker_end, stack);
}

// a function that fails with `failure`, where `parameters` and `arguments` are its lists with parentheses
#define FAILING(kind, failure, result, name, parameters, arguments)                                                    \
    result name parameters                                                                                             \
    {                                                                                                                  \
        typedef result(*Function) parameters;                                                                          \
        NEXT(Function, #name)                                                                                          \
        return fails(kind) ? (failure) : next arguments;                                                               \
    }

// one that transfers bytes, or the first of them
#define TRANSFERRING(kind, name, parameters, arguments, first)                                                         \
    ssize_t name parameters                                                                                            \
    {                                                                                                                  \
        typedef ssize_t(*Function) parameters;                                                                         \
        NEXT(Function, #name)                                                                                          \
        if (!fails(kind)) {                                                                                            \
            return next arguments;                                                                                     \
        }                                                                                                              \
        return errno == 0 && size > 0 ? next first : -1;                                                               \
    }

// one that opens a file, with the mode of a new one as an optional argument
#define OPENING(name)                                                                                                  \
    int name(const char *path, int flags, ...)                                                                         \
    {                                                                                                                  \
        typedef int (*Function)(const char *, int, ...);                                                               \
        NEXT(Function, #name)                                                                                          \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        const unsigned mode = flags & O_CREAT ? va_arg(rest, unsigned) : 0;                                            \
        va_end(rest);                                                                                                  \
        return fails("open") ? -1 : next(path, flags, mode);                                                           \
    }

OPENING(open)
OPENING(open64)
FAILING("open", NULL, FILE *, fopen, (const char *path, const char *mode), (path, mode))
FAILING("open", NULL, FILE *, fopen64, (const char *path, const char *mode), (path, mode))

TRANSFERRING("read", read, (int file, void *bytes, size_t size), (file, bytes, size), (file, bytes, 1))
TRANSFERRING("read", pread, (int file, void *bytes, size_t size, off_t at), (file, bytes, size, at),
             (file, bytes, 1, at))
TRANSFERRING("write", write, (int file, const void *bytes, size_t size), (file, bytes, size), (file, bytes, 1))
TRANSFERRING("write", pwrite, (int file, const void *bytes, size_t size, off_t at), (file, bytes, size, at),
             (file, bytes, 1, at))

FAILING("fsync", -1, int, fsync, (int file), (file))
FAILING("ftruncate", -1, int, ftruncate, (int file, off_t size), (file, size))
FAILING("lseek", -1, off_t, lseek, (int file, off_t offset, int origin), (file, offset, origin))
FAILING("fstat", -1, int, fstat, (int file, struct stat *about), (file, about))
FAILING("flock", -1, int, flock, (int file, int operation), (file, operation))
FAILING("mmap", MAP_FAILED, void *, mmap, (void *at, size_t size, int protection, int flags, int file, off_t offset),
        (at, size, protection, flags, file, offset))
FAILING("memfd_create", -1, int, memfd_create, (const char *name, unsigned flags), (name, flags))

FAILING("rename", -1, int, rename, (const char *from, const char *to), (from, to))
FAILING("renameat2", -1, int, renameat2,
        (int from_folder, const char *from, int to_folder, const char *to, unsigned flags),
        (from_folder, from, to_folder, to, flags))
FAILING("link", -1, int, link, (const char *from, const char *to), (from, to))
FAILING("unlink", -1, int, unlink, (const char *path), (path))
FAILING("unlink", -1, int, unlinkat, (int folder, const char *path, int flags), (folder, path, flags))
FAILING("mkdir", -1, int, mkdir, (const char *path, mode_t mode), (path, mode))
FAILING("rmdir", -1, int, rmdir, (const char *path), (path))
FAILING("opendir", NULL, DIR *, opendir, (const char *path), (path))
FAILING("readdir", NULL, struct dirent *, readdir, (DIR * folder), (folder))
FAILING("stat", -1, int, stat, (const char *path, struct stat *about), (path, about))
FAILING("stat", -1, int, lstat, (const char *path, struct stat *about), (path, about))
FAILING("access", -1, int, access, (const char *path, int mode), (path, mode))
FAILING("realpath", NULL, char *, realpath, (const char *path, char *resolved), (path, resolved))

FAILING("spawn", errno, int, posix_spawn,
        (pid_t * child, const char *path, const posix_spawn_file_actions_t *files, const posix_spawnattr_t *attributes,
         char *const *arguments, char *const *environment),
        (child, path, files, attributes, arguments, environment))
FAILING("socketpair", -1, int, socketpair, (int domain, int type, int protocol, int ends[2]),
        (domain, type, protocol, ends))
FAILING("poll", -1, int, poll, (struct pollfd * files, nfds_t count, int milliseconds), (files, count, milliseconds))
FAILING("sendmsg", -1, ssize_t, sendmsg, (int socket, const struct msghdr *message, int flags),
        (socket, message, flags))
FAILING("recv", -1, ssize_t, recv, (int socket, void *bytes, size_t size, int flags), (socket, bytes, size, flags))
FAILING("waitpid", -1, pid_t, waitpid, (pid_t child, int *status, int options), (child, status, options))
FAILING("pthread_create", errno, int, pthread_create,
        (pthread_t * thread, const pthread_attr_t *attributes, void *(*start)(void *), void *context),
        (thread, attributes, start, context))

// the file is closed in any case, as Linux does
int close(int file)
{
    typedef int (*Close)(int);
    NEXT(Close, "close")
    const int result = next(file);
    return fails("close") ? -1 : result;
}

int statvfs(const char *path, struct statvfs *space)
{
    static atomic_long examined;
    typedef int (*Statvfs)(const char *, struct statvfs *);
    NEXT(Statvfs, "statvfs")
    const int result = next(path, space);
    if (result == 0 && getenv("BRUME_FREE_BYTES")) {
        const long all = number("BRUME_FREE_BYTES");
        const long left = all - atomic_fetch_add(&examined, 1) * number("BRUME_FREE_STEP");
        space->f_frsize = 1;
        space->f_bavail = left > 0 ? (fsblkcnt_t)left : 0;
        space->f_blocks = all < 0 ? 0 : 1000000000;
    }
    return result;
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

void *memalign(size_t alignment, size_t size) { return fails("alloc") ? NULL : __libc_memalign(alignment, size); }

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    *memory = fails("alloc") ? NULL : __libc_memalign(alignment, size);
    return *memory ? 0 : ENOMEM;
}
// NOLINTEND(readability-inconsistent-declaration-parameter-name,bugprone-macro-parentheses)
