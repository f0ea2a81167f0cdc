/*
 * The child writes its result to an anonymous file in memory that both processes have open: a header, the text of the
 * scene, then the values of each grid. The parent reads it after the child has ended. A pipe would have to be read
 * while the child runs, and a killed child would leave a partial frame in the parent.
 */
#define _GNU_SOURCE // memfd_create

#include "exchange/child_reader.h"

#include "core/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// What the child writes first. The pointers in `frame` have no meaning in the parent.
typedef struct ChildHeader {
    BrumeStatus status;
    BrumeError error;
    BrumeFrameGrids frame;
    size_t scene_size; // with the final 0; 0 without a scene
} ChildHeader;

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

static bool write_bytes(int file, const void *bytes, size_t size)
{
    for (const char *next = bytes; size > 0;) {
        const ssize_t written = write(file, next, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            return false;
        }
        next += written;
        size -= (size_t)written;
    }
    return true;
}

static bool read_bytes(int file, void *bytes, size_t size)
{
    for (char *next = bytes; size > 0;) {
        const ssize_t count = read(file, next, size);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return false;
        }
        next += count;
        size -= (size_t)count;
    }
    return true;
}

/*
 * The child.
 */

static void limit_resources(int seconds)
{
    (void)setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    (void)setrlimit(RLIMIT_CPU, &(struct rlimit){(rlim_t)seconds, (rlim_t)seconds + 5});
#ifndef BRUME_SANITIZED // a sanitizer reserves most of the address space
    const size_t memory = brume_physical_memory();
    FILE *sizes = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    if (sizes && memory > 0 && fscanf(sizes, "%lu", &pages) == 1) {
        const rlim_t limit = (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE) + (rlim_t)memory;
        (void)setrlimit(RLIMIT_AS, &(struct rlimit){limit, limit});
    }
    if (sizes) {
        (void)fclose(sizes);
    }
#endif
    // where the memory of the machine runs out, the system ends this process and not its parent
    const int score = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
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
    const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (nowhere >= 0) {
        (void)dup2(nowhere, STDOUT_FILENO);
        (void)dup2(nowhere, STDERR_FILENO);
        (void)close(nowhere);
    }
}

static bool write_result(int file, ChildHeader *header)
{
    BrumeFrameGrids *frame = &header->frame;
    header->scene_size = header->status == BRUME_OK && frame->scene_text ? strlen(frame->scene_text) + 1 : 0;
    bool written =
        write_bytes(file, header, sizeof *header) && write_bytes(file, frame->scene_text, header->scene_size);
    for (int n = 0; written && header->status == BRUME_OK && n < frame->count; n++) {
        BrumeFrameGrid *grid = &frame->grids[n];
        written = write_bytes(file, grid->values, brume_frame_grid_values(frame->cells, grid) * sizeof(float));
        brume_free(grid->values); // the anonymous file is memory too
        grid->values = NULL;
    }
    return written;
}

static _Noreturn void run_child(int file, int seconds, const char *path, BrumeReadFunction *read, pid_t parent)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(EXIT_FAILURE);
    }
    restore_signals();
    discard_output();
    limit_resources(seconds);
    static ChildHeader header;
    header.status = read(&header.frame, path, &header.error);
    if (!write_result(file, &header)) {
        ChildHeader failure = {0};
        failure.status = brume_out_of_memory(&failure.error, "the grids of %s", path);
        if (ftruncate(file, 0) != 0 || lseek(file, 0, SEEK_SET) != 0 || !write_result(file, &failure)) {
            _exit(EXIT_FAILURE);
        }
    }
    _exit(EXIT_SUCCESS);
}

/*
 * The parent.
 */

