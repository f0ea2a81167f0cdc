/**
 * @file file.h
 * Whole files: reading, and atomic writing, so that a reader opens the old file or the complete new one.
 */
#ifndef BRUME_IO_FILE_H
#define BRUME_IO_FILE_H

#include "core/error.h"
#include "core/text.h"

#include <stddef.h>
#include <stdint.h>

/**
 * Writes `size` bytes to a temporary file in the folder of `path`, flushes it to the disk and renames it to `path`. If
 * `path` is a symbolic link, its target is replaced. BRUME_FAILED with the system's reason where that fails, or where
 * `path` is a folder, a device or a pipe; `path` is unchanged and the temporary file is removed then. Any number of
 * threads may write at the same time, also to one path.
 */
BrumeStatus brume_file_write(const char *path, const void *bytes, size_t size, BrumeError *error);

/** Writes a text as brume_file_write does. BRUME_FAILED, without a file, where the text is incomplete because memory
 * ran out. */
BrumeStatus brume_file_write_text(const char *path, const BrumeText *text, BrumeError *error);

/**
 * Creates the folder that contains `path`, and its parents. BRUME_FAILED with the system's reason; parents that were
 * created before the failure remain.
 */
BrumeStatus brume_file_make_folder(const char *path, BrumeError *error);

/**
 * Reads a regular file; `*bytes` is freed with brume_free. BRUME_BAD_INPUT where there is none, BRUME_FAILED without
 * memory or with the system's reason; `*bytes` is NULL then.
 */
BrumeStatus brume_file_read(const char *path, uint8_t **bytes, size_t *size, BrumeError *error);

#endif
