/**
 * @file undoable_session.h
 * A session whose strokes and moved obstacles can be undone: without an edit, the frames since then are computed again
 * from the nearest state that is kept, to the bits that they would have had. In the same way it goes back to an earlier
 * frame, from which it goes on as another branch. The states that it leaves are kept until their memory is needed. It
 * has no lock: one thread uses it (the simulation thread).
 */
#ifndef BRUME_VIEWER_SIMULATION_UNDOABLE_SESSION_H
#define BRUME_VIEWER_SIMULATION_UNDOABLE_SESSION_H

#include "viewer/simulation/edit_log.h"
#include "viewer/simulation/saved_sessions.h"
#include "viewer/simulation/session.h"

/** A return to an earlier frame, from which the session went on. It is an edit that can be undone. */
typedef struct BrumeSessionBranch {
    int edit;          ///< its number
    int frame;         ///< frames that were finished there
    int position;      ///< in the log, of the first entry after that frame
    bool undone;       ///< the session is on the branch that it had left
    BrumeEditLog tail; ///< of the other branch: its entries from `position` on
    int last_frame;    ///< of the other branch: frames that were finished when it was left
} BrumeSessionBranch;

/** Zeroed, there are none. */
typedef struct BrumeSessionBranches {
    int count, capacity;
    BrumeSessionBranch *branches; ///< in the order of their edits
} BrumeSessionBranches;

/** Zeroed, it is empty. */
typedef struct BrumeUndoableSession {
    BrumeSession session;
    BrumeEditLog log;
    int position; ///< of the first entry that the session was not given
    BrumeSavedSessions saved;
    BrumeSavedSessions before_change; ///< of the grid, by the frame that is computed
    int entries_before_change;        ///< in the log
    int first_frame;                  ///< frame from which the latest undo computes again
    int last_frame;                   ///< frames that were finished before it
    int unchanged_frames; ///< up to this frame, the states are those before the latest undo; INT_MAX after a start
    BrumeSessionBranches branches;
    int start_count; ///< variants at the start
    BrumeSimDef start_settings[BRUME_MAX_VARIANTS];
} BrumeUndoableSession;

/** Frames between two states that are kept without an edit. */
enum { BRUME_FRAMES_PER_STATE = 16 };

/** Starts the session, as brume_session_start; what was before cannot be undone any more. */
BrumeStatus brume_undoable_session_start(BrumeUndoableSession *undoable, const BrumeSimDef *settings, int count,
                                         BrumeError *error);

/** Frees everything and leaves it empty. */
void brume_undoable_session_destroy(BrumeUndoableSession *undoable);

/** Begins a comparison, as brume_session_fork, or ends it, as brume_session_keep_variant. */
BrumeStatus brume_undoable_session_fork(BrumeUndoableSession *undoable, BrumeError *error);
BrumeStatus brume_undoable_session_keep_variant(BrumeUndoableSession *undoable, int kept, BrumeError *error);

/** Whether the edits change the grid of a variant. */
bool brume_undoable_session_changes_grid(const BrumeUndoableSession *undoable, const BrumePendingEdits *edits);

/**
 * Computes a frame with the pending edits, as brume_session_run_frame; they are cleared. Before the first frame of an
 * edit, and every BRUME_FRAMES_PER_STATE frames, the state is kept, as far as the budget allows it. Where the frame is
 * stopped, it can be cancelled if it changes the grid and there was memory.
 */
BrumeStatus brume_undoable_session_frame(BrumeUndoableSession *undoable, BrumePendingEdits *edits, BrumeError *rejected,
                                         BrumeError *error);

/** Whether the frame that is computed, or that was stopped, can be cancelled. */
bool brume_undoable_session_can_cancel(const BrumeUndoableSession *undoable);

/**
 * After a frame that was stopped: restores the state before it, and the edits but the settings. Fails as
 * brume_sim_create_saved does; the session counts as failed then.
 */
BrumeStatus brume_undoable_session_cancel(BrumeUndoableSession *undoable, BrumePendingEdits *edits, BrumeError *error);

/**
 * Undoes an edit, or redoes it. Goes to the nearest state that is kept on the way with or without it, if it has had an
 * effect; brume_undoable_session_is_behind tells then whether frames are to be computed again. The state before can be
 * returned to without computing, by the opposite call. Edits before the start do not change anything. BRUME_FAILED
 * without memory; then nothing has changed.
 */
BrumeStatus brume_undoable_session_set_undone(BrumeUndoableSession *undoable, int edit, bool undone, BrumeError *error);

/**
 * Goes back to the state after `frame` frames, at most as many as are finished, from which the session goes on: `edit`
 * is the number of this edit. Discards the log after that frame, and `pending`, which no frame was given, until the
 * edit is undone. brume_undoable_session_is_behind tells then whether frames are to be computed again. BRUME_FAILED
 * without memory; then nothing has changed but that `pending` may be in the log.
 */
BrumeStatus brume_undoable_session_go_back(BrumeUndoableSession *undoable, int frame, int edit,
                                           const BrumePendingEdits *pending, BrumeError *error);

/**
 * Whether the frames after `frame` have ended a comparison, so that one of the two variants of that frame has no
 * timeline any more.
 */
bool brume_undoable_session_ends_comparison(const BrumeUndoableSession *undoable, int frame);

/**
 * Whether frames are to be computed again, which is done by brume_undoable_session_catch_up, one frame for each call.
 * `edits` is overwritten.
 */
bool brume_undoable_session_is_behind(const BrumeUndoableSession *undoable);
BrumeStatus brume_undoable_session_catch_up(BrumeUndoableSession *undoable, BrumePendingEdits *edits,
                                            BrumeError *error);

/** After a frame that was stopped while frames are computed again: restores a state from which that goes on. */
BrumeStatus brume_undoable_session_resume(BrumeUndoableSession *undoable, BrumeError *error);

/** Identifies what led to the present state (brume_edit_log_key). */
uint64_t brume_undoable_session_key(const BrumeUndoableSession *undoable);

/**
 * For session_branches.c, after the log was changed: `key` is that of the state before. Keeps that state until the
 * other one is reached, and longer where there is memory for it.
 */
void brume_undoable_session_leave(BrumeUndoableSession *undoable, uint64_t key);

/** For session_branches.c: the log was changed back, and the session stays where it was. */
void brume_undoable_session_stay(BrumeUndoableSession *undoable);

/**
 * For session_branches.c: restores the latest state up to `last_frame` that is kept on the way which the log describes,
 * or the start, to compute from there up to `last_frame`. The frames up to `changed_after` are those of before.
 */
BrumeStatus brume_undoable_session_return(BrumeUndoableSession *undoable, int changed_after, int last_frame,
                                          BrumeError *error);

/** For undoable_session.c: undoes or redoes a branch; `*found`: there is one with this number. */
BrumeStatus brume_session_branches_set_undone(BrumeUndoableSession *undoable, int edit, bool undone, bool *found,
                                              BrumeError *error);

/** Frees all branches. */
void brume_session_branches_clear(BrumeSessionBranches *branches);

/** Gives the session what the frames that were to be computed again would have given it, for a restart instead. */
BrumeStatus brume_undoable_session_skip(BrumeUndoableSession *undoable, BrumeError *error);

#endif
