/**
 * @file brush_cursor.h
 * The circle of the brush: where it is in the window, and how large.
 */
#ifndef BRUME_VIEWER_BRUSH_CURSOR_H
#define BRUME_VIEWER_BRUSH_CURSOR_H

#include "viewer/viewer_state.h"

/** Notes whether the pointer is over the picture; to be called for every event. `for_panel`: the panel handles it. */
void brume_viewer_note_pointer(BrumeViewer *viewer, const SDL_Event *event, bool for_panel);

/**
 * Sets readouts.brush: around the point at which a stroke would start, or where the stroke in progress is, with the
 * radius that the brush has there. It is not shown where a left drag would move a solid, before a stroke without
 * the HUD, while the camera is dragged, and while pictures are read from the framebuffer.
 */
void brume_viewer_update_brush_cursor(BrumeViewer *viewer);

#endif
