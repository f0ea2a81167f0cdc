/**
 * @file file.h
 * Files that appear whole or not at all.
 */
#ifndef BRUME_IO_FILE_H
#define BRUME_IO_FILE_H

#include "core/error.h"

#include <stddef.h>

/**
 * Writes `size` bytes to `path`: beside it, flushed to the disk, then renamed onto it, so that readers see the old
 * file or the new one. BRUME_FAILED with the system's reason, and nothing left behind, where that fails.
 */
BrumeStatus brume_file_write(const char *path, const void *bytes, size_t size, BrumeError *error);

/** Makes the folder that `path` lies in, and those above it. */
BrumeStatus brume_file_make_folder(const char *path, BrumeError *error);

#endif
