#include "app/cli/messages.h"
#include "app/commands.h"
#include "brume/brume.h"
#include "core/error.h"

#include <signal.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    // a file that exceeds the limit on file sizes is a failed write, as on a full disk
    (void)signal(SIGXFSZ, SIG_IGN);
    BrumeError error;
    BrumeRequest request;
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
