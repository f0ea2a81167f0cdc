/**
 * @file preparation.h
 * A change of the resolution: shows its progress, and cancels it.
 */
#ifndef BRUME_VIEWER_PREPARATION_H
#define BRUME_VIEWER_PREPARATION_H

#include <stdbool.h>

struct BrumeViewer;

/** Updates the line with the progress of the preparation of another grid; "" where there is none. */
void brume_viewer_update_preparation(struct BrumeViewer *viewer);

/** Goes back to the shown grid; false where no other one is prepared. */
bool brume_viewer_cancel_preparation(struct BrumeViewer *viewer);

#endif
