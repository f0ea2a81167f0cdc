#include "app/volumes/mesh_reader.h"

#include "app/volumes/mesh_frames.h"
#include "core/text.h"

static void list_notes(BrumeText *lines, const char *path, const BrumeMeshFileInfo *info)
{
    if (!info->unit_known || !info->up_known) {
        brume_text_add(lines, "%s: assumed: %s%s%s\n", path, info->unit_known ? "" : "its unit is the meter",
                       info->unit_known || info->up_known ? "" : ", ", info->up_known ? "" : "its y axis points up");
    }
    for (int n = 0; n < info->note_count; n++) {
        brume_text_add(lines, "%s: %s\n", path, info->notes[n]);
    }
}

BrumeStatus brume_read_mesh(void *context, const char *path, const BrumeMeshReadDef *def, BrumeMesh **mesh,
                            BrumeError *error)
{
    BrumeMeshFileInfo info;
    const BrumeStatus status = brume_mesh_frames_load(mesh, &info, context, path, def, error);
    if (status == BRUME_OK && context) {
        list_notes(context, path, &info);
    }
    return status;
}
