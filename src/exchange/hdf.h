/**
 * @file hdf.h
 * The cache: HDF5 files that ParaView opens as image data (VTKHDF). docs/volumes.md describes the layout.
 *
 * The first 512 bytes, which HDF5 leaves to the user, hold the size of the file and the hash (XXH3) of the rest. A file
 * of Brume is checked against them before the library parses it. A file without them is one of another program.
 */
#ifndef BRUME_EXCHANGE_HDF_H
#define BRUME_EXCHANGE_HDF_H

#include "exchange/volume_format.h"

/**
 * Extension ".hdf". Written: chunks of 32^3 cells, shuffled and deflated; chunks of zeros are not stored; the same
 * frame gives the same bytes. Read: files of Brume, and image data of other programs with cubic cells, whose grids are
 * numbers of any type. Calls from several threads wait for each other, because the library is not thread-safe.
 */
extern const BrumeVolumeFormat brume_format_hdf;

#endif
