/**
 * @file viewer.h
 * The interactive viewer: a window that shows a running simulation, in which the user moves the camera, adds smoke and
 * changes settings; or one that plays frames which were computed before.
 */
#ifndef BRUME_VIEWER_VIEWER_H
#define BRUME_VIEWER_VIEWER_H

#include "core/error.h"
#include "viewer/viewer_def.h"

/**
 * Opens the window and returns after it is closed. BRUME_BAD_INPUT for a scene or a look that cannot be read,
 * BRUME_FAILED without a display, OpenGL 3.3 or memory and where the statistics cannot be written, BRUME_INTERRUPTED
 * after `is_interrupted`, with the statistics written. A frame that is being read at the end may be read on by a thread
 * for some time, which uses `sequence->frames`. To be called by the main thread, which becomes the window thread.
 */
BrumeStatus brume_viewer_run(const BrumeViewerDef *def, BrumeError *error);

#endif
