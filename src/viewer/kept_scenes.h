/**
 * @file kept_scenes.h
 * Keeps the edits of a scene that is simulated, until they are saved, as a scene in a file of the user (kept_files.h):
 * shortly after an edit, and before the window closes, the simulation restarts or another scene is opened. So nothing
 * is lost, and no question is asked.
 */
#ifndef BRUME_VIEWER_KEPT_SCENES_H
#define BRUME_VIEWER_KEPT_SCENES_H

#include "core/error.h"

#include <stdbool.h>

struct BrumeViewer;

/** How long the end of the program waits for the present frame, to keep the scene with it [s]. */
#define BRUME_VIEWER_MAX_KEEP_WAIT 2.0

/** Finds the folder and lists the scenes in it. */
void brume_viewer_start_keeping(struct BrumeViewer *viewer);

/** Edits count from the present state on: a scene was loaded, or the simulation restarts. Called after each. */
void brume_viewer_begin_kept_scene(struct BrumeViewer *viewer);

/** Keeps the scene if it is due. Called in every iteration. */
void brume_viewer_keep_scene(struct BrumeViewer *viewer, double now);

/** For brume_viewer_request_save, of a file of the user: edits that it has are kept no longer. */
void brume_viewer_note_file_saved(struct BrumeViewer *viewer, const BrumeError *error);

/**
 * Keeps the present state of the scene if it has edits that were not saved, and waits for that at most `seconds`.
 * Returns whether the file has all of them; true without any.
 */
bool brume_viewer_keep_scene_now(struct BrumeViewer *viewer, double seconds);

/** Whether the file of this path keeps edits that were not saved. */
bool brume_viewer_is_kept_scene(const struct BrumeViewer *viewer, const char *path);

#endif
