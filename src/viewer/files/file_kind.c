#include "viewer/files/file_kind.h"

#include <string.h>
#include <strings.h>

static const struct {
    const char *extension, *name;
} kinds[BRUME_FILE_KINDS] = {
    {".png", "PNG"}, {".exr", "EXR"},          {".mp4", "MP4"}, {".webm", "WebM"},
    {".vdb", "VDB"}, {".hdf", "cache (HDF5)"}, {".vti", "VTI"},
};

const char *brume_file_extension(BrumeFileKind kind) { return kinds[kind].extension; }

const char *brume_file_kind_name(BrumeFileKind kind) { return kinds[kind].name; }

bool brume_file_kind_of(const char *path, BrumeFileKind *kind)
{
    const char *dot = strrchr(path, '.');
    for (int n = 0; n < BRUME_FILE_KINDS && dot; n++) {
        if (strcasecmp(dot, kinds[n].extension) == 0) {
            *kind = (BrumeFileKind)n;
            return true;
        }
    }
    return false;
}

bool brume_file_is_video(BrumeFileKind kind) { return kind == BRUME_FILE_MP4 || kind == BRUME_FILE_WEBM; }

bool brume_file_is_volume(BrumeFileKind kind) { return kind >= BRUME_FILE_VDB; }

bool brume_file_is_image(BrumeFileKind kind) { return kind == BRUME_FILE_PNG || kind == BRUME_FILE_EXR; }
