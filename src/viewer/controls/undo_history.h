/**
 * @file undo_history.h
 * The undo history: the latest edits in their order. An edit of controls is one of the settings of both variants, the
 * render settings (also the start and the end of a comparison of two looks) or the threads, and is undone here.
 * Strokes, moved obstacles, returns to an earlier frame and comparisons of two variants are numbered, and undone in the
 * log of the simulation (simulation/edit_log.h). Camera, view and window are not undone. Used by the window thread
 * alone.
 */
#ifndef BRUME_VIEWER_CONTROLS_UNDO_HISTORY_H
#define BRUME_VIEWER_CONTROLS_UNDO_HISTORY_H

#include "core/error.h"
#include "viewer/controls/controls.h"

enum { BRUME_UNDO_HISTORY_STATES = 64 };

typedef struct BrumeUndoHistory BrumeUndoHistory;

/**
 * Allocates memory for BRUME_UNDO_HISTORY_STATES states; the first is `start`. BRUME_FAILED without memory; `*history`
 * is NULL then.
 */
BrumeStatus brume_undo_history_create(BrumeUndoHistory **history, const BrumeControls *start, BrumeError *error);

/** NULL is fine. */
void brume_undo_history_destroy(BrumeUndoHistory *history);

/** Removes all states; `start` becomes the only one. */
void brume_undo_history_restart(BrumeUndoHistory *history, const BrumeControls *start);

/**
 * Adds the state after an edit and removes the states that could be redone, and the oldest if there is no room. An edit
 * that changed nothing is not added.
 */
void brume_undo_history_add(BrumeUndoHistory *history, const BrumeControls *controls);

/** Removes the state after the latest edit, where `controls` are those before it. */
void brume_undo_history_drop_latest(BrumeUndoHistory *history, const BrumeControls *controls);

/** Adds the stroke or the motion of obstacles with the number `edit`, above 0, unless it is the latest edit. */
void brume_undo_history_add_edit(BrumeUndoHistory *history, const BrumeControls *controls, int edit);

/**
 * Adds an edit that changes controls as well, with the number `edit`: a return of the simulation to an earlier frame,
 * whose settings `controls` have, or a reset of settings and obstacles. Undoing it restores the controls before, too.
 */
void brume_undo_history_add_with_controls(BrumeUndoHistory *history, const BrumeControls *controls, int edit);

/** Removes the edits that have a number, after a restart of the simulation. */
void brume_undo_history_drop_edits(BrumeUndoHistory *history);

/**
 * Adds the beginning or the end of a comparison of two variants, with the number `edit`. The position stays where it
 * begins, and where it ends with equal settings.
 */
void brume_undo_history_add_comparison(BrumeUndoHistory *history, const BrumeControls *controls, int edit);

/**
 * Undoes the latest edit, or redoes the next one. Of an edit of controls, these are restored, and `*edit` is 0; colors
 * that are in use stay in use. Otherwise `*edit` is its number, and the controls stay but with an edit that changes
 * them as well. Returns false and changes nothing if there is none.
 */
bool brume_undo_history_step(BrumeUndoHistory *history, bool undoes, BrumeControls *controls, int *edit);

/** Removes what could be redone, after an edit that was canceled. */
void brume_undo_history_drop_redo(BrumeUndoHistory *history);

/** A number of the state that is reached: equal numbers of one history mean the same edits. */
unsigned brume_undo_history_position(const BrumeUndoHistory *history);

bool brume_undo_history_can_undo(const BrumeUndoHistory *history);
bool brume_undo_history_can_redo(const BrumeUndoHistory *history);

#endif
