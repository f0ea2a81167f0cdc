/**
 * @file preparation.h
 * What takes time, a change of the resolution, or reading a scene or a mesh: shows its progress, and cancels it.
 */
#ifndef BRUME_VIEWER_PREPARATION_H
#define BRUME_VIEWER_PREPARATION_H

#include <stdbool.h>

struct BrumeViewer;

/** Updates the line with the progress of the preparation of another grid, or the file that is read; "": neither. */
void brume_viewer_update_preparation(struct BrumeViewer *viewer);

/** Stops reading files, otherwise goes back to the shown grid; false where no file is read and no other one is
 * prepared. */
bool brume_viewer_cancel_preparation(struct BrumeViewer *viewer);

#endif