static BrumeStatus fail_without_result(int ending, int seconds, const char *path, const char *library,
                                       BrumeError *error)
{
    if (!WIFSIGNALED(ending)) {
        return brume_fail(error, BRUME_BAD_INPUT, "%s: cannot be read: %s ended the process with status %d", path,
                          library, WEXITSTATUS(ending));
    }
    const int number = WTERMSIG(ending);
    switch (number) {
    case SIGINT:
    case SIGTERM:
    case SIGHUP:
        return brume_fail(error, BRUME_INTERRUPTED, "%s: reading was interrupted", path);
    case SIGXCPU:
        return brume_fail(error, BRUME_BAD_INPUT, "%s: cannot be read: %s took more than %d s of processor time", path,
                          library, seconds);
    default:
        return brume_fail(error, BRUME_BAD_INPUT, "%s: cannot be read: %s ended with signal %d (%s%s)", path, library,
                          number, strsignal(number), number == SIGKILL ? "; memory may have run out" : "");
    }
}

static BrumeStatus copy_frame(BrumeFrameGrids *frame, const ChildHeader *header, int file, const char *path,
                              BrumeError *error)
{
    const BrumeFrameGrids *source = &header->frame;
    frame->cells = source->cells;
    frame->dx = source->dx;
    memcpy(frame->origin, source->origin, sizeof frame->origin);
    frame->frame = source->frame;
    frame->time = source->time;
    if (header->scene_size > 0) {
        frame->scene_text = brume_alloc_untouched(header->scene_size, 1);
        if (!frame->scene_text) {
            return brume_out_of_memory(error, "the scene of %s", path);
        }
        if (!read_bytes(file, frame->scene_text, header->scene_size)) {
            return brume_fail(error, BRUME_FAILED, "%s: the result of reading it is incomplete", path);
        }
    }
    for (int n = 0; n < source->count; n++) {
        const BrumeFrameGrid *grid = &source->grids[n];
        BrumeFrameGrid *copy = NULL;
        const BrumeStatus status =
            brume_frame_grids_add(frame, grid->name, grid->unit, grid->components, grid->location, &copy, error);
        if (status != BRUME_OK) {
            return status;
        }
        if (!read_bytes(file, copy->values, brume_frame_grid_values(frame->cells, copy) * sizeof(float))) {
            return brume_fail(error, BRUME_FAILED, "%s: the result of reading it is incomplete", path);
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_read_in_child_within(int seconds, BrumeFrameGrids *frame, const char *path, BrumeReadFunction *read,
                                       const char *library, BrumeError *error)
{
    BrumeStatus status = BRUME_FAILED;
    ChildHeader *header = brume_alloc(1, sizeof *header);
    const int file = open_anonymous_file();
    if (!header || file < 0) {
        (void)(header ? brume_fail(error, BRUME_FAILED, "%s: cannot create a temporary file to read it: %s", path,
                                   strerror(errno))
                      : brume_out_of_memory(error, "%s", path));
        goto cleanup;
    }
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child == 0) {
        run_child(file, seconds, path, read, parent);
    }
    int ending = 0;
    pid_t ended = child;
    while (child > 0 && (ended = waitpid(child, &ending, 0)) < 0 && errno == EINTR) {
    }
    if (child < 0 || ended < 0) {
        status = brume_fail(error, BRUME_FAILED, "%s: cannot run a process to read it: %s", path, strerror(errno));
    } else if (!WIFEXITED(ending) || WEXITSTATUS(ending) != EXIT_SUCCESS || lseek(file, 0, SEEK_SET) != 0 ||
               !read_bytes(file, header, sizeof *header)) {
        status = fail_without_result(ending, seconds, path, library, error);
    } else if (header->status != BRUME_OK) {
        status = header->status;
        if (error) {
            *error = header->error;
        }
    } else {
        status = copy_frame(frame, header, file, path, error);
        if (status != BRUME_OK) {
            brume_frame_grids_destroy(frame);
        }
    }
cleanup:
    if (file >= 0) {
        (void)close(file);
    }
    brume_free(header);
    return status;
}

BrumeStatus brume_read_in_child(BrumeFrameGrids *frame, const char *path, BrumeReadFunction *read, const char *library,
                                BrumeError *error)
{
    return brume_read_in_child_within(BRUME_READ_LIMIT_SECONDS, frame, path, read, library, error);
}
