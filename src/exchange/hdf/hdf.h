/**
 * @file hdf.h
 * HDF5 files; docs/volumes.md describes their layout. The library may crash on damaged files and where memory runs out:
 * the program brume-files alone calls these functions.
 */
#ifndef BRUME_EXCHANGE_HDF_HDF_H
#define BRUME_EXCHANGE_HDF_HDF_H

#include "exchange/volume_format.h"

#include <stdbool.h>
#include <stdint.h>

/**
 * Reads the bytes of a file as BrumeVolumeFormat.read does, all grids; the library may change the bytes.
 */
BrumeStatus brume_hdf_read(BrumeFrameGrids *frame, const char *path, uint8_t *bytes, size_t size,
                           const BrumeVolumeReadDef *def, BrumeError *error);

/** Makes the bytes of a file as BrumeVolumeFormat.compose does, as the block `*file` that is added to `memory`. */
BrumeStatus brume_hdf_compose(const BrumeFrameGrids *frame, const char *path, const BrumeVolumeWriteDef *def,
                              BrumeSharedMemory *memory, BrumeSharedBlock *file, BrumeError *error);

/** Whether the library has failed: objects that it had open stay open, and later calls may crash or not return. */
bool brume_hdf_has_failed(void);

#endif
