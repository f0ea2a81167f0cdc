/**
 * @file kept_files.h
 * Scenes with unsaved edits as files of the user: each in a folder named by the time at which its edits began,
 * FOLDER/20261124-174512/NAME.yaml, so that the file has the name of the scene.
 */
#ifndef BRUME_VIEWER_FILES_KEPT_FILES_H
#define BRUME_VIEWER_FILES_KEPT_FILES_H

#include "core/error.h"
#include "viewer/files/recent_files.h"

#include <time.h>

enum { BRUME_KEPT_FILES = 12 };

/** A scene with unsaved edits. */
typedef struct BrumeKeptFile {
    char path[BRUME_RECENT_PATH];
    char label[96]; ///< "plume, frame 52, 2026-11-24 17:45:12": name, last frame and time
} BrumeKeptFile;

/** A list of such scenes. Zeroed, it is empty. */
typedef struct BrumeKeptFiles {
    int count;
    BrumeKeptFile files[BRUME_KEPT_FILES]; ///< the latest first
} BrumeKeptFiles;

/**
 * Creates the folder of a new scene and writes the path of its file to `path` (BRUME_RECENT_PATH bytes). `stem` is its
 * name without extension. BRUME_FAILED with the system's reason; `path` is "" then.
 */
BrumeStatus brume_kept_files_add(const char *folder, const char *stem, time_t now, char *path, BrumeError *error);

/** Lists the latest BRUME_KEPT_FILES scenes except `except`, which may be "". None where the folder cannot be read. */
void brume_kept_files_list(BrumeKeptFiles *kept, const char *folder, const char *except);

/** Removes all scenes except the latest BRUME_KEPT_FILES. Failures are ignored. */
void brume_kept_files_prune(const char *folder);

/** Removes the folder of an added scene whose file was not written. */
void brume_kept_files_drop(const char *path);

#endif
