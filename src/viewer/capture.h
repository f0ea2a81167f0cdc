/**
 * @file capture.h
 * Pictures and recordings: the picture thread draws copies of the states at full quality, without what the window shows
 * over them. Views with arrows, streamlines, slices or isosurfaces, which OpenGL draws, are read from the framebuffer
 * instead, before the panel is drawn.
 */
#ifndef BRUME_VIEWER_CAPTURE_H
#define BRUME_VIEWER_CAPTURE_H

#include "viewer/files/file_kind.h"

#include <stdbool.h>

struct BrumeViewer;

/** The size of pictures [pixels]: the one that is set, or that of the window, whether the panel is shown or not. */
void brume_viewer_picture_size(const struct BrumeViewer *viewer, int *width, int *height);

/** The path of a file of this name in the folder of exports (BRUME_VIEWER_PATH bytes). */
void brume_viewer_export_path(const struct BrumeViewer *viewer, const char *name, char *path);

/**
 * The path there of the next numbered file, STEM-0001.EXTENSION or that after the existing ones, but no number below
 * `least`. Returns the number.
 */
int brume_viewer_numbered_path(const struct BrumeViewer *viewer, const char *stem, const char *extension, int least,
                               char *path);

/** The next numbered picture with this extension there, also while earlier ones are not written yet. */
void brume_viewer_next_path(struct BrumeViewer *viewer, const char *extension, char *path);

/** The kind of pictures: the chosen one of the present frame where that is an image, otherwise PNG. */
BrumeFileKind brume_viewer_picture_kind(const struct BrumeViewer *viewer);

/** Draws the present state to this file; "": to the next numbered one. */
void brume_viewer_take_picture(struct BrumeViewer *viewer, BrumeFileKind kind, const char *path);

/** Writes the content of the framebuffer, panel included, to the next numbered file. */
void brume_viewer_take_window(struct BrumeViewer *viewer);

/** Starts a recording, or stops the current one. */
void brume_viewer_toggle_recording(struct BrumeViewer *viewer);

/** Stops the current recording, if there is one; frames that wait are drawn nevertheless. */
void brume_viewer_stop_recording(struct BrumeViewer *viewer);

/** Reads the picture in the framebuffer if one is wanted and it shows the next frame at full quality. */
void brume_viewer_read_framebuffer(struct BrumeViewer *viewer);

/** Passes the look to the picture thread, and reports what it has written. */
void brume_viewer_update_pictures(struct BrumeViewer *viewer);

/** The number of pictures that are not written yet. */
int brume_viewer_pictures_left(const struct BrumeViewer *viewer);

#endif
