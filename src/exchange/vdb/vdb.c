#include "exchange/vdb/vdb.h"

#include "exchange/child_reader.h"

static BrumeStatus read_vdb(BrumeFrameGrids *frame, const char *path, const BrumeVolumeReadDef *def, BrumeError *error)
{
    return brume_read_in_child(frame, path, def, brume_vdb_read, "OpenVDB", error);
}

const BrumeVolumeFormat brume_vdb_format = {
    .extension = ".vdb",
    .description = "OpenVDB, for Blender, Houdini and others",
    .read = read_vdb,
    .write = brume_vdb_write,
    .write_options = BRUME_WRITE_HALF | BRUME_WRITE_VDB,
};
