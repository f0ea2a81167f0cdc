/**
 * @file brush_cursor.h
 * The parts under the pointer: objects and handles for the select tool, and the circle of the brush.
 */
#ifndef BRUME_VIEWER_BRUSH_CURSOR_H
#define BRUME_VIEWER_BRUSH_CURSOR_H

#include "viewer/viewer_state.h"

/** Stores the position of the pointer; to be called for every event, also events that the panel handles. */
void brume_viewer_note_pointer(BrumeViewer *viewer, const SDL_Event *event);

/** Sets the object and the handle under the pointer; to be called before each drawing. */
void brume_viewer_update_hover(BrumeViewer *viewer);

/**
 * Sets readouts.brush: around the point at which a stroke would start, or at the stroke in progress, with the projected
 * radius of the brush. It is not shown where a left drag would move a solid, before a stroke without the HUD, while the
 * camera is dragged, and while pictures are read from the framebuffer.
 */
void brume_viewer_update_brush_cursor(BrumeViewer *viewer);

#endif
