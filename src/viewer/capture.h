/**
 * @file capture.h
 * Pictures and recordings: the picture thread draws copies of the states at full quality, without the overlays of the
 * window. Views with arrows, streamlines, slices or isosurfaces, which OpenGL draws, are read from the framebuffer
 * instead, before the panel is drawn.
 */
#ifndef BRUME_VIEWER_CAPTURE_H
#define BRUME_VIEWER_CAPTURE_H

#include "viewer/files/file_kind.h"

#include <stdbool.h>

struct BrumeViewer;

/** Returns the kind of pictures: the kind chosen for the present frame if it is an image, otherwise PNG. */
BrumeFileKind brume_viewer_picture_kind(const struct BrumeViewer *viewer);

/** Draws the present state, or writes it as a volume, to the file `path`; "": to the next numbered one. */
void brume_viewer_write_frame(struct BrumeViewer *viewer, BrumeFileKind kind, const char *path);

/** Writes the content of the framebuffer, panel included, to the next numbered file. */
void brume_viewer_take_window(struct BrumeViewer *viewer);

/** Starts a recording, or stops the current one. */
void brume_viewer_toggle_recording(struct BrumeViewer *viewer);

/** Stops the current recording, if there is one; waiting frames are still drawn. */
void brume_viewer_stop_recording(struct BrumeViewer *viewer);

/** Reads the picture in the framebuffer if one is requested and it shows the next frame at full quality. */
void brume_viewer_read_framebuffer(struct BrumeViewer *viewer);

/** Passes the look to the picture thread, and reports the files that it has written. */
void brume_viewer_update_pictures(struct BrumeViewer *viewer);

/** The number of pictures, frames of recordings and volumes that are not written yet. */
int brume_viewer_pictures_left(const struct BrumeViewer *viewer);

#endif
