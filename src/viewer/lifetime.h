/**
 * @file lifetime.h
 * Creates the viewer with its window and threads, and ends it.
 */
#ifndef BRUME_VIEWER_LIFETIME_H
#define BRUME_VIEWER_LIFETIME_H

#include "viewer/viewer_def.h"
#include "viewer/viewer_state.h"

/**
 * Loads the scene or the look, opens the window and starts the threads of a viewer that is zeroed. After a failure it
 * is to be destroyed all the same.
 */
BrumeStatus brume_viewer_create(BrumeViewer *viewer, const BrumeViewerDef *def, BrumeError *error);

/** Writes what is kept for the next run: window, panel and brush. A failure is ignored. */
void brume_viewer_save_window_state(BrumeViewer *viewer);

/** Hides the window. */
void brume_viewer_hide(BrumeViewer *viewer);

/** Asks the threads to end; false where one has not soon, because it computes. */
bool brume_viewer_stop_threads(BrumeViewer *viewer);

/** Waits for the threads, and frees all. */
void brume_viewer_destroy(BrumeViewer *viewer);

#endif
