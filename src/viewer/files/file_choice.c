#include "viewer/files/file_choice.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define MESHES "obj stl ply gltf glb fbx dae 3mf 3ds blend dxf lwo off x3d"

const BrumeFilePurposeInfo brume_file_purposes[BRUME_FILE_PURPOSES] = {
    [BRUME_CHOOSE_NOTHING] = {"", "", "", "", false},
    [BRUME_CHOOSE_OPEN] = {"Open a scene, volumes or a mesh", "Open", "Scenes, volumes and meshes",
                           "yaml yml hdf vtkhdf vdb vti raw " MESHES, false},
    [BRUME_CHOOSE_BODY] = {"Add a body from a mesh file", "Add", "Meshes", MESHES, false},
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
