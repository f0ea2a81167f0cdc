/**
 * @file vdb.h
 * OpenVDB files; docs/volumes.md describes their grids, units, transform and metadata. The sources in C++ behind this
 * header are the only ones that use OpenVDB. None of these functions uses threads.
 */
#ifndef BRUME_EXCHANGE_VDB_VDB_H
#define BRUME_EXCHANGE_VDB_VDB_H

#include "exchange/volume_format.h"

BRUME_BEGIN_DECLS

/** Writes a file as BrumeVolumeFormat.write does. */
BrumeStatus brume_vdb_write(const BrumeFrameGrids *frame, const char *path, const BrumeVolumeWriteDef *def,
                            BrumeError *error);

/**
 * Reads a file as BrumeVolumeFormat.read does, in the calling process, which OpenVDB may end where the file is damaged:
 * brume_vdb_format.read calls this function in a child process.
 */
BrumeStatus brume_vdb_read(BrumeFrameGrids *frame, const char *path, const BrumeVolumeReadDef *def, BrumeError *error);

BRUME_END_DECLS

#endif
