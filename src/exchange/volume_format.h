/**
 * @file volume_format.h
 * The formats of volume files: one entry for each format that this build reads or writes. The extension of a path
 * selects the format.
 */
#ifndef BRUME_EXCHANGE_VOLUME_FORMAT_H
#define BRUME_EXCHANGE_VOLUME_FORMAT_H

#include "exchange/frame_grids.h"

BRUME_BEGIN_DECLS

/** Bits that name the members of BrumeVolumeWriteDef which not every format uses. */
typedef enum BrumeVolumeWriteOption {
    BRUME_WRITE_HALF = 1,
    BRUME_WRITE_VDB = 2, ///< vdb_names, vdb_staggered
    BRUME_WRITE_ISO = 4, ///< iso, iso_grid: one grid is written as a surface
    BRUME_WRITE_UP = 8,  ///< z_up
} BrumeVolumeWriteOption;

/** The place of the particles of a frame. */
typedef enum BrumeParticlesIn {
    BRUME_PARTICLES_NOWHERE, ///< the format has none
    BRUME_PARTICLES_INSIDE,  ///< in the file, beside its grids
    /** A file has either grids or particles: those of a frame without grids, otherwise none. */
    BRUME_PARTICLES_ALONE,
} BrumeParticlesIn;

/** How a file is written. A format ignores the members that BrumeVolumeFormat.write_options does not name. */
typedef struct BrumeVolumeWriteDef {
    bool half;             ///< values in half precision
    bool overwrite;        ///< an existing file is replaced; otherwise it is an error
    const char *vdb_names; ///< "blender", "houdini" or "embergen": names and units of the grids; NULL: Brume's
    bool z_up;             ///< the z axis points up; otherwise y
    bool vdb_staggered;    ///< velocity on the faces, where the frame has it
    double iso;            ///< level of the surface; 0: BRUME_DEFAULT_ISO, of the plain density alone
    const char *iso_grid;  ///< grid of the surface; NULL: BRUME_GRID_DENSITY
} BrumeVolumeWriteDef;

typedef struct BrumeVolumeFormat {
    const char *extension;   ///< with the dot: ".hdf"
    const char *description; ///< for help and messages: "HDF5 (VTKHDF), the cache"
    /**
     * Reads a file into `frame`, which is all zero. A format may ignore `def`. Points of any program are particles, and
     * a file with them alone may leave `cells` 0. BRUME_BAD_INPUT where it is not of this format, is damaged, or has
     * grids that Brume cannot represent, BRUME_FAILED where it cannot be read and without memory; the text starts with
     * the path, and `frame` is all zero then. NULL: this format is only written.
     */
    BrumeStatus (*read)(BrumeFrameGrids *frame, const char *path, const BrumeVolumeReadDef *def, BrumeError *error);
    /**
     * Makes the file in memory, with as many threads as the calling one may have: `*bytes`, to be freed with
     * brume_free, equal the file that `write` writes to `path`. Fails as `write` does; `*bytes` is NULL then. NULL: the
     * format has only `write`.
     */
    BrumeStatus (*compose)(const BrumeFrameGrids *frame, const char *path, const BrumeVolumeWriteDef *def,
                           uint8_t **bytes, size_t *size, BrumeError *error);
    /**
     * Writes a file completely or not at all (brume_file_write, brume_file_create). BRUME_FAILED where it cannot be
     * written, BRUME_BAD_INPUT where the format cannot represent the frame. NULL: this format is only read.
     */
    BrumeStatus (*write)(const BrumeFrameGrids *frame, const char *path, const BrumeVolumeWriteDef *def,
                         BrumeError *error);
    unsigned write_options; ///< bits of BrumeVolumeWriteOption
    bool uncompressed;      ///< a file is never smaller than the values of its grids
    BrumeParticlesIn particles;
} BrumeVolumeFormat;

/** The level of a surface of the plain density: a tenth of the density that emitters have by default [1]. */
#define BRUME_DEFAULT_ISO 0.1

/*
 * The formats, each in a file of its own. Those whose library this build lacks are not defined.
 */
extern const BrumeVolumeFormat brume_hdf_format;    ///< with BRUME_HAS_HDF5
extern const BrumeVolumeFormat brume_vtkhdf_format; ///< the same, with the extension of newer versions of VTK
extern const BrumeVolumeFormat brume_vdb_format;    ///< with BRUME_HAS_OPENVDB
extern const BrumeVolumeFormat brume_vti_format;    ///< without BRUME_HAS_EXPAT only written
extern const BrumeVolumeFormat brume_raw_format;
extern const BrumeVolumeFormat brume_ply_format; ///< of which only points are read

/** All formats of this build; NULL at the end. */
extern const BrumeVolumeFormat *const brume_volume_formats[];

/**
 * Writes the path of the particles beside a file of grids, for BRUME_PARTICLES_ALONE: plume_particles.hdf beside
 * plume.hdf. A path that has no room is cut off.
 */
void brume_particles_path(const char *path, char *particles, size_t size);

/** Whether a file of a format that has the particles of a frame beside it. */
bool brume_particles_are_beside(const BrumeVolumeFormat *format, const BrumeFrameGrids *frame);

/** The extensions, without the dot, of the formats that can be written, or read; NULL at the end. */
const char *const *brume_volume_extensions(bool written);

/** The format for a path by its extension; NULL if this build has none. */
const BrumeVolumeFormat *brume_volume_format_of(const char *path);

/** Fails with BRUME_BAD_INPUT and a list of the extensions that can be read if `path` has none of them. */
BrumeStatus brume_volume_file_check_readable(const char *path, BrumeError *error);

/** Writes the bytes of BrumeVolumeFormat.compose to `path`, completely or not at all; fails with BRUME_FAILED. */
BrumeStatus brume_volume_file_store(const char *path, const uint8_t *bytes, size_t size, const BrumeVolumeWriteDef *def,
                                    BrumeError *error);

/**
 * Reads a volume file of any format, and unless `def->parts` is BRUME_READ_GRIDS the file of particles that is beside
 * it. Particles without numbers get some. Fails as BrumeVolumeFormat.read and brume_volume_file_check_readable do, and
 * with BRUME_BAD_INPUT where the file has no grid of the name `def->density`.
 */
BrumeStatus brume_volume_file_read_grids(BrumeFrameGrids *frame, const char *path, const BrumeVolumeReadDef *def,
                                         BrumeError *error);

/** Reads the particles of a file as above, and no grids. Fails also where there are none. */
BrumeStatus brume_volume_file_read_particles(BrumeFrameGrids *frame, const char *path, BrumeError *error);

/** Reads all grids and the particles of a volume file, as brume_volume_file_read_grids does. */
BrumeStatus brume_volume_file_read(BrumeFrameGrids *frame, const char *path, BrumeError *error);

/**
 * Writes a frame as the format of the path does, with its particles, where they are beside it, first: the file of the
 * grids shows that both exist. Fails as BrumeVolumeFormat.write.
 */
BrumeStatus brume_volume_file_write(const BrumeFrameGrids *frame, const char *path, const BrumeVolumeWriteDef *def,
                                    BrumeError *error);

BRUME_END_DECLS

#endif
