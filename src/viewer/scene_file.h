/**
 * @file scene_file.h
 * Loads scenes into the viewer, and saves the current state as a scene that reproduces it.
 */
#ifndef BRUME_VIEWER_SCENE_FILE_H
#define BRUME_VIEWER_SCENE_FILE_H

#include "core/error.h"
#include "viewer/scene_save.h"

#include <stdbool.h>

struct BrumeViewer;

/**
 * Reads a scene and replaces the current one, or starts the simulation thread with it. Fails as brume_scene_load and
 * brume_simulation_thread_create do; the current scene stays then.
 */
BrumeStatus brume_viewer_load_scene(struct BrumeViewer *viewer, const char *path, const char *const *overrides,
                                    int count, BrumeError *error);

/**
 * Loads the look of the sequence that is played and replaces the current one. Fails as BrumeViewerSequence.load_look
 * does; the current look stays then.
 */
BrumeStatus brume_viewer_load_look(struct BrumeViewer *viewer, BrumeError *error);

/**
 * Requests the replay of the simulation to save it to `path`; "" for the next numbered name. Where a sequence is
 * played, its look with the present camera is saved at once. Does nothing while a scene is being saved to a file of the
 * user or for a job; one that is to be kept is given up instead.
 */
void brume_viewer_request_save(struct BrumeViewer *viewer, BrumeSaveDestination destination, const char *path,
                               BrumeSceneSaved *then);

/** Whether a scene is being saved to a file of the user or for a job. */
bool brume_viewer_is_saving(const struct BrumeViewer *viewer);

/**
 * The scene of the present settings, look and camera as text, without the strokes so far; to be freed with brume_free.
 * BRUME_FAILED without memory.
 */
BrumeStatus brume_viewer_scene_text(const struct BrumeViewer *viewer, char **text, BrumeError *error);

/** Goes on with saving: begins to write the scene when its replay is there; when it is written, what follows is done.
 */
void brume_viewer_finish_save(struct BrumeViewer *viewer);

#endif
