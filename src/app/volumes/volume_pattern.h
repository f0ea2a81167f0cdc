/**
 * @file volume_pattern.h
 * From a file or folder to the sequence of volumes that it belongs to.
 */
#ifndef BRUME_APP_VOLUMES_VOLUME_PATTERN_H
#define BRUME_APP_VOLUMES_VOLUME_PATTERN_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>

/** Whether a path is that of a volume file or of a pattern of them, by its extension, or a folder. */
bool brume_may_be_volumes(const char *path);

/**
 * Finds the volumes of a path: of a folder those of its first volume file in alphabetic order, of one file of a
 * sequence all files of it, "c/p.####.hdf" for c/p.0012.hdf; a pattern, and a file whose name has no number, stay as
 * they are. The first volume is read. BRUME_BAD_INPUT where there is none that can be read.
 */
BrumeStatus brume_volume_pattern_find(const char *path, char *pattern, size_t size, BrumeError *error);

#endif
