// posix_spawn shares the memory of the caller until the program is loaded: a fork would copy the page tables of a
// viewer that has gigabytes of states.
#define _GNU_SOURCE // pipe2, posix_spawn_file_actions_addchdir_np

#include "viewer/jobs/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void close_file(int *file)
{
    if (*file >= 0) {
        (void)close(*file);
    }
    *file = -1;
}

// the program gets the default handling of signals, and a process group of its own
static void set_signals(posix_spawnattr_t *attributes)
{
    static const int numbers[] = {SIGHUP, SIGINT, SIGTERM, SIGPIPE, SIGQUIT};
    sigset_t defaults;
    sigset_t none;
    (void)sigemptyset(&none);
    (void)sigemptyset(&defaults);
    for (size_t n = 0; n < sizeof numbers / sizeof numbers[0]; n++) {
        (void)sigaddset(&defaults, numbers[n]);
    }
    (void)posix_spawnattr_setsigmask(attributes, &none);
    (void)posix_spawnattr_setsigdefault(attributes, &defaults);
    (void)posix_spawnattr_setpgroup(attributes, 0);
    (void)posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
}

// starts the program with the ends `to` of two pipes; returns an error number
static int spawn(pid_t *pid, const char *const *arguments, const char *folder, const int to[2])
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    int failure = posix_spawn_file_actions_init(&files);
    if (failure != 0) {
        return failure;
    }
    failure = posix_spawnattr_init(&attributes);
    if (failure != 0) {
        (void)posix_spawn_file_actions_destroy(&files);
        return failure;
    }
    set_signals(&attributes);
    failure = posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    if (failure == 0 && folder[0]) {
        failure = posix_spawn_file_actions_addchdir_np(&files, folder);
    }
    for (int n = 0; n < 2 && failure == 0; n++) {
        failure = posix_spawn_file_actions_adddup2(&files, to[n], STDOUT_FILENO + n);
    }
    if (failure == 0) {
        failure = posix_spawnp(pid, arguments[0], &files, &attributes, (char *const *)arguments, environ);
    }
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&files);
    return failure;
}

BrumeStatus brume_process_start(BrumeProcess *process, const char *const *arguments, const char *folder, int niceness,
                                BrumeError *error)
{
    *process = (BrumeProcess){.outputs = {{.file = -1}, {.file = -1}}};
    int to[2] = {-1, -1};
    int failure = 0;
    for (int n = 0; n < 2 && failure == 0; n++) {
        int ends[2];
        failure = pipe2(ends, O_CLOEXEC) == 0 ? 0 : errno;
        if (failure == 0) {
            process->outputs[n].file = ends[0];
            to[n] = ends[1];
            failure = fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 ? 0 : errno;
        }
    }
    pid_t pid = 0;
    if (failure == 0) {
        failure = spawn(&pid, arguments, folder, to);
    }
    close_file(&to[0]);
    close_file(&to[1]);
    if (failure != 0) {
        brume_process_close(process);
        *process = (BrumeProcess){.outputs = {{.file = -1}, {.file = -1}}};
        return brume_fail(error, BRUME_FAILED, "%s: cannot be started: %s", arguments[0], strerror(failure));
    }
    process->pid = pid;
    if (niceness > 0) {
        (void)setpriority(PRIO_PROCESS, (id_t)pid, niceness); // later threads of it inherit the priority
    }
    return BRUME_OK;
}

// appends output to the present line, which is cut where it is too long, and passes complete lines on
static void add_bytes(BrumeProcessOutput *output, const char *bytes, size_t size, bool is_error,
                      BrumeProcessLine *on_line, void *context)
{
    for (size_t n = 0; n < size; n++) {
        const bool ends = bytes[n] == '\n';
        if (ends) {
            output->line[output->used] = '\0';
            on_line(context, is_error, output->line);
            output->used = 0;
        } else if (output->used + 1 < sizeof output->line) {
            output->line[output->used++] = bytes[n];
        }
    }
}

static void read_output(BrumeProcessOutput *output, bool is_error, BrumeProcessLine *on_line, void *context)
{
    char bytes[4096];
    while (output->file >= 0) {
        const ssize_t size = read(output->file, bytes, sizeof bytes);
        if (size > 0) {
            add_bytes(output, bytes, (size_t)size, is_error, on_line, context);
        } else if (size < 0 && errno == EINTR) {
            continue;
        } else if (size < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) {
            return;
        } else {
            close_file(&output->file);
        }
    }
}

// passes on the last line, which may have no line end
static void finish_output(BrumeProcessOutput *output, bool is_error, BrumeProcessLine *on_line, void *context)
{
    read_output(output, is_error, on_line, context);
    if (output->used > 0) {
        output->line[output->used] = '\0';
        on_line(context, is_error, output->line);
        output->used = 0;
    }
    close_file(&output->file);
}

bool brume_process_poll(BrumeProcess *process, BrumeProcessLine *on_line, void *context)
{
    if (process->pid == 0) {
        return false;
    }
    const pid_t ended = waitpid(process->pid, &process->ending, WNOHANG);
    const bool runs = ended == 0 || (ended < 0 && errno == EINTR);
    for (int n = 0; n < 2; n++) {
        if (runs) {
            read_output(&process->outputs[n], n == 1, on_line, context);
        } else {
            finish_output(&process->outputs[n], n == 1, on_line, context);
        }
    }
    process->pid = runs ? process->pid : 0;
    return runs;
}

void brume_process_signal(const BrumeProcess *process, int number)
{
    if (process->pid > 0) {
        (void)kill(process->pid, number);
    }
}

void brume_process_close(BrumeProcess *process)
{
    close_file(&process->outputs[0].file);
    close_file(&process->outputs[1].file);
}
