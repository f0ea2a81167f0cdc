/**
 * @file volume_info.h
 * The properties of a volume file, for `brume info`.
 */
#ifndef BRUME_APP_INFO_VOLUME_INFO_H
#define BRUME_APP_INFO_VOLUME_INFO_H

#include "core/error.h"

/**
 * Reads a volume file and prints its grids, its box and its problems on standard output. Fails as
 * brume_volume_file_read does.
 */
BrumeStatus brume_print_volume_info(const char *path, BrumeError *error);

#endif
