/**
 * @file history.h
 * What undo goes back to and redo forward to: the newest states of the part of the controls that is the scene
 * (settings of both sides, look, threads). The camera, the view and the window are not undone.
 */
#ifndef BRUME_VIEWER_THREADS_HISTORY_H
#define BRUME_VIEWER_THREADS_HISTORY_H

#include "core/error.h"
#include "viewer/controls.h"

enum { BRUME_HISTORY_STATES = 64 };

typedef struct BrumeHistory BrumeHistory;

/** Takes all memory of BRUME_HISTORY_STATES states; the first is `start`. BRUME_FAILED without it. */
BrumeStatus brume_history_create(BrumeHistory **history, const BrumeControls *start, BrumeError *error);

/** NULL is fine. */
void brume_history_destroy(BrumeHistory *history);

/** Forgets all; `start` is the only state, as of another scene. */
void brume_history_restart(BrumeHistory *history, const BrumeControls *start);

/**
 * Adds the state after an edit; what had been undone can no longer be redone, and the oldest is forgotten where there
 * is no more room. An edit that changed nothing is not kept.
 */
void brume_history_keep(BrumeHistory *history, const BrumeControls *controls);

/** Puts the state before (after) into the controls; false, and they stay, where there is none. */
bool brume_history_undo(BrumeHistory *history, BrumeControls *controls);
bool brume_history_redo(BrumeHistory *history, BrumeControls *controls);

bool brume_history_can_undo(const BrumeHistory *history);
bool brume_history_can_redo(const BrumeHistory *history);

#endif
