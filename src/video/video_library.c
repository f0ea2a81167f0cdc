#include "video/video_library.h"

#include "brume/base.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// relative to the folder of the program: in a build tree, and installed
static const char *const folders[] = {"", BRUME_VIDEO_FOLDER "/", NULL};

// the path of the module; false if there is none
static bool find_module(char path[PATH_MAX])
{
    char program[PATH_MAX];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    char *slash = strrchr(program, '/');
    if (slash) {
        slash[1] = '\0';
    }
    for (const char *const *folder = folders; slash && *folder; folder++) {
        if (snprintf(path, PATH_MAX, "%s%sbrume-video.so", program, *folder) < PATH_MAX && access(path, R_OK) == 0) {
            return true;
        }
    }
    return false;
}

BrumeStatus brume_video_load(const BrumeVideoFunctions **functions, BrumeError *error)
{
    *functions = NULL;
    char path[PATH_MAX];
    if (!find_module(path)) {
        return brume_fail(error, BRUME_FAILED,
                          "brume-video.so is not installed, videos cannot be written (it is built where "
                          "libavcodec-dev, libavformat-dev and libavutil-dev are; images need none of them)");
    }
    void *module = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!module) {
        return brume_fail(error, BRUME_FAILED, "videos cannot be written: %s (install it, or write images)", dlerror());
    }
    const BrumeVideoFunctions *found = dlsym(module, "brume_video_functions");
    if (!found || strcmp(found->version, BRUME_VERSION_STRING) != 0) {
        return brume_fail(error, BRUME_FAILED, "%s is of another version of brume (install that of version %s)", path,
                          BRUME_VERSION_STRING);
    }
    *functions = found;
    return BRUME_OK;
}
