/**
 * @file controls_file.h
 * A file with the positions of the window's controls, for scripts that operate it with a pointer.
 */
#ifndef BRUME_VIEWER_CONTROLS_FILE_H
#define BRUME_VIEWER_CONTROLS_FILE_H

struct BrumeViewer;

/**
 * Writes the file again if its content has changed: whether the simulation runs, the message, what is prepared or read,
 * the area of the picture, and the rectangles of the visible controls [points of the window], as YAML. A failure is
 * shown once as a message, and ends the writing. Does nothing without a path (BrumeViewerDef.controls_file).
 */
void brume_viewer_write_controls(struct BrumeViewer *viewer);

#endif
