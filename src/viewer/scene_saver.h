/**
 * @file scene_saver.h
 * Saves the present state as a scene that reproduces it: to a file of the user, for a job, or automatically to a file
 * for unsaved edits (files/kept_files.h). This file is written shortly after each edit, and before the window closes,
 * the simulation restarts or another scene is opened, so that no edit is lost without a question to the user.
 */
#ifndef BRUME_VIEWER_SCENE_SAVER_H
#define BRUME_VIEWER_SCENE_SAVER_H

#include "viewer/viewer_state.h"

/** Finds the folder of scenes with unsaved edits, and lists them. */
void brume_viewer_start_keeping(BrumeViewer *viewer);

/** Makes the present state the one without unsaved edits, after a scene was loaded or the simulation was restarted. */
void brume_viewer_begin_kept_scene(BrumeViewer *viewer);

/**
 * Requests the replay of the simulation to save it to `path`; "" for the next numbered name. For a sequence, its look
 * with the present camera is saved at once. Does nothing while a scene is being saved; but an automatic save that is
 * not being written yet is canceled.
 */
void brume_viewer_save_scene(BrumeViewer *viewer, const char *path);

/** The same for a job with the last frame `frames`. Calls `start_job` when the scene is saved. */
void brume_viewer_save_job_scene(BrumeViewer *viewer, const char *path, int frames, void (*start_job)(BrumeViewer *));

/**
 * Writes the scene of the present settings, look and camera as text, without the strokes so far; to be freed with
 * brume_free. BRUME_FAILED without memory.
 */
BrumeStatus brume_viewer_scene_text(const BrumeViewer *viewer, char **text, BrumeError *error);

/** Whether a scene is being saved to a file of the user or for a job, or is being written. */
bool brume_viewer_is_saving(const BrumeViewer *viewer);

/**
 * Continues saving: begins to write the scene when its replay is ready. When it is written, shows a message and removes
 * the file of unsaved edits, or starts its job.
 */
void brume_viewer_finish_save(BrumeViewer *viewer);

/** Saves unsaved edits if this is due. Called in every iteration. */
void brume_viewer_keep_scene(BrumeViewer *viewer, double now);

/**
 * Saves unsaved edits of the present state automatically, and waits for it at most `seconds`. Returns whether the file
 * has all of them; true without any.
 */
bool brume_viewer_keep_scene_now(BrumeViewer *viewer, double seconds);

/** Saves unsaved edits at the end of the program, with the present frame if it is ready soon; waits for the file. */
void brume_viewer_end_saving(BrumeViewer *viewer);

/** Whether the file of this path is one for unsaved edits. */
bool brume_viewer_is_kept_scene(const BrumeViewer *viewer, const char *path);

#endif
