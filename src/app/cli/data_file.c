#include "app/cli/data_file.h"
#include "core/error.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

// from the program's folder, so that a build tree and an installation may be moved
static const char *const folders[] = {"/../../scenes/", "/../share/brume/scenes/", NULL};

static void program_folder(char *folder, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    folder[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(folder, '/');
    if (slash) {
        *slash = '\0';
    }
}

BrumeStatus brume_find_scene(const char *name, char path[BRUME_MAX_PATH], BrumeError *error)
{
    (void)snprintf(path, BRUME_MAX_PATH, "scenes/%s", name);
    if (access(path, R_OK) == 0) {
        return BRUME_OK;
    }
    char program[BRUME_MAX_PATH / 2];
    program_folder(program, sizeof program);
    for (const char *const *folder = folders; *folder; folder++) {
        (void)snprintf(path, BRUME_MAX_PATH, "%s%s%.255s", program, *folder, name);
        if (access(path, R_OK) == 0) {
            return BRUME_OK;
        }
    }
    (void)snprintf(path, BRUME_MAX_PATH, BRUME_DATA_DIR "/scenes/%s", name);
    if (access(path, R_OK) == 0) {
        return BRUME_OK;
    }
    return brume_fail(error, BRUME_BAD_INPUT,
                      "scenes/%s is neither here, beside the program, nor installed (give a SCENE)", name);
}
