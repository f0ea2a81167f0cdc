/**
 * @file checkpoint_folder.h
 * The folder of a run's checkpoints, one file for each frame: `out/plume.checkpoints/0048.checkpoint` for images
 * `out/plume.####.png`. The folder exists while it holds files.
 */
#ifndef BRUME_APP_CHECKPOINT_CHECKPOINT_FOLDER_H
#define BRUME_APP_CHECKPOINT_CHECKPOINT_FOLDER_H

#include "app/cli/paths.h"
#include "core/error.h"

#include <stdbool.h>

/** The folder and the frames of its checkpoints. */
typedef struct BrumeCheckpointFolder {
    char path[BRUME_MAX_PATH - 64];
    int count, capacity;
    int *frames;   ///< in ascending order after brume_checkpoint_folder_open; then in the order of writing
    int protected; ///< number of the first frames, kept on purpose by an earlier run; only --overwrite removes them
    bool exists;   ///< the folder exists, and is locked by the descriptor `lock`
    bool busy;     ///< another process had locked it at the last attempt
    int lock;
} BrumeCheckpointFolder;

/**
 * Lists the checkpoints of a folder, none if it does not exist, locks it for this process, and removes incomplete files
 * that a killed process left. BRUME_FAILED where another process has locked it, where it cannot be read, and without
 * memory. brume_checkpoint_folder_close is allowed after a failure.
 */
BrumeStatus brume_checkpoint_folder_open(BrumeCheckpointFolder *folder, const char *path, BrumeError *error);

/** Creates the folder and locks it, if this is not done yet. Fails as brume_checkpoint_folder_open does. */
BrumeStatus brume_checkpoint_folder_make(BrumeCheckpointFolder *folder, BrumeError *error);

/** Writes the path of the checkpoint of a frame. */
void brume_checkpoint_path(const BrumeCheckpointFolder *folder, int frame, char path[BRUME_MAX_PATH]);

/** Whether an earlier run has kept the checkpoint of a frame on purpose. */
bool brume_checkpoint_folder_protects(const BrumeCheckpointFolder *folder, int frame);

/**
 * Adds the written checkpoint of a frame, and removes the oldest ones until at most `keep` are left, in addition to the
 * protected ones. BRUME_FAILED without memory.
 */
BrumeStatus brume_checkpoint_folder_add(BrumeCheckpointFolder *folder, int frame, int keep, BrumeError *error);

/** Protects the checkpoints in the folder from later runs, by a file `kept` in it. BRUME_FAILED if it cannot be made.
 */
BrumeStatus brume_checkpoint_folder_protect(const BrumeCheckpointFolder *folder, BrumeError *error);

/** Removes the checkpoints, protected ones only with `all`, and the folder if it is empty then. */
void brume_checkpoint_folder_clear(BrumeCheckpointFolder *folder, bool all);

/** Unlocks the folder and frees the list. */
void brume_checkpoint_folder_close(BrumeCheckpointFolder *folder);

#endif
