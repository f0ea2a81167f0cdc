/**
 * @file file.h
 * Files that appear whole or not at all.
 */
#ifndef BRUME_IO_FILE_H
#define BRUME_IO_FILE_H

#include "core/error.h"
#include "core/text.h"

#include <stddef.h>

/**
 * Writes `size` bytes to `path`: beside it, flushed to the disk, then renamed onto it, so that readers see the old
 * file or the new one. A symbolic link stays one; what it points to is replaced. BRUME_FAILED with the system's
 * reason, and nothing left behind, where that fails or where `path` is a folder, a device or a pipe. Any number of
 * threads may write at a time.
 */
BrumeStatus brume_file_write(const char *path, const void *bytes, size_t size, BrumeError *error);

/** Writes a text as brume_file_write does. BRUME_FAILED where it is incomplete for want of memory; no file then. */
BrumeStatus brume_file_write_text(const char *path, const BrumeText *text, BrumeError *error);

/** Makes the folder that `path` lies in, and those above it. BRUME_FAILED with the system's reason. */
BrumeStatus brume_file_make_folder(const char *path, BrumeError *error);

#endif
