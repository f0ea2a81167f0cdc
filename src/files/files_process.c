/*
 * A process serves one request at a time. Those that are idle form a list, from which a thread takes one or starts
 * another: one process with a lock would read the files of several playback threads one after the other.
 *
 * posix_spawn does not copy the memory of the caller, which may have threads, and may be large.
 */
#define _GNU_SOURCE // SOCK_CLOEXEC, environ

#include "files/files_process.h"

#include "core/descriptor.h"
#include "core/program_path.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_IDLE = 16, SILENT_SECONDS = 20 };

/** A running program brume-files. */
typedef struct FilesProcess {
    pid_t pid;
    int socket;
} FilesProcess;

static pthread_mutex_t idle_lock = PTHREAD_MUTEX_INITIALIZER;
static FilesProcess idle[MAX_IDLE]; // guarded by the lock, as the next
static int idle_count;

/*
 * Starting and ending.
 */

// relative to the folder of the calling program: in a build, for the tests of a build, and installed
static const char *const folders[] = {"", "../", BRUME_FILES_FOLDER "/", NULL};

// Signals that stop the caller after a frame must not end the process before: it ends with the caller, whose end of the
// socket is closed then.
static void set_signals(posix_spawnattr_t *attributes)
{
    static const int blocked[] = {SIGHUP, SIGINT, SIGTERM, SIGQUIT};
    static const int reset[] = {SIGHUP, SIGINT, SIGTERM, SIGQUIT, SIGPIPE, SIGXCPU, SIGIO};
    sigset_t mask;
    sigset_t defaults;
    (void)sigemptyset(&mask);
    (void)sigemptyset(&defaults);
    for (size_t n = 0; n < sizeof blocked / sizeof blocked[0]; n++) {
        (void)sigaddset(&mask, blocked[n]);
    }
    for (size_t n = 0; n < sizeof reset / sizeof reset[0]; n++) {
        (void)sigaddset(&defaults, reset[n]);
    }
    (void)posix_spawnattr_setsigmask(attributes, &mask);
    (void)posix_spawnattr_setsigdefault(attributes, &defaults);
    (void)posix_spawnattr_setflags(attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
}

// starts the program with its end of the socket as standard input; its texts are discarded. Returns an error number.
static int spawn(pid_t *pid, const char *path, int socket)
{
    char *const arguments[] = {"brume-files", NULL};
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
    failure = posix_spawn_file_actions_adddup2(&files, socket, STDIN_FILENO);
    for (int output = STDOUT_FILENO; output <= STDERR_FILENO && failure == 0; output++) {
        failure = posix_spawn_file_actions_addopen(&files, output, "/dev/null", O_WRONLY, 0);
    }
    if (failure == 0) {
        failure = posix_spawn(pid, path, &files, &attributes, arguments, environ);
    }
    (void)posix_spawnattr_destroy(&attributes);
    (void)posix_spawn_file_actions_destroy(&files);
    return failure;
}

// whether a process was started
static bool start(FilesProcess *process, const char *file, BrumeError *error)
{
    char path[PATH_MAX];
    if (!brume_find_beside_program(path, folders, "brume-files")) {
        (void)brume_fail(error, BRUME_FAILED,
                         "%s: the program brume-files, which reads and writes such files, is not installed", file);
        return false;
    }
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
        (void)brume_fail(error, BRUME_FAILED, "%s: cannot run brume-files for it: %s", file, strerror(errno));
        return false;
    }
    const int failure = spawn(&process->pid, path, ends[1]);
    (void)close(ends[1]);
    process->socket = ends[0];
    if (failure != 0) {
        (void)close(ends[0]);
        (void)brume_fail(error, BRUME_FAILED, "%s: cannot run brume-files for it: %s", file, strerror(failure));
    }
    return failure == 0;
}

// ends the process; returns how it has ended
static int end_process(const FilesProcess *process)
{
    int ending = 0;
    (void)kill(process->pid, SIGKILL); // has no effect where it has ended
    while (waitpid(process->pid, &ending, 0) < 0 && errno == EINTR) {
    }
    (void)close(process->socket);
    return ending;
}

static bool take_idle_process(FilesProcess *process)
{
    (void)pthread_mutex_lock(&idle_lock);
    const bool found = idle_count > 0;
    if (found) {
        *process = idle[--idle_count];
    }
    (void)pthread_mutex_unlock(&idle_lock);
    return found;
}

static void release_process(const FilesProcess *process)
{
    (void)pthread_mutex_lock(&idle_lock);
    const bool kept = idle_count < MAX_IDLE;
    if (kept) {
        idle[idle_count++] = *process;
    }
    (void)pthread_mutex_unlock(&idle_lock);
    if (!kept) {
        (void)end_process(process);
    }
}

