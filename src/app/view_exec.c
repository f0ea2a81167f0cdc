/*
 * The command `brume view`. The program `brume` is not linked with the viewer; it replaces itself by `brume-view`
 * (exec), so that there is one process id, with its signals and exit status, and `brume render` loads neither SDL nor
 * OpenGL.
 */
#include "app/cli/messages.h"
#include "app/commands.h"
#include "app/view.h"
#include "core/error.h"
#include "core/program_path.h"

#include <unistd.h>

// relative to the folder of the program: in a build tree, and installed
static const char *const folders[] = {"", BRUME_VIEWER_FOLDER "/", NULL};

int brume_run_view(const BrumeCommand *command, int argc, char **argv)
{
    static BrumeViewOptions options;
    BrumeError error;
    const char *scene = NULL;
    if (brume_args_parse(command, brume_commands, argc, argv, &scene, &options, &error) == BRUME_OK) {
        char path[PATH_MAX];
        if (brume_find_beside_program(path, folders, "brume-view")) {
            (void)execv(path, argv);
        }
        (void)brume_fail(&error, BRUME_FAILED,
                         "the viewer is not installed (it is built where libsdl2-dev, libepoxy-dev, libimgui-dev and "
                         "libcglm-dev are; brume render needs none of them)");
    }
    brume_print_error(&error);
    return (int)error.status;
}
