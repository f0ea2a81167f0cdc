/**
 * @file input_file.h
 * Opens a file that a user has named. Where there is none, the message suggests the file of the same folder whose name
 * is closest.
 */
#ifndef BRUME_CORE_INPUT_FILE_H
#define BRUME_CORE_INPUT_FILE_H

#include "core/error.h"

BRUME_BEGIN_DECLS

/**
 * Opens the file to read it, and does not wait for a pipe that nothing writes to. `*file` is its descriptor, which the
 * caller closes. BRUME_BAD_INPUT where the path is wrong, BRUME_FAILED where resources lack.
 */
BrumeStatus brume_open_input(int *file, const char *path, BrumeError *error);

BRUME_END_DECLS

#endif
