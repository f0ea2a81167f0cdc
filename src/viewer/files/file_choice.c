#include "viewer/files/file_choice.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const BrumeFilePurposeInfo brume_file_purposes[BRUME_FILE_PURPOSES] = {
    [BRUME_CHOOSE_NOTHING] = {"", "", "", "", false},
    [BRUME_CHOOSE_OPEN] = {"Open a scene or volumes", "Open", "Scenes and volumes", "yaml yml hdf vtkhdf vdb vti raw",
                           false},
    [BRUME_CHOOSE_SKY] = {"Open an image of the sky", "Open", "Images of the sky", "hdr exr", false},
    [BRUME_CHOOSE_SAVE] = {"Save the scene", "Save", "Scenes", "yaml yml", true},
    [BRUME_CHOOSE_FRAME] = {"Write the present frame", "Write", "Pictures and volumes", "png exr vdb hdf vti", true},
    [BRUME_CHOOSE_FOLDER] = {"Folder of exports", "Choose", "", "", false},
};

bool brume_has_extension(const char *name, const char *extensions)
{
    const char *dot = strrchr(name, '.');
    for (const char *at = extensions; dot && *at; at += strspn(at, " ")) {
        const size_t length = strcspn(at, " ");
        if (strlen(dot + 1) == length && strncasecmp(dot + 1, at, length) == 0) {
            return true;
        }
        at += length;
    }
    return false;
}

bool brume_add_extension(char *path, int size, const char *extensions, const char *extension)
{
    const int used = (int)strlen(path);
    return brume_has_extension(path, extensions) ||
           snprintf(path + used, (size_t)(size - used), "%s", extension) < size - used;
}
