/**
 * @file vti_file.h
 * The parts of a VTK XML ImageData file (.vti): the content of its XML, and the values of its arrays. vti_read.c makes
 * a frame of them.
 */
#ifndef BRUME_EXCHANGE_VTK_VTI_FILE_H
#define BRUME_EXCHANGE_VTK_VTI_FILE_H

#include "core/error.h"
#include "core/text.h"
#include "exchange/frame_grids.h"

#include <stdint.h>

enum { BRUME_VTI_MAX_ARRAYS = 64, BRUME_VTI_HASH_LINE = 31 };

// names of the arrays of field data that Brume writes with the velocity on faces
#define BRUME_VTI_TIME "TimeValue" // which VTK and ParaView read [s]
#define BRUME_VTI_FRAME "brume_frame"
#define BRUME_VTI_SCENE "brume_scene"

typedef enum BrumeVtiSection {
    BRUME_VTI_NO_SECTION,
    BRUME_VTI_CELL_DATA,
    BRUME_VTI_POINT_DATA,
    BRUME_VTI_FIELD_DATA,
} BrumeVtiSection;

/** A DataArray element (or an Array of strings). */
typedef struct BrumeVtiArray {
    BrumeVtiSection section;
    char name[BRUME_MAX_GRID_NAME];
    char unit[BRUME_MAX_UNIT]; ///< empty: not known
    char type[16];             ///< "Float32"
    int components;
    bool ascii, appended; ///< neither: base64 inside of the element
    uint64_t offset;      ///< appended: from the start of the appended data
    BrumeText text;       ///< not appended: the contents of the element
} BrumeVtiArray;

/** The content of the XML of a file. */
typedef struct BrumeVtiFile {
    const char *path;
    bool big_endian;
    int header_size; ///< bytes of a number before a block of data: 4 or 8
    bool zlib;       ///< blocks are compressed
    int piece_count;
    int extent[6]; ///< first and last point along each axis
    double origin[3], spacing[3];
    int array_count;
    BrumeVtiArray arrays[BRUME_VTI_MAX_ARRAYS];
    const char *appended; ///< appended data behind the underscore; NULL: none
    size_t appended_size; ///< to the end of the file
    bool appended_base64;
} BrumeVtiFile;

/**
 * Parses the XML of a file whose contents are `bytes`, which must outlive `file`. BRUME_BAD_INPUT, with a text that
 * starts with the path, where it is no ImageData file that Brume can read, BRUME_FAILED without memory. To be freed
 * with brume_vti_file_destroy in both cases.
 */
BrumeStatus brume_vti_file_parse(BrumeVtiFile *file, const char *path, const uint8_t *bytes, size_t size,
                                 BrumeError *error);

void brume_vti_file_destroy(BrumeVtiFile *file);

/**
 * Reads `count` values of an array, which must have exactly these, to `floats`, or to `doubles` where `floats` is NULL.
 * Before anything is written, brume_vti_array_check must have succeeded for the same count. Fails as
 * brume_vti_file_parse does.
 */
BrumeStatus brume_vti_array_values(const BrumeVtiFile *file, const BrumeVtiArray *array, size_t count, float *floats,
                                   double *doubles, BrumeError *error);

/** Whether an array has a numeric type and `count` values, as far as its size tells, so that memory for them may be
 * allocated. Fails as brume_vti_file_parse does. */
BrumeStatus brume_vti_array_check(const BrumeVtiFile *file, const BrumeVtiArray *array, size_t count,
                                  BrumeError *error);

/** The first text of an array of strings, to be freed with brume_free. Fails as brume_vti_file_parse does. */
BrumeStatus brume_vti_array_text(const BrumeVtiFile *file, const BrumeVtiArray *array, char **text, BrumeError *error);

#endif
