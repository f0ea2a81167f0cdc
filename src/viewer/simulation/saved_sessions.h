/**
 * @file saved_sessions.h
 * States of a session that are saved in memory, from which it can continue with the same bits.
 */
#ifndef BRUME_VIEWER_SIMULATION_SAVED_SESSIONS_H
#define BRUME_VIEWER_SIMULATION_SAVED_SESSIONS_H

#include "viewer/simulation/edit_log.h"
#include "viewer/simulation/session.h"

enum { BRUME_MAX_SAVED_SESSIONS = 128 };

typedef struct BrumeSavedSession BrumeSavedSession;

/**
 * Saved states. States that led to the present state are current. The others follow an edit that was undone or a frame
 * from which the user went back; they are kept until their memory is needed. Zeroed: there are none, and the budget is
 * 0.
 */
typedef struct BrumeSavedSessions {
    size_t budget; ///< maximum size of all states except the held one [bytes]
    size_t bytes;  ///< size of all states [bytes]
    int count;
    BrumeSavedSession *states[BRUME_MAX_SAVED_SESSIONS + 1]; ///< in the order in which they were saved
    BrumeSavedSession *held;                                 ///< state that is not dropped; NULL: none
} BrumeSavedSessions;

/** Drops all states. */
void brume_saved_sessions_clear(BrumeSavedSessions *saved);

/**
 * Saves the present state of a session as a current one. Where the budget is exceeded, drops states that are not
 * current, the oldest first, then those that save the least computation; a state larger than the budget is not saved.
 */
void brume_saved_sessions_add(BrumeSavedSessions *saved, const BrumeSession *session);

/** Saves the present state and holds it: it may exceed the budget until brume_saved_sessions_release. */
void brume_saved_sessions_hold(BrumeSavedSessions *saved, const BrumeSession *session);
void brume_saved_sessions_release(BrumeSavedSessions *saved);

/** Marks the states that the run of the log contains as current, and no others. */
void brume_saved_sessions_follow(BrumeSavedSessions *saved, BrumeEditLog *log);

/** Returns the frame of the latest current state; -1: none. */
int brume_saved_sessions_latest(const BrumeSavedSessions *saved);

/**
 * Restores the latest current state. There must be one. BRUME_FAILED without memory; the session is unchanged then.
 */
BrumeStatus brume_saved_sessions_restore(const BrumeSavedSessions *saved, BrumeSession *session, BrumeError *error);

#endif
