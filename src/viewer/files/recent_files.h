/**
 * @file recent_files.h
 * The files that were opened last.
 */
#ifndef BRUME_VIEWER_FILES_RECENT_FILES_H
#define BRUME_VIEWER_FILES_RECENT_FILES_H

#include <stdbool.h>

enum { BRUME_RECENT_FILES = 12, BRUME_RECENT_PATH = 1024 };

/** All zero: none. */
typedef struct BrumeRecentFiles {
    int count;
    char paths[BRUME_RECENT_FILES][BRUME_RECENT_PATH]; ///< absolute, the latest first
} BrumeRecentFiles;

/**
 * Makes a file, or a pattern of files as cache/plume.####.hdf, the latest one. It is entered once, by its absolute
 * path; the oldest one is removed where there is no room. A path that is too long is not entered.
 */
void brume_recent_files_add(BrumeRecentFiles *recent, const char *path);

/** The absolute path of a file, or of a pattern of files by that of its folder. False where there is no folder, or it
 * is too long. */
bool brume_absolute_path(const char *path, char absolute[BRUME_RECENT_PATH]);

/** Removes those that do not exist any more; of a pattern its folder counts. */
void brume_recent_files_drop_missing(BrumeRecentFiles *recent);

#endif
