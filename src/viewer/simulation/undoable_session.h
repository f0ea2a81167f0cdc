/**
 * @file undoable_session.h
 * A session that follows a log of edits: it computes the frames that the log has. Where entries that it has applied are
 * undone, redone or left, it goes on from the latest state that is kept on the way which the log now describes, to the
 * bits that these frames would have had. The states that it leaves are kept until their memory is needed.
 *
 * One thread uses it (the simulation thread). Functions marked with (log) read the log, and are called while no other
 * thread changes it; the others take their time, and do not read entries.
 */
#ifndef BRUME_VIEWER_SIMULATION_UNDOABLE_SESSION_H
#define BRUME_VIEWER_SIMULATION_UNDOABLE_SESSION_H

#include "viewer/simulation/edit_log.h"
#include "viewer/simulation/frame_edits.h"
#include "viewer/simulation/saved_sessions.h"
#include "viewer/simulation/session.h"

/** Zeroed, it is empty. */
typedef struct BrumeUndoableSession {
    BrumeSession session;
    BrumeEditLog *log; ///< owned
    unsigned changes;  ///< of the log, that it has followed
    int first_frame;   ///< from which it computes frames again
    bool rests;        ///< the session has reached a state of which the log was asked for
    BrumeSavedSessions saved;

    BrumeFrameEdits edits; ///< of the frame that is computed, or that wait
    // that frame
    int next_position;
    uint64_t next_key;
    bool begins_edit;
} BrumeUndoableSession;

/** Frames between two states that are kept without an edit. */
enum { BRUME_FRAMES_PER_STATE = 16 };

/** Starts the session as a log says, which is to be adopted then. Fails as brume_session_start. */
BrumeStatus brume_undoable_session_start(BrumeUndoableSession *undoable, const BrumeEditLog *log, BrumeError *error);

/** (log) Follows the log with which it was started, and owns it. Returns the former one, for the caller; NULL: none. */
BrumeEditLog *brume_undoable_session_adopt(BrumeUndoableSession *undoable, BrumeEditLog *log);

/** Frees everything and leaves it empty. */
void brume_undoable_session_destroy(BrumeUndoableSession *undoable);

/** (log) Whether there are frames to be computed. */
bool brume_undoable_session_is_behind(const BrumeUndoableSession *undoable);

/** (log) Prepares the next frame: what it applies, from the log. */
void brume_undoable_session_prepare_frame(BrumeUndoableSession *undoable);

/** Whether the prepared frame changes the grid of a variant. */
bool brume_undoable_session_changes_grid(const BrumeUndoableSession *undoable);

/**
 * Computes the prepared frame, as brume_session_run_frame. Before the first frame of an edit, and every
 * BRUME_FRAMES_PER_STATE frames, the state is kept, as far as the budget allows it.
 */
BrumeStatus brume_undoable_session_run_frame(BrumeUndoableSession *undoable, BrumeError *rejected, BrumeError *error);

/** (log) After a frame that was computed: rejected settings are not tried again, nor obstacles that are placed. */
void brume_undoable_session_end_frame(BrumeUndoableSession *undoable);

/** (log) Collects in `edits` what waits for the next frame; `none`: nothing instead. */
void brume_undoable_session_collect_waiting(BrumeUndoableSession *undoable, bool none);

/** (log) Copies the beginning or the end of a comparison that comes next after the present frame; false: none. */
bool brume_undoable_session_next_comparison(const BrumeUndoableSession *undoable, BrumeLogEntry *entry);

/** Begins or ends it. Fails as brume_session_fork. */
BrumeStatus brume_undoable_session_compare(BrumeUndoableSession *undoable, const BrumeLogEntry *entry,
                                           BrumeError *error);

/**
 * (log) After it, or after its failure: `rejected`. Where the log was changed meanwhile, the session counts as failed,
 * so that it returns.
 */
void brume_undoable_session_pass_comparison(BrumeUndoableSession *undoable, const BrumeLogEntry *entry, bool rejected);

/**
 * (log) After a change of the log, or a frame that was stopped: whether the session has to be restored. It has not
 * where it is on the way that the log describes, and no later state of that is kept.
 */
bool brume_undoable_session_must_return(BrumeUndoableSession *undoable);

/**
 * Restores the latest state that is kept on the way, or the start. The present state is held until the other one is
 * reached, and kept longer where there is memory for it. BRUME_FAILED without memory; the session is unchanged then.
 */
BrumeStatus brume_undoable_session_return(BrumeUndoableSession *undoable, BrumeError *error);

/** (log) The state that the log asks for may be reached: then the one that was left is needed no longer. */
void brume_undoable_session_rest(BrumeUndoableSession *undoable);

#endif
