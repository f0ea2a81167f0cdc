#include "app/cli/messages.h"
#include "app/commands.h"
#include "core/error.h"

static int run_view(const BrumeCommand *command, int argc, char **argv)
{
    (void)command;
    (void)argc;
    (void)argv;
    BrumeError error;
    (void)brume_fail(&error, BRUME_FAILED,
                     "this program was built without its viewer (install libsdl2-dev, libepoxy-dev, libimgui-dev and "
                     "libcglm-dev, and build again; brume render needs none of them)");
    brume_print_error(&error);
    return (int)error.status;
}

const BrumeCommand brume_view_command = {
    .name = "view",
    .summary = "run a scene in a window, interactively (not built in)",
    .details = "This program was built without its viewer.",
    .usage = "[SCENE]",
    .operand = "SCENE",
    .operand_needed = false,
    .run = run_view,
};
