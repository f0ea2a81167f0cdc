/**
 * @file archive.h
 * Values as bytes, for files that the same program reads again. A function passes each member of a structure through an
 * archive, which counts, writes or reads it, so that writing and reading cannot disagree. The bytes follow the layout
 * of a little-endian machine with IEEE numbers; headers hold a number by which another byte order is recognized.
 */
#ifndef BRUME_CORE_ARCHIVE_H
#define BRUME_CORE_ARCHIVE_H

#include "brume/vec3.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum BrumeArchiveMode { BRUME_ARCHIVE_COUNT, BRUME_ARCHIVE_WRITE, BRUME_ARCHIVE_READ } BrumeArchiveMode;

/** Counting needs no bytes; `output` must hold the counted bytes. */
typedef struct BrumeArchive {
    BrumeArchiveMode mode;
    uint8_t *output;      ///< written to
    const uint8_t *input; ///< `size` bytes that are read
    size_t position;      ///< bytes that were counted, written or read so far
    size_t size;          ///< while reading
    bool ok;              ///< while reading: whether all values so far were there and in their ranges
} BrumeArchive;

/*
 * Each function counts, writes or reads one value. Reading stops at the first value that is not complete: `ok` is
 * cleared, and this value and all later ones are unchanged.
 */

void brume_archive_bytes(BrumeArchive *archive, void *value, size_t size);
void brume_archive_float(BrumeArchive *archive, float *value);
void brume_archive_vec3(BrumeArchive *archive, BrumeVec3 *value);
void brume_archive_double(BrumeArchive *archive, double *value);
void brume_archive_uint(BrumeArchive *archive, uint32_t *value);
void brume_archive_uint64(BrumeArchive *archive, uint64_t *value);
void brume_archive_int(BrumeArchive *archive, int *value);
void brume_archive_bool(BrumeArchive *archive, bool *value);

/**
 * A number from 0 to `most`: a count of array entries or a value of an enumeration. Another one that is read clears
 * `ok`, and becomes 0.
 */
void brume_archive_count(BrumeArchive *archive, int *value, int most);

/**
 * A text with its length, at most 4096 bytes; NULL is the empty text. One that is read is new, NULL where `ok` is
 * cleared, and is freed with brume_free.
 */
void brume_archive_text(BrumeArchive *archive, char **text);

/**
 * One of the names that `name_at` lists from index 0 until it returns NULL. A name that is read becomes the listed one,
 * which is static; one that is not listed clears `ok`, and becomes NULL.
 */
void brume_archive_name(BrumeArchive *archive, const char **name, const char *(*name_at)(int index));

#endif
