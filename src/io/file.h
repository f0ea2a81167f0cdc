/**
 * @file file.h
 * Whole files: reading, and atomic writing, so that a reader opens the old file or the complete new one.
 */
#ifndef BRUME_IO_FILE_H
#define BRUME_IO_FILE_H

#include "core/bytes.h"
#include "core/error.h"
#include "core/text.h"
#include "io/shared_memory.h"

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

BRUME_BEGIN_DECLS

/**
 * Writes `size` bytes to a temporary file in the folder of `path`, flushes it to the disk and renames it to `path`. If
 * `path` is a symbolic link, its target is replaced. BRUME_FAILED with the system's reason where that fails, or where
 * `path` is a folder, a device or a pipe; `path` is unchanged and the temporary file is removed then. Any number of
 * threads and processes may write at the same time, also to one path.
 *
 * The temporary file is `path.brume-N.part` with the smallest free number N, and is locked (flock) while it is written.
 * A process that is killed leaves it behind; the next write to the same path removes it, because it is no longer
 * locked. Where the file system has no locks, such files stay, and a write takes another number.
 */
BrumeStatus brume_file_write(const char *path, const void *bytes, size_t size, BrumeError *error);

/**
 * Writes a file as brume_file_write does, but never replaces one: BRUME_FAILED where `path` exists, also where another
 * process creates it at the same time. Of several processes, one succeeds.
 */
BrumeStatus brume_file_create(const char *path, const void *bytes, size_t size, BrumeError *error);

/** A file that is written little by little, under the name of a temporary file until it is complete. */
typedef struct BrumePartFile {
    bool open;
    bool replace;
    bool flushed;             ///< all that was written is on the disk
    int descriptor;           ///< of the temporary file, which is locked; for writing
    char temporary[PATH_MAX]; ///< its path, for a library that opens the file itself
    char target[PATH_MAX];    ///< the file to create or to replace
    char path[PATH_MAX];      ///< the path that was given, for messages
} BrumePartFile;

/**
 * Creates the temporary file for `path`, as brume_file_write does. With `replace`, brume_file_commit_part replaces an
 * existing file; without, BRUME_FAILED where `path` exists now or at the commit. BRUME_FAILED as brume_file_write;
 * `part` is closed then.
 */
BrumeStatus brume_file_open_part(BrumePartFile *part, const char *path, bool replace, BrumeError *error);

/**
 * Flushes the temporary file to the disk, also bytes that were written through another descriptor, renames it to its
 * final name and closes it. BRUME_FAILED with the system's reason; the temporary file is removed then.
 */
BrumeStatus brume_file_commit_part(BrumePartFile *part, BrumeError *error);

/**
 * Writes `count` parts one after the other to the temporary file and flushes them to the disk, so that
 * brume_file_commit_part has little left that can fail. BRUME_FAILED with the system's reason; the temporary file is
 * removed then.
 */
BrumeStatus brume_file_fill_part(BrumePartFile *part, const BrumeBytes *parts, int count, BrumeError *error);

/** Removes the temporary file and closes it. A closed one, and all zero, is allowed. */
void brume_file_abandon_part(BrumePartFile *part);

/**
 * Writes `count` parts one after the other to one file, as brume_file_write does where `replace`, and otherwise as
 * brume_file_create does.
 */
BrumeStatus brume_file_write_parts(const char *path, const BrumeBytes *parts, int count, bool replace,
                                   BrumeError *error);

/**
 * Checks before long work that brume_file_write can replace or create `path`: creates its folder, as
 * brume_file_make_folder does, and a temporary file in it, which is removed. BRUME_FAILED as these functions do.
 */
BrumeStatus brume_file_check_writable(const char *path, BrumeError *error);

/**
 * Removes the temporary files that killed processes have left for the targets `prefix` DIGITS `suffix`, for example
 * prefix = "out/plume.", suffix = ".png". Files that a process still writes stay. Failures are ignored.
 */
void brume_file_remove_abandoned(const char *prefix, const char *suffix);

/** Fails with BRUME_FAILED and "PATH: cannot write: " followed by the text for `reason`, a value of errno. EEXIST means
 * that another program has created a file that was not to be replaced. */
BrumeStatus brume_fail_write(BrumeError *error, const char *path, int reason);

/** Writes a text as brume_file_write does. BRUME_FAILED, without a file, where the text is incomplete because memory
 * ran out. */
BrumeStatus brume_file_write_text(const char *path, const BrumeText *text, BrumeError *error);

/**
 * Creates the folder that contains `path`, and its parents. BRUME_FAILED with the system's reason; parents that were
 * created before the failure remain.
 */
BrumeStatus brume_file_make_folder(const char *path, BrumeError *error);

/**
 * Reads a regular file; `*bytes` is freed with brume_free. BRUME_BAD_INPUT where there is none, BRUME_FAILED where it
 * does not fit into the memory that is available or with the system's reason; `*bytes` is NULL then.
 */
BrumeStatus brume_file_read(const char *path, uint8_t **bytes, size_t *size, BrumeError *error);

/** As brume_file_read, into a block of memory that is created for it. `*memory` is all zero after a failure. */
BrumeStatus brume_file_read_shared(const char *path, BrumeSharedMemory *memory, BrumeSharedBlock *block,
                                   BrumeError *error);

BRUME_END_DECLS

#endif
