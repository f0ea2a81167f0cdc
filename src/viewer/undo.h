/**
 * @file undo.h
 * Undoing, redoing and going on from an earlier frame. Where frames must be computed again for it, Escape goes back to
 * the state before.
 */
#ifndef BRUME_VIEWER_UNDO_H
#define BRUME_VIEWER_UNDO_H

#include <stdbool.h>

struct BrumeViewer;

/** Undoes the latest edit, or redoes the next one. */
void brume_viewer_undo(struct BrumeViewer *viewer, bool undoes);

/** Goes on from an earlier frame, as `edit`: a step of the undo history, which is added. */
void brume_viewer_go_on_from(struct BrumeViewer *viewer, int edit, int frame);

/**
 * Takes back the steps for which frames are computed again, the latest first: the state is that before them. False
 * where none are computed, or the controls were edited since.
 */
bool brume_viewer_cancel_recomputation(struct BrumeViewer *viewer);

#endif
