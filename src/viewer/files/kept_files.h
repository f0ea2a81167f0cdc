/**
 * @file kept_files.h
 * The scenes whose edits were not saved, as files of the user: each in a folder with the time at which its edits began
 * as name, FOLDER/20261124-174512/NAME.yaml, so that the file has the name of the scene.
 */
#ifndef BRUME_VIEWER_FILES_KEPT_FILES_H
#define BRUME_VIEWER_FILES_KEPT_FILES_H

#include "core/error.h"
#include "viewer/files/recent_files.h"

#include <time.h>

enum { BRUME_KEPT_FILES = 12 };

/** Such a scene. */
typedef struct BrumeKeptFile {
    char path[BRUME_RECENT_PATH];
    char label[96]; ///< "plume, frame 52, 2026-11-24 17:45:12": its name, length and time
} BrumeKeptFile;

/** All zero: none. */
typedef struct BrumeKeptFiles {
    int count;
    BrumeKeptFile files[BRUME_KEPT_FILES]; ///< the latest first
} BrumeKeptFiles;

/**
 * Creates the folder of a new scene and writes to `path` (BRUME_RECENT_PATH bytes) which file it is to have. `stem` is
 * its name without extension. BRUME_FAILED with the system's reason; `path` is "" then.
 */
BrumeStatus brume_kept_files_add(const char *folder, const char *stem, time_t now, char *path, BrumeError *error);

/** Lists the latest BRUME_KEPT_FILES scenes but `except`, which may be "". None where the folder cannot be read. */
void brume_kept_files_list(BrumeKeptFiles *kept, const char *folder, const char *except);

/** Removes all but the latest BRUME_KEPT_FILES scenes. Failures are ignored. */
void brume_kept_files_prune(const char *folder);

/** Removes the folder of a scene that was added and never written. */
void brume_kept_files_drop(const char *path);

#endif
