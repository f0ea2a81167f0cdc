/**
 * @file volume_format.h
 * The formats of volume files: one entry for each format that this build reads or writes. The extension of a path
 * selects the format.
 */
#ifndef BRUME_EXCHANGE_VOLUME_FORMAT_H
#define BRUME_EXCHANGE_VOLUME_FORMAT_H

#include "exchange/frame_grids.h"

/** How a file is written. A format ignores what its description in docs/volumes.md does not name. */
typedef struct BrumeVolumeWriteDef {
    bool half;             ///< values in half precision
    bool overwrite;        ///< an existing file is replaced; otherwise it is an error
    const char *vdb_names; ///< "blender", "houdini" or "embergen": names and units of the grids; NULL: those of Brume
    bool vdb_z_up;         ///< the z axis points up; otherwise y
    bool vdb_staggered;    ///< velocity on the faces, where the frame has it
} BrumeVolumeWriteDef;

typedef struct BrumeVolumeFormat {
    const char *extension;   ///< with the dot: ".hdf"
    const char *description; ///< for help and messages: "HDF5 (VTKHDF), the cache"
    /**
     * Reads a file into `frame`, which is all zero. BRUME_BAD_INPUT where it is not of this format, is damaged, or has
     * grids that Brume cannot represent, BRUME_FAILED where it cannot be read and without memory; the text starts with
     * the path, and `frame` is all zero then. NULL: this format is only written.
     */
    BrumeStatus (*read)(BrumeFrameGrids *frame, const char *path, BrumeError *error);
    /**
     * Writes a file completely or not at all (brume_file_write, brume_file_create). BRUME_FAILED where it cannot be
     * written, BRUME_BAD_INPUT where the format cannot represent the frame. NULL: this format is only read.
     */
    BrumeStatus (*write)(const BrumeFrameGrids *frame, const char *path, const BrumeVolumeWriteDef *def,
                         BrumeError *error);
} BrumeVolumeFormat;

/** All formats of this build; NULL at the end. */
extern const BrumeVolumeFormat *const brume_volume_formats[];

/** The extensions, without the dot, of the formats that are written, or of those that are read; NULL at the end. */
const char *const *brume_volume_extensions(bool written);

/** The format for a path by its extension; NULL if this build has none. */
const BrumeVolumeFormat *brume_volume_format_of(const char *path);

/**
 * Reads a volume file of any format. Fails as BrumeVolumeFormat.read does, and with BRUME_BAD_INPUT and a list of the
 * extensions where the extension is unknown.
 */
BrumeStatus brume_volume_file_read(BrumeFrameGrids *frame, const char *path, BrumeError *error);

#endif
