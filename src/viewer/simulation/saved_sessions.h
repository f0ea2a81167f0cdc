/**
 * @file saved_sessions.h
 * States of a session that are kept in memory, from which it can go on with the same bits.
 */
#ifndef BRUME_VIEWER_SIMULATION_SAVED_SESSIONS_H
#define BRUME_VIEWER_SIMULATION_SAVED_SESSIONS_H

#include "viewer/simulation/edit_log.h"
#include "viewer/simulation/session.h"

enum { BRUME_MAX_SAVED_SESSIONS = 128 };

typedef struct BrumeSavedSession BrumeSavedSession;

/**
 * Saved states. Those that the session has passed on its way to the present state are current; others are of a future
 * that was discarded by undoing an edit or by going back, and are kept until their memory is needed. Zeroed, there are
 * none, and none is kept.
 */
typedef struct BrumeSavedSessions {
    size_t budget; ///< most bytes of all states but the one that is held
    size_t bytes;  ///< of those that are kept
    int count;
    BrumeSavedSession *states[BRUME_MAX_SAVED_SESSIONS + 1]; ///< in the order in which they were saved
    BrumeSavedSession *held;                                 ///< one of them, which is not dropped; NULL: none
} BrumeSavedSessions;

/** Drops all states. */
void brume_saved_sessions_clear(BrumeSavedSessions *saved);

/**
 * Saves the present state of a session, as a current one. Where the budget or the memory does not suffice, states that
 * are not current are dropped, the oldest first, then those that save the least computation, in the end this one.
 */
void brume_saved_sessions_add(BrumeSavedSessions *saved, const BrumeSession *session);

/** The same with a state that is held: it may exceed the budget until brume_saved_sessions_release. */
void brume_saved_sessions_hold(BrumeSavedSessions *saved, const BrumeSession *session);
void brume_saved_sessions_release(BrumeSavedSessions *saved);

/** Makes those states current that are on the way which the log describes, and no others. */
void brume_saved_sessions_follow(BrumeSavedSessions *saved, BrumeEditLog *log);

/** The frame of the latest current state; -1 where there is none. */
int brume_saved_sessions_latest(const BrumeSavedSessions *saved);

/**
 * Restores the latest current state. There must be one. BRUME_FAILED without memory; the session is unchanged then.
 */
BrumeStatus brume_saved_sessions_restore(const BrumeSavedSessions *saved, BrumeSession *session, BrumeError *error);

#endif
