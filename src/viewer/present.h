/**
 * @file present.h
 * Draws the picture of the smoke and the overlay into the framebuffer. OpenGL draws the smoke here; a picture by the
 * CPU renderer is uploaded and drawn as a texture.
 */
#ifndef BRUME_VIEWER_PRESENT_H
#define BRUME_VIEWER_PRESENT_H

#include "brume/renderer.h"

#include <stdbool.h>

struct BrumeViewer;

/** Draws the latest picture, the overlay geometry, the box, the brush and the divider; not the panel. */
void brume_viewer_draw_picture(struct BrumeViewer *viewer);

/** Whether the picture in the window is by OpenGL at a reduced resolution, and nothing has moved for a while. */
bool brume_viewer_can_refine(const struct BrumeViewer *viewer, double now);

/** Draws a part of this picture at full size. With the last part the window needs a redraw. */
void brume_viewer_refine(struct BrumeViewer *viewer);

/** Returns the visible point at (x, y) of the picture, as fractions of its size from the upper left corner. */
BrumePick brume_viewer_pick(struct BrumeViewer *viewer, float x, float y);

#endif
