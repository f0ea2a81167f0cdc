/**
 * @file scene_saver.h
 * Saves the present state as a scene that reproduces it: to a file of the user, for a job, or, until the user does, to
 * a file that keeps the edits (files/kept_files.h). The edits are kept shortly after each, and before the window
 * closes, the simulation restarts or another scene is opened. So nothing is lost, and no question is asked.
 */
#ifndef BRUME_VIEWER_SCENE_SAVER_H
#define BRUME_VIEWER_SCENE_SAVER_H

#include "viewer/viewer_state.h"

/** Finds the folder of the scenes that are kept, and lists them. */
void brume_viewer_start_keeping(BrumeViewer *viewer);

/** Edits count from the present state on: a scene was loaded, or the simulation restarts. Called after each. */
void brume_viewer_begin_kept_scene(BrumeViewer *viewer);

/**
 * Requests the replay of the simulation to save it to `path`; "" for the next numbered name. Where a sequence is
 * played, its look with the present camera is saved at once. Does nothing while a scene is being saved; one that is to
 * be kept and not yet written is given up instead.
 */
void brume_viewer_save_scene(BrumeViewer *viewer, const char *path);

/** The same for a job, whose last frame is `frames`: when the scene is saved, `start_job` is called. */
void brume_viewer_save_job_scene(BrumeViewer *viewer, const char *path, int frames, void (*start_job)(BrumeViewer *));

/**
 * The scene of the present settings, look and camera as text, without the strokes so far; to be freed with brume_free.
 * BRUME_FAILED without memory.
 */
BrumeStatus brume_viewer_scene_text(const BrumeViewer *viewer, char **text, BrumeError *error);

/** Whether a scene is being saved to a file of the user or for a job, or is being written. */
bool brume_viewer_is_saving(const BrumeViewer *viewer);

/**
 * Goes on with saving: begins to write the scene when its replay is there; when it is written, the user is told, edits
 * that it has are kept no longer, or its job starts.
 */
void brume_viewer_finish_save(BrumeViewer *viewer);

/** Keeps the scene if it is due. Called in every iteration. */
void brume_viewer_keep_scene(BrumeViewer *viewer, double now);

/**
 * Keeps the present state of the scene if it has edits that were not saved, and waits for that at most `seconds`.
 * Returns whether the file has all of them; true without any.
 */
bool brume_viewer_keep_scene_now(BrumeViewer *viewer, double seconds);

/** At the end of the program: keeps the scene, with the present frame where that comes soon, and waits for its file. */
void brume_viewer_end_saving(BrumeViewer *viewer);

/** Whether the file of this path keeps edits that were not saved. */
bool brume_viewer_is_kept_scene(const BrumeViewer *viewer, const char *path);

#endif
