/**
 * @file apply_controls.h
 * Applies the controls and commands of the user to the simulation thread, the render thread and the window.
 */
#ifndef BRUME_VIEWER_APPLY_CONTROLS_H
#define BRUME_VIEWER_APPLY_CONTROLS_H

struct BrumeViewer;

/** Executes the commands, passes on the controls that have changed, and requests the next picture. */
void brume_viewer_apply_controls(struct BrumeViewer *viewer);

#endif
