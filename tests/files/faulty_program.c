// Stands for the program brume-files in the folder of the test: it fails in the way that the path of a request says.
#include "files/messages.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

static void wait_for_limit(void)
{
    (void)setrlimit(RLIMIT_CPU, &(struct rlimit){1, 10});
    for (volatile unsigned n = 0;; n = n + 1) {
    }
}

int main(void)
{
    static BrumeFilesRequest request;
    static BrumeFilesReply reply;
    (void)signal(SIGSEGV, SIG_DFL); // a sanitizer handles it
    while (recv(STDIN_FILENO, &request, sizeof request, 0) == (ssize_t)sizeof request) {
        if (strstr(request.path, "crash")) {
            (void)raise(SIGSEGV);
        } else if (strstr(request.path, "abort")) {
            (void)raise(SIGABRT);
        } else if (strstr(request.path, "killed")) {
            (void)raise(SIGKILL);
        } else if (strstr(request.path, "exit")) {
            _exit(3);
        } else if (strstr(request.path, "loop")) {
            wait_for_limit();
        } else if (strstr(request.path, "wait")) {
            (void)pause();
        } else if (strstr(request.path, "stop")) {
            (void)raise(SIGINT); // blocked: it stops the caller alone
        }
        static const BrumeFilesReply empty;
        reply = empty;
        reply.status = brume_fail(&reply.error, BRUME_FAILED, "%s", request.path);
        reply.frame.frame = (int)getpid();
        if (send(STDIN_FILENO, &reply, sizeof reply, MSG_NOSIGNAL) < 0) {
            break;
        }
        if (strstr(request.path, "gone")) { // after the reply, as one that the system ends
            _exit(1);
        }
    }
    _exit(EXIT_SUCCESS);
}
