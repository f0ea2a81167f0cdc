/**
 * @file hdf_internal.h
 * Shared by the writer and the reader of the cache: names of the layout, the user block, and the start of the library.
 */
#ifndef BRUME_EXCHANGE_HDF_HDF_INTERNAL_H
#define BRUME_EXCHANGE_HDF_HDF_INTERNAL_H

#include "exchange/hdf/hdf.h"

#include <hdf5.h>

#include <stdint.h>

enum { BRUME_HDF_USER_BLOCK = 512 };

#define BRUME_HDF_GRIDS "/VTKHDF/PointData" // of grids at the centers, which VTK reads as points
enum {
    BRUME_HDF_FORMAT = 2, // of the group below
    BRUME_HDF_BODY = 21,  // numbers of a body
};
#define BRUME_HDF_OWN "/brume"         // a group that VTK does not read
#define BRUME_HDF_FACES "/brume/faces" // of grids on the faces

/** Initializes the library where that was not done yet. BRUME_FAILED without memory. */
BrumeStatus brume_hdf_start(const char *path, BrumeError *error);

/** Notes that the library has failed (brume_hdf_has_failed). */
void brume_hdf_note_failure(void);

/** The bytes of a file that the library has open: it uses this memory in place of copies of its own. */
typedef struct BrumeHdfImage {
    uint8_t *bytes;
    BrumeSharedMemory *memory; ///< for a file that grows: that of the bytes; NULL for one that is read
    BrumeSharedBlock block;    ///< of the bytes, the last one of the memory
} BrumeHdfImage;

/** The properties of access to the file of an image, to be closed with H5Pclose; negative where the library fails. */
hid_t brume_hdf_image_access(BrumeHdfImage *image);

/** Fills the first 512 of the `size` bytes of a complete file. */
void brume_hdf_seal(uint8_t *bytes, size_t size);

typedef enum BrumeHdfSeal {
    BRUME_HDF_INTACT,  ///< a file of Brume
    BRUME_HDF_DAMAGED, ///< a file of Brume whose size or hash differ
    BRUME_HDF_FOREIGN, ///< another HDF5 file
    BRUME_HDF_OTHER,   ///< not an HDF5 file
} BrumeHdfSeal;

/** The kind of a file, by its first bytes. */
BrumeHdfSeal brume_hdf_check(const uint8_t *bytes, size_t size);

/** Half precision: the 16-bit type of IEEE 754, to be closed with H5Tclose. */
hid_t brume_hdf_half_type(void);

/** Writes a text as an attribute. False where the library fails, as of the functions below. */
bool brume_hdf_write_text(hid_t object, const char *name, const char *text);

/** Writes an attribute of `count` whole numbers; with 0 a single number that is no array. */
bool brume_hdf_write_wholes(hid_t object, const char *name, hsize_t count, const long long *values);

/** Writes the group of VTK for the particles of a frame, in single precision. False also without memory. */
bool brume_hdf_write_particles(hid_t file, const BrumeFrameGrids *frame);

/**
 * Reads the points of this group of any program as particles. BRUME_BAD_INPUT where there are none or too many,
 * BRUME_FAILED without memory.
 */
BrumeStatus brume_hdf_read_particles(hid_t file, BrumeFrameGrids *frame, const char *path, BrumeError *error);

#endif
