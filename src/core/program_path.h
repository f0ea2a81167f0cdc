/**
 * @file program_path.h
 * Files that are installed with the running program, or built beside it.
 */
#ifndef BRUME_CORE_PROGRAM_PATH_H
#define BRUME_CORE_PROGRAM_PATH_H

#include <limits.h>
#include <stdbool.h>

/** The path of the running program; "" where the system does not provide it. */
void brume_program_path(char path[PATH_MAX]);

/**
 * The path of a file that can be read in the first of `folders` that has it. They are relative to the folder of the
 * running program, as "" and "../lib/", and end with NULL. False where none has it.
 */
bool brume_find_beside_program(char path[PATH_MAX], const char *const *folders, const char *name);

#endif
