/**
 * @file data_file.h
 * Where the files that come with the program are.
 */
#ifndef BRUME_APP_CLI_DATA_FILE_H
#define BRUME_APP_CLI_DATA_FILE_H

#include "app/cli/output_pattern.h"
#include "core/error.h"

/**
 * Finds scenes/`name` below the working folder, beside the program's build tree, or where it is installed. Fails with
 * BRUME_BAD_INPUT where it is in none of them.
 */
BrumeStatus brume_find_scene(const char *name, char path[BRUME_MAX_PATH], BrumeError *error);

#endif
