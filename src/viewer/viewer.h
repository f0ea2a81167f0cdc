/**
 * @file viewer.h
 * The interactive viewer: a window that shows a running simulation, in which the user moves the camera, adds smoke and
 * changes settings; or plays stored frames.
 */
#ifndef BRUME_VIEWER_VIEWER_H
#define BRUME_VIEWER_VIEWER_H

#include "core/error.h"
#include "viewer/viewer_def.h"

/**
 * Opens the window and returns after it is closed. BRUME_BAD_INPUT for a scene or a look that cannot be read,
 * BRUME_FAILED without a display, OpenGL 3.3 or memory and where the statistics cannot be written, BRUME_INTERRUPTED
 * after `is_interrupted`, with the statistics written. After the end, a thread may continue to read a frame for some
 * time, with `sequence->frames`. To be called by the main thread, which becomes the window thread.
 */
BrumeStatus brume_viewer_run(const BrumeViewerDef *def, BrumeError *error);

#endif
