/**
 * @file frame_file.h
 * A temporary file for frames that do not fit into memory. It has no name, so that the system removes it however the
 * program ends. The space of removed frames is used again.
 */
#ifndef BRUME_VIEWER_HISTORY_FRAME_FILE_H
#define BRUME_VIEWER_HISTORY_FRAME_FILE_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** A part of the file. Zeroed: none. */
typedef struct BrumeFileExtent {
    uint64_t offset, size; ///< [bytes]
} BrumeFileExtent;

/** The file. Zeroed except for `budget`, it is empty and not created. */
typedef struct BrumeFrameFile {
    uint64_t budget; ///< maximum size of the file [bytes]; 0: none is written
    uint64_t used;   ///< bytes of all extents
    uint64_t end;    ///< end of the last extent
    bool is_open;
    int descriptor;
    int free_count, free_capacity;
    BrumeFileExtent *free_extents; ///< in the order of their offsets; no two are adjacent
} BrumeFrameFile;

/** Whether there is room for this many bytes within the budget. */
bool brume_frame_file_has_room(const BrumeFrameFile *file, size_t size);

/**
 * Allocates an extent of this size, for which there must be room. The first call creates the file: in
 * `$XDG_CACHE_HOME/brume`, `~/.cache/brume`, `$TMPDIR` or `/tmp`, the first where this is possible. BRUME_FAILED where
 * it is possible in none, and where less than twice the size is free; `extent` is zero then. The budget becomes at most
 * half of the space that is free when the file is created.
 */
BrumeStatus brume_frame_file_take(BrumeFrameFile *file, size_t size, BrumeFileExtent *extent, BrumeError *error);

/**
 * Writes bytes to an extent. May be called while another thread reads. BRUME_FAILED where the system cannot write them,
 * as on a full disk.
 */
BrumeStatus brume_frame_file_write(const BrumeFrameFile *file, const BrumeFileExtent *extent, const void *bytes,
                                   size_t size, BrumeError *error);

/** Reads the start of an extent. May be called while another thread writes to another one. */
BrumeStatus brume_frame_file_read(const BrumeFrameFile *file, const BrumeFileExtent *extent, void *bytes, size_t size,
                                  BrumeError *error);

/** Frees an extent. */
void brume_frame_file_free(BrumeFrameFile *file, const BrumeFileExtent *extent);

/** Closes the file, and frees everything. */
void brume_frame_file_close(BrumeFrameFile *file);

#endif
