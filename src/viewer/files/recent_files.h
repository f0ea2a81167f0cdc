/**
 * @file recent_files.h
 * The files that were opened last.
 */
#ifndef BRUME_VIEWER_FILES_RECENT_FILES_H
#define BRUME_VIEWER_FILES_RECENT_FILES_H

#include <stdbool.h>

enum { BRUME_RECENT_FILES = 12, BRUME_RECENT_PATH = 1024 };

/** The list of recent files. Zeroed, it is empty. */
typedef struct BrumeRecentFiles {
    int count;
    char paths[BRUME_RECENT_FILES][BRUME_RECENT_PATH]; ///< absolute, the latest first
} BrumeRecentFiles;

/**
 * Makes a file, or a pattern of files such as cache/plume.####.hdf, the latest one. The list has it once, by its
 * absolute path; the oldest file is removed where there is no room. A path that is too long is not added.
 */
void brume_recent_files_add(BrumeRecentFiles *recent, const char *path);

/** Writes the absolute path of a file or a pattern of files. False where its folder is missing, or it is too long. */
bool brume_absolute_path(const char *path, char absolute[BRUME_RECENT_PATH]);

/** Removes files that do not exist any more, and patterns whose folder does not exist. */
void brume_recent_files_drop_missing(BrumeRecentFiles *recent);

#endif
