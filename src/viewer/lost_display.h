/**
 * @file lost_display.h
 * The end of the viewer when the connection to the X server ends: it has no window any more, but files to write.
 */
#ifndef BRUME_VIEWER_LOST_DISPLAY_H
#define BRUME_VIEWER_LOST_DISPLAY_H

#include "viewer/viewer_state.h"

/**
 * From now on, if the connection is lost, a recording ends, waiting pictures and a scene that is being saved are
 * written, the running job completes its frame, one line is printed and the program ends with status 1. Xlib calls this
 * within any of its functions, which cannot return. `is_interrupted` (NULL: never) ends the wait.
 */
void brume_viewer_expect_lost_display(BrumeViewer *viewer, bool (*is_interrupted)(void));

#endif
