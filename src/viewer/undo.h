/**
 * @file undo.h
 * Undoing, redoing and going back to an earlier frame. While frames are computed again for it, Escape cancels it.
 */
#ifndef BRUME_VIEWER_UNDO_H
#define BRUME_VIEWER_UNDO_H

#include <stdbool.h>

struct BrumeViewer;

/** Undoes the latest edit, or redoes the next one. */
void brume_viewer_undo(struct BrumeViewer *viewer, bool undoes);

/** Continues from an earlier frame as the edit `edit`, and adds this as a step of the undo history. */
void brume_viewer_go_on_from(struct BrumeViewer *viewer, int edit, int frame);

/**
 * Undoes or redoes the steps for which frames are computed again, the latest first, to the state before them. False
 * where none are computed, or the controls were edited since.
 */
bool brume_viewer_cancel_recomputation(struct BrumeViewer *viewer);

#endif
