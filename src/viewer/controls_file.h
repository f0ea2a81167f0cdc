/**
 * @file controls_file.h
 * A file that tells where the controls of the window are, for scripts that operate it with a pointer.
 */
#ifndef BRUME_VIEWER_CONTROLS_FILE_H
#define BRUME_VIEWER_CONTROLS_FILE_H

struct BrumeViewer;

/**
 * Writes the file again if the window differs from what it tells: whether the simulation runs, the message, the area of
 * the picture, and the rectangles of the visible controls [points of the window], as YAML. A failure is shown once as
 * a message, and ends the writing. Without a path (BrumeViewer.controls_path) it does nothing.
 */
void brume_viewer_write_controls(struct BrumeViewer *viewer);

#endif