/*
 * Messages.
 */

static bool send_request(const FilesProcess *process, const BrumeFilesRequest *request,
                         const int memory[BRUME_FILES_MEMORIES])
{
    enum { BYTES = BRUME_FILES_MEMORIES * sizeof(int) };
    union {
        struct cmsghdr header; // aligns the bytes
        char bytes[CMSG_SPACE(BYTES)];
    } control = {{0}};
    struct iovec part = {(void *)request, sizeof *request};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.bytes, .msg_controllen = sizeof control.bytes};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(BYTES);
    memcpy(CMSG_DATA(header), memory, BYTES);
    ssize_t sent;
    do {
        sent = sendmsg(process->socket, &message, MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    return sent == (ssize_t)sizeof *request;
}

// processor time of a process [s]; -1: it has ended
static double used_seconds(pid_t pid)
{
    clockid_t clock;
    struct timespec time;
    return clock_getcpuclockid(pid, &clock) == 0 && clock_gettime(clock, &time) == 0
               ? (double)time.tv_sec + 1e-9 * (double)time.tv_nsec
               : -1.0;
}

typedef enum Waiting { REPLY_COMPLETE, REPLY_NONE, REPLY_OVERDUE } Waiting;

// A process that computes is ended by its limit of processor time, and one that waits without end by this function.
static Waiting receive_reply(const FilesProcess *process, BrumeFilesReply *reply)
{
    double used = -1.0;
    int silent = 0; // seconds without progress
    while (silent < SILENT_SECONDS) {
        struct pollfd wanted = {.fd = process->socket, .events = POLLIN};
        const int ready = poll(&wanted, 1, 1000);
        if (ready > 0) {
            ssize_t size;
            do {
                size = recv(process->socket, reply, sizeof *reply, 0);
            } while (size < 0 && errno == EINTR);
            return size == (ssize_t)sizeof *reply ? REPLY_COMPLETE : REPLY_NONE;
        }
        if (ready == 0) {
            const double now = used_seconds(process->pid);
            silent = now > used ? 0 : silent + 1;
            used = now;
        }
    }
    return REPLY_OVERDUE;
}

static BrumeStatus fail_without_reply(const BrumeFilesRequest *request, Waiting waiting, int ending, BrumeError *error)
{
    const bool reads = request->task == BRUME_READ_HDF || request->task == BRUME_READ_VDB ||
                       request->task == BRUME_READ_EXR || request->task == BRUME_READ_MESH;
    const char *path = request->path;
    const char *action = reads ? "read" : "written";
    if (waiting == REPLY_OVERDUE) {
        return brume_fail(error, BRUME_FAILED, "%s: cannot be %s: brume-files has not responded for %d s", path, action,
                          SILENT_SECONDS);
    }
    if (!WIFSIGNALED(ending)) {
        return brume_fail(error, BRUME_FAILED, "%s: cannot be %s: brume-files ended with status %d", path, action,
                          WEXITSTATUS(ending));
    }
    const int number = WTERMSIG(ending);
    if (number == SIGXCPU) {
        return brume_fail(error, BRUME_FAILED,
                          "%s: cannot be %s: it takes more processor time than a file of its size may (%s)", path,
                          action, reads ? "it is damaged" : "this machine is too slow");
    }
    return brume_fail(error, BRUME_FAILED, "%s: cannot be %s: brume-files ended with signal %d (%s%s)", path, action,
                      number, strsignal(number), number == SIGKILL ? "; memory may have run out" : "");
}

BrumeStatus brume_files_request(const BrumeFilesRequest *request, const int memory[BRUME_FILES_MEMORIES],
                                BrumeFilesReply *reply, BrumeError *error)
{
    FilesProcess process;
    Waiting waiting = REPLY_NONE;
    while (waiting != REPLY_COMPLETE) {
        const bool used = take_idle_process(&process);
        if (!used && !start(&process, request->path, error)) {
            return BRUME_FAILED;
        }
        waiting = send_request(&process, request, memory) ? receive_reply(&process, reply) : REPLY_NONE;
        const int ending = waiting == REPLY_COMPLETE ? 0 : end_process(&process);
        if (waiting != REPLY_COMPLETE && !used) { // one that was used may have failed because of an earlier file
            return fail_without_reply(request, waiting, ending, error);
        }
    }
    if (reply->ends) {
        (void)end_process(&process);
    } else {
        release_process(&process);
    }
    if (reply->status != BRUME_OK && error) {
        *error = reply->error;
    }
    return reply->status;
}
