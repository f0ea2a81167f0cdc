#include "video/video_library.h"

#include "brume/base.h"
#include "core/program_path.h"

#include <dlfcn.h>
#include <string.h>

// relative to the folder of the program: in a build tree, and installed
static const char *const folders[] = {"", BRUME_VIDEO_FOLDER "/", NULL};

BrumeStatus brume_video_load(const BrumeVideoFunctions **functions, BrumeError *error)
{
    *functions = NULL;
    char path[PATH_MAX];
    if (!brume_find_beside_program(path, folders, "brume-video.so")) {
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
