/**
 * @file undoable_session.h
 * A session that computes the frames of a log of edits. Where entries that it has applied are undone, redone or moved
 * to another branch, it continues from the latest saved state that the new log contains, with the same bits as a run
 * from the start. The other saved states are kept until their memory is needed.
 *
 * One thread uses it (the simulation thread). Functions marked with (log) access the log, and must be called while no
 * other thread changes it. The others may take long, and do not read entries.
 */
#ifndef BRUME_VIEWER_SIMULATION_UNDOABLE_SESSION_H
#define BRUME_VIEWER_SIMULATION_UNDOABLE_SESSION_H

#include "viewer/simulation/edit_log.h"
#include "viewer/simulation/frame_edits.h"
#include "viewer/simulation/saved_sessions.h"
#include "viewer/simulation/session.h"

/** The session, its log and its saved states. Zeroed, it is empty. */
typedef struct BrumeUndoableSession {
    BrumeSession session;
    BrumeEditLog *log; ///< owned
    unsigned changes;  ///< `log->changes` when the session last followed it
    int first_frame;   ///< frame from which it computes frames again
    bool up_to_date;   ///< the session has computed all frames of the log
    BrumeSavedSessions saved;

    BrumeFrameEdits edits; ///< edits of the prepared frame, or the waiting ones
    // of the prepared frame
    int next_position;
    uint64_t next_key;
    bool begins_edit;
} BrumeUndoableSession;

/** Frames between two saved states without an edit between them. */
enum { BRUME_FRAMES_PER_STATE = 16 };

/** Starts the session with the settings of a log, which must then be adopted. Fails as brume_session_start. */
BrumeStatus brume_undoable_session_start(BrumeUndoableSession *undoable, const BrumeEditLog *log, BrumeError *error);

/** (log) Takes over the log with which it was started. Returns the former log, which the caller owns; NULL: none. */
BrumeEditLog *brume_undoable_session_adopt(BrumeUndoableSession *undoable, BrumeEditLog *log);

/** Frees everything and leaves it empty. */
void brume_undoable_session_destroy(BrumeUndoableSession *undoable);

/** (log) Whether the log has frames that are not computed. */
bool brume_undoable_session_is_behind(const BrumeUndoableSession *undoable);

/** (log) Prepares the next frame: collects the entries that it applies. */
void brume_undoable_session_prepare_frame(BrumeUndoableSession *undoable);

/** Whether the prepared frame changes the grid of a variant. */
bool brume_undoable_session_changes_grid(const BrumeUndoableSession *undoable);

/**
 * Computes the prepared frame, as brume_session_run_frame. Before the first frame of an edit, and every
 * BRUME_FRAMES_PER_STATE frames, the state is saved, as far as the budget allows.
 */
BrumeStatus brume_undoable_session_run_frame(BrumeUndoableSession *undoable, BrumeError *rejected, BrumeError *error);

/** (log) Marks settings and bodies that the computed frame has rejected, so that they are not applied again. */
void brume_undoable_session_end_frame(BrumeUndoableSession *undoable);

/** (log) Collects the waiting entries in `edits`; `none`: no entries. */
void brume_undoable_session_collect_waiting(BrumeUndoableSession *undoable, bool none);

/** (log) Copies the next entry if it begins or ends a comparison after the present frame; otherwise returns false. */
bool brume_undoable_session_next_comparison(const BrumeUndoableSession *undoable, BrumeLogEntry *entry);

/** Begins or ends the comparison of an entry. Fails as brume_session_fork. */
BrumeStatus brume_undoable_session_compare(BrumeUndoableSession *undoable, const BrumeLogEntry *entry,
                                           BrumeError *error);

/**
 * (log) Marks the entry as applied, or as rejected after a failure. Where the log was changed meanwhile, marks the
 * session as failed, so that it returns.
 */
void brume_undoable_session_pass_comparison(BrumeUndoableSession *undoable, const BrumeLogEntry *entry, bool rejected);

/**
 * (log) After a change of the log, or an interrupted frame: whether a saved state must be restored. Not needed where
 * the run of the log contains the present state and no later saved state.
 */
bool brume_undoable_session_must_return(BrumeUndoableSession *undoable);

/**
 * Restores the latest saved state that the run of the log contains, or the start. Holds the present state until the
 * latest frame is computed. BRUME_FAILED without memory; the session is unchanged then.
 */
BrumeStatus brume_undoable_session_return(BrumeUndoableSession *undoable, BrumeError *error);

/** (log) If all frames of the log are computed, releases the held state, which is not needed any more. */
void brume_undoable_session_update_progress(BrumeUndoableSession *undoable);

#endif
