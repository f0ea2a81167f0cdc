/*
 * The child writes its result to an anonymous file in memory that both processes have open: its status with the text of
 * an error, then what the function writes. The parent reads it after the child has ended. A pipe would have to be read
 * while the child runs, and a killed child would leave a partial result in the parent.
 */
#define _GNU_SOURCE // memfd_create

#include "exchange/child_process.h"

#include "core/descriptor.h"
#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RESULT_NOT_WRITTEN = 122 }; // exit status of the child where the file of its result has no space

// What stands before the result.
typedef struct ChildStatus {
    bool complete; // the function has returned
    BrumeStatus status;
    BrumeError error;
} ChildStatus;

// -1 with errno where that fails
static int open_anonymous_file(void)
{
    int file = -1;
#ifdef MFD_CLOEXEC
    file = memfd_create("brume-frame", MFD_CLOEXEC);
#endif
    if (file < 0) {
        FILE *temporary = tmpfile();
        if (temporary) {
            file = fcntl(fileno(temporary), F_DUPFD_CLOEXEC, 0);
            (void)fclose(temporary);
        }
    }
    return file;
}

bool brume_child_write(int file, const void *bytes, size_t size) { return brume_write_all(file, bytes, size); }

bool brume_child_read(int file, void *bytes, size_t size)
{
    return brume_read_up_to(file, bytes, size) == (ssize_t)size;
}

/*
 * The child. A library that has no memory may call exit: HDF5 does. Exit handlers of other libraries would then wait
 * for threads that the child does not have, log4cplus, which OpenVDB needs, without end. So the handler that is
 * registered last ends the child.
 */

static bool in_child;
static bool handler_registered;
static pthread_once_t registration = PTHREAD_ONCE_INIT;

static void end_child(void)
{
    if (in_child) {
        _exit(EXIT_FAILURE);
    }
}

static void register_handler(void) { handler_registered = atexit(end_child) == 0; }

// Allocates no memory, so that the function makes the same allocations as it would in the parent: brume_hdf_lock tries
// the initialization of a library in this way.
static void limit_resources(int seconds)
{
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    (void)setrlimit(RLIMIT_CPU, &(struct rlimit){(rlim_t)seconds, (rlim_t)seconds + 5});
#ifndef BRUME_SANITIZED // a sanitizer reserves most of the address space
    const size_t memory = brume_physical_memory();
    char pages[64] = "";
    const int sizes =
        brume_open("/proc/self/statm", O_RDONLY | O_CLOEXEC); // its first number is the pages of this process
    if (sizes >= 0 && memory > 0 && brume_read_up_to(sizes, pages, sizeof pages - 1) > 0) {
        const rlim_t used = (rlim_t)strtoul(pages, NULL, 10) * (rlim_t)sysconf(_SC_PAGESIZE);
        const rlim_t limit = used + (rlim_t)memory;
        (void)setrlimit(RLIMIT_AS, &(struct rlimit){limit, limit});
    }
    if (sizes >= 0) {
        (void)close(sizes);
    }
#endif
    // where the memory of the machine runs out, the system ends this process and not its parent
    const int score = brume_open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (score >= 0) {
        (void)!write(score, "1000", 4);
        (void)close(score);
    }
}

static void restore_signals(void)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGTERM, SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGXCPU};
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++) {
        (void)signal(numbers[n], SIG_DFL);
    }
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);
}

static void discard_output(void)
{
    const int nowhere = brume_open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nowhere >= 0) {
        (void)dup2(nowhere, STDOUT_FILENO);
        (void)dup2(nowhere, STDERR_FILENO);
        (void)close(nowhere);
    }
}

static _Noreturn void run_child(const BrumeChildDef *def, int file, pid_t parent)
{
    in_child = true;
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(EXIT_FAILURE);
    }
    restore_signals();
    discard_output();
    limit_resources(def->seconds);
    ChildStatus result = {.complete = false};
    bool written = brume_child_write(file, &result, sizeof result);
    result.status = written ? def->function(def->context, file, &result.error)
                            : brume_out_of_memory(&result.error, "%s", def->path);
    result.complete = true;
    written = lseek(file, 0, SEEK_SET) == 0 && brume_child_write(file, &result, sizeof result);
    _exit(written ? EXIT_SUCCESS : RESULT_NOT_WRITTEN);
}

/*
 * The parent.
 */

static BrumeStatus fail_without_result(const BrumeChildDef *def, int ending, BrumeError *error)
{
    const char *path = def->path;
    const char *action = def->action;
    const char *library = def->library;
    if (WIFEXITED(ending) && WEXITSTATUS(ending) == RESULT_NOT_WRITTEN) {
        return brume_out_of_memory(error, "the contents of %s", path);
    }
    if (!WIFSIGNALED(ending)) {
        return brume_fail(error, def->crash, "%s: cannot be %s: %s ended the process with status %d", path, action,
                          library, WEXITSTATUS(ending));
    }
    const int number = WTERMSIG(ending);
    switch (number) {
    case SIGINT:
    case SIGTERM:
    case SIGHUP:
        return brume_fail(error, BRUME_INTERRUPTED, "%s: interrupted before it was %s", path, action);
    case SIGXCPU:
        return brume_fail(error, def->crash, "%s: cannot be %s: %s took more than %d s of processor time", path, action,
                          library, def->seconds);
    default:
        return brume_fail(error, def->crash, "%s: cannot be %s: %s ended with signal %d (%s%s)", path, action, library,
                          number, strsignal(number),
                          number == SIGKILL || def->crash == BRUME_FAILED ? "; memory may have run out" : "");
    }
}

BrumeStatus brume_child_run(int *file, const BrumeChildDef *def, BrumeError *error)
{
    *file = -1;
    (void)pthread_once(&registration, register_handler);
    if (!handler_registered) {
        return brume_out_of_memory(error, "%s", def->path);
    }
    const int result = open_anonymous_file();
    if (result < 0) {
        return brume_fail(error, BRUME_FAILED, "%s: cannot create a temporary file for it: %s", def->path,
                          strerror(errno));
    }
    BrumeStatus status;
    ChildStatus ended;
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
        run_child(def, result, parent);
    }
    int ending = 0;
    pid_t waited = child;
    while (child > 0 && (waited = waitpid(child, &ending, 0)) < 0 && errno == EINTR) {
    }
    if (child < 0 || waited < 0) {
        status = brume_fail(error, BRUME_FAILED, "%s: cannot run a process for it: %s", def->path, strerror(errno));
    } else if (!WIFEXITED(ending) || WEXITSTATUS(ending) != EXIT_SUCCESS || lseek(result, 0, SEEK_SET) != 0 ||
               !brume_child_read(result, &ended, sizeof ended) || !ended.complete) {
        status = fail_without_result(def, ending, error);
    } else if (ended.status == BRUME_OK) {
        *file = result;
        return BRUME_OK;
    } else {
        status = ended.status;
        if (error) {
            *error = ended.error;
        }
    }
    (void)close(result);
    return status;
}
