/*
 * The command `brume view`. The program `brume` is not linked with the viewer; it replaces itself by `brume-view`
 * (exec), so that process id, signals and exit status are those of one process, and `brume render` loads neither SDL
 * nor OpenGL.
 */
#include "app/cli/messages.h"
#include "app/cli/paths.h"
#include "app/commands.h"
#include "app/view.h"
#include "core/error.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// returns only where there is no such program
static void run_viewer_in(const char *folder, const char *subfolder, char **argv)
{
    char path[BRUME_MAX_PATH];
    if (snprintf(path, sizeof path, "%s/%sbrume-view", folder, subfolder) < (int)sizeof path) {
        (void)execv(path, argv);
    }
}

int brume_run_view(const BrumeCommand *command, int argc, char **argv)
{
    static BrumeViewOptions options;
    BrumeError error;
    const char *scene = NULL;
    if (brume_args_parse(command, brume_commands, argc, argv, &scene, &options, &error) == BRUME_OK) {
        char program[BRUME_MAX_PATH];
        const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
        program[length > 0 ? length : 0] = '\0';
        char *slash = strrchr(program, '/');
        if (slash) {
            *slash = '\0';
            run_viewer_in(program, "", argv); // in the folder of a build
            run_viewer_in(program, BRUME_VIEWER_FOLDER "/", argv);
        }
        (void)brume_fail(&error, BRUME_FAILED,
                         "the viewer is not installed (it is built where libsdl2-dev, libepoxy-dev, libimgui-dev and "
                         "libcglm-dev are; brume render needs none of them)");
    }
    brume_print_error(&error);
    return (int)error.status;
}
