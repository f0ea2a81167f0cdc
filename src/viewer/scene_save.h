/**
 * @file scene_save.h
 * What a scene is saved for, and where (scene_file.h).
 */
#ifndef BRUME_VIEWER_SCENE_SAVE_H
#define BRUME_VIEWER_SCENE_SAVE_H

#include "brume/camera.h"
#include "core/error.h"
#include "viewer/controls/controls.h"

#include <stdbool.h>

/** Where a scene is saved to. */
typedef enum BrumeSaveDestination {
    BRUME_SAVE_NOTHING, ///< none is being saved
    BRUME_SAVE_FILE,    ///< a file of the user
    BRUME_SAVE_JOB,     ///< that of a job
    BRUME_SAVE_KEPT,    ///< the edits that are kept (kept_scenes.h)
} BrumeSaveDestination;

struct BrumeViewer;

/** Called when a scene is saved, or could not be: with an error. */
typedef void BrumeSceneSaved(struct BrumeViewer *viewer, const BrumeError *error);

/** A scene that is being saved: the replay of the simulation has been requested, and is then written. */
typedef struct BrumeSceneSave {
    BrumeSaveDestination destination;
    BrumeSceneSaved *then; ///< NULL: nothing
    char path[BRUME_VIEWER_PATH];
    BrumeCamera camera;                       ///< of its last frame
    int frames;                               ///< of the scene; 0: as many as were simulated
    bool is_past;                             ///< it ends with an earlier frame than the present one
    unsigned position;                        ///< in the undo history
    bool is_written;                          ///< its replay is there, and the file is being written
    char message[2 * BRUME_VIEWER_PATH + 64]; ///< for the user, when it is
} BrumeSceneSave;

#endif
