#include "video/video_library.h"

#include "core/module.h"

#include <dlfcn.h>
#include <stddef.h>

BrumeStatus brume_video_load(const BrumeVideoFunctions **functions, BrumeError *error)
{
    // relative to the folder of the program: in a build tree, and installed
    static const char *const folders[] = {"", BRUME_VIDEO_FOLDER "/", NULL};
    const BrumeModule module = {
        .file = "brume-video.so",
        .folders = folders,
        .flags = RTLD_LOCAL,
        .functions = "brume_video_functions",
        .effect = "videos cannot be written",
        .built = "it is built where libavcodec-dev, libavformat-dev and libavutil-dev are; images need none of them",
        .cure = "install it, or write images",
    };
    *functions = brume_module_load(&module, error);
    return *functions ? BRUME_OK : BRUME_FAILED;
}
