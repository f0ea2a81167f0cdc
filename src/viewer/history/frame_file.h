/**
 * @file frame_file.h
 * A temporary file for frames that have no room in memory. It has no name, so that it is gone with the program, however
 * that ends. The space of frames that are removed is used again.
 */
#ifndef BRUME_VIEWER_HISTORY_FRAME_FILE_H
#define BRUME_VIEWER_HISTORY_FRAME_FILE_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** Space in the file. All zero: none. */
typedef struct BrumeFileExtent {
    uint64_t offset, size; ///< [bytes]
} BrumeFileExtent;

/** Zeroed but `budget`, it is empty and has no file. */
typedef struct BrumeFrameFile {
    uint64_t budget; ///< most bytes of the file; 0: none is written
    uint64_t used;   ///< bytes of all extents
    uint64_t end;    ///< of the last extent
    bool is_open;
    int descriptor;
    int free_count, free_capacity;
    BrumeFileExtent *free_extents; ///< in the order of their offsets; no two are adjacent
} BrumeFrameFile;

/** Whether there is room for this many bytes within the budget. */
bool brume_frame_file_has_room(const BrumeFrameFile *file, size_t size);

/**
 * Takes an extent of this size, for which there is room. The file is created with the first of them: in
 * `$XDG_CACHE_HOME/brume`, `~/.cache/brume`, `$TMPDIR` or `/tmp`, the first in which that is possible. BRUME_FAILED
 * where it is in none, and where less than twice the size is free; `extent` is zero then. The budget becomes at most
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
