/**
 * @file undo_history.h
 * The undo history: the latest states of those controls that an edit changes, which are the settings of both variants,
 * the render settings and the threads. Camera, view and window are not undone. Used by the window thread alone.
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

/** Restores the previous (next) state in the controls; returns false and changes nothing if there is none. */
bool brume_undo_history_undo(BrumeUndoHistory *history, BrumeControls *controls);
bool brume_undo_history_redo(BrumeUndoHistory *history, BrumeControls *controls);

bool brume_undo_history_can_undo(const BrumeUndoHistory *history);
bool brume_undo_history_can_redo(const BrumeUndoHistory *history);

#endif
