/**
 * @file path.h
 * Parts of file paths.
 */
#ifndef BRUME_CORE_PATH_H
#define BRUME_CORE_PATH_H

#include <stdio.h>
#include <string.h>

/** The name of a file: what follows the last slash of its path. */
static inline const char *brume_path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/** Writes the folder of a file, up to the last slash of its path, or "."; returns its length, as snprintf. */
static inline int brume_path_folder(const char *path, char *folder, size_t size)
{
    const int length = (int)(brume_path_name(path) - path);
    return snprintf(folder, size, "%.*s", length > 0 ? length : 1, length > 0 ? path : ".");
}

#endif
