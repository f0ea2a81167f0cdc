/**
 * @file lifetime.h
 * Creates the viewer with its window and threads, and ends it.
 */
#ifndef BRUME_VIEWER_LIFETIME_H
#define BRUME_VIEWER_LIFETIME_H

#include "viewer/viewer_def.h"
#include "viewer/viewer_state.h"

/**
 * Loads the scene or the look, opens the window and starts the threads of a zeroed viewer. Where the user closes
 * the window before the scene is read, `viewer->scene` is NULL, and there is nothing to show. After a failure it must
 * be destroyed, too.
 */
BrumeStatus brume_viewer_create(BrumeViewer *viewer, const BrumeViewerDef *def, BrumeError *error);

/** Writes the state of window, panel and brush for the next run. A failure is ignored. */
void brume_viewer_save_window_state(BrumeViewer *viewer);

/** Hides the window. */
void brume_viewer_hide(BrumeViewer *viewer);

/** Requests the end of all threads; false if one does not end soon, because it computes. */
bool brume_viewer_stop_threads(BrumeViewer *viewer);

/** Waits for the threads, and frees everything. */
void brume_viewer_destroy(BrumeViewer *viewer);

#endif
