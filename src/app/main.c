#include "app/cli/messages.h"
#include "app/commands.h"
#include "app/complete.h"
#include "brume/brume.h"
#include "core/error.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Opens closed standard streams: a file opened later would get the stream's number, and receive printed text. They are
// opened in the opposite direction, so that their use still fails.
static void open_standard_streams(void)
{
    for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++) {
        if (fcntl(file, F_GETFD) < 0 && errno == EBADF) {
            (void)open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        }
    }
}

static int run_command(int argc, char **argv)
{
    BrumeError error;
    BrumeRequest request;
    if (argc > 1 && strcmp(argv[1], "complete") == 0) {
        brume_complete(argc - 2, argv + 2);
        return BRUME_OK;
    }
    if (brume_args_request(&request, brume_commands, argc, argv, &error) != BRUME_OK) {
        brume_print_error(&error);
        return (int)error.status;
    }
    if (request.version) {
        printf("brume %s\n", brume_version());
        return BRUME_OK;
    }
    if (request.help) {
        brume_print_help(request.command);
        return BRUME_OK;
    }
    if (!request.command) {
        (void)brume_fail(&error, BRUME_BAD_INPUT, "no command (see 'brume help')");
        brume_print_error(&error);
        return (int)error.status;
    }
    return request.command->run(request.command, argc, argv);
}

static bool returned; // the command has returned

// An exit handler that is registered after the libraries' handlers, and therefore called before them. A library that
// ends the program, such as libgomp without memory, would run them while other threads use the libraries.
static void end_at_once(void)
{
    if (!returned) {
        _exit(BRUME_FAILED);
    }
}

int main(int argc, char **argv)
{
    open_standard_streams();
    (void)atexit(end_at_once);
    // exceeding the limit on file sizes becomes a failed write, as on a full disk
    (void)signal(SIGXFSZ, SIG_IGN);
    const int status = brume_finish_output(run_command(argc, argv));
    returned = true;
    return status;
}
