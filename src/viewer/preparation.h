/**
 * @file preparation.h
 * A change of the resolution: tells how far it is, and cancels it.
 */
#ifndef BRUME_VIEWER_PREPARATION_H
#define BRUME_VIEWER_PREPARATION_H

#include <stdbool.h>

struct BrumeViewer;

/** Updates the line that tells how far the preparation of another grid is; "" where there is none. */
void brume_viewer_update_preparation(struct BrumeViewer *viewer);

/** Goes back to the grid that is shown; false where no other one is prepared. */
bool brume_viewer_cancel_preparation(struct BrumeViewer *viewer);

#endif
