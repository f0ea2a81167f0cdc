/**
 * @file vdb.h
 * OpenVDB files; docs/volumes.md describes their grids, units, transform and metadata. The sources in C++ behind this
 * header are the only ones that use OpenVDB, which may end the process where a file is damaged: the program brume-files
 * alone calls these functions.
 */
#ifndef BRUME_EXCHANGE_VDB_VDB_H
#define BRUME_EXCHANGE_VDB_VDB_H

#include "exchange/volume_format.h"

#include <stdint.h>

BRUME_BEGIN_DECLS

/**
 * Makes the bytes of a file as BrumeVolumeFormat.compose does, as the block `*file` that is added to `memory`, with one
 * thread.
 */
BrumeStatus brume_vdb_compose(const BrumeFrameGrids *frame, const char *path, const BrumeVolumeWriteDef *def,
                              BrumeSharedMemory *memory, BrumeSharedBlock *file, BrumeError *error);

/** Reads the bytes of a file as BrumeVolumeFormat.read does, with one thread. */
BrumeStatus brume_vdb_read(BrumeFrameGrids *frame, const char *path, uint8_t *bytes, size_t size,
                           const BrumeVolumeReadDef *def, BrumeError *error);

BRUME_END_DECLS

#endif
