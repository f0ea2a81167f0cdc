/**
 * @file undo_history.h
 * The undo history: the latest edits in their order. An edit of controls changes the settings of the variants, the
 * render settings (also by the start and the end of a comparison of two looks) or the threads, and is undone here.
 * Strokes, moved bodies, returns to an earlier frame and comparisons of two variants are numbered, and undone in the
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

/** Frees the history. NULL is allowed. */
void brume_undo_history_destroy(BrumeUndoHistory *history);

/** Removes all states; `start` becomes the only one. */
void brume_undo_history_restart(BrumeUndoHistory *history, const BrumeControls *start);

/**
 * Adds the state after an edit and removes the states that could be redone, and the oldest if there is no room. An edit
 * without a change is not added.
 */
void brume_undo_history_add(BrumeUndoHistory *history, const BrumeControls *controls);

/** Removes the state after the latest edit, if `controls` equal the state before it. */
void brume_undo_history_drop_latest(BrumeUndoHistory *history, const BrumeControls *controls);

/** Adds the stroke, or the motion of bodies by one, with the number `edit`, above 0, unless it is the latest edit. */
void brume_undo_history_add_edit(BrumeUndoHistory *history, const BrumeControls *controls, int edit);

/**
 * The same for an edit of bodies. Where controls changed with it, as the emitters of a deleted body or in a reset of
 * settings and bodies, undoing it also restores the previous controls.
 */
void brume_undo_history_add_body_edit(BrumeUndoHistory *history, const BrumeControls *controls, int edit);

/**
 * Adds an edit that changes controls as well, with the number `edit`: a return of the simulation to an earlier frame,
 * whose settings `controls` have. Undoing it also restores the previous controls.
 */
void brume_undo_history_add_with_controls(BrumeUndoHistory *history, const BrumeControls *controls, int edit);

/** Removes the edits that have a number, after a restart of the simulation. */
void brume_undo_history_drop_edits(BrumeUndoHistory *history);

/**
 * Adds the beginning or the end of a comparison of two variants, with the number `edit`. The position does not change
 * when a comparison begins, or ends with equal settings.
 */
void brume_undo_history_add_comparison(BrumeUndoHistory *history, const BrumeControls *controls, int edit);

/**
 * Undoes the latest edit, or redoes the next one. For an edit of controls, the controls are restored, and `*edit` is 0;
 * colors in use remain in use. Otherwise `*edit` is its number, and the controls change only if the edit has changed
 * them as well. Returns false and changes nothing if there is none.
 */
bool brume_undo_history_step(BrumeUndoHistory *history, bool undoes, BrumeControls *controls, int *edit);

/** Removes the states that could be redone, after an edit that was canceled. */
void brume_undo_history_drop_redo(BrumeUndoHistory *history);

/** Returns a number of the present state: equal numbers of one history mean the same edits. */
unsigned brume_undo_history_position(const BrumeUndoHistory *history);

bool brume_undo_history_can_undo(const BrumeUndoHistory *history);
bool brume_undo_history_can_redo(const BrumeUndoHistory *history);

#endif
