/**
 * @file saved_sessions.h
 * States of a session that are kept in memory, from which it can go on with the same bits.
 */
#ifndef BRUME_VIEWER_SIMULATION_SAVED_SESSIONS_H
#define BRUME_VIEWER_SIMULATION_SAVED_SESSIONS_H

#include "viewer/simulation/session.h"

enum { BRUME_MAX_SAVED_SESSIONS = 128 };

typedef struct BrumeSavedSession BrumeSavedSession;

/** Saved states in the order of their frames. Zeroed, there are none, and none is kept. */
typedef struct BrumeSavedSessions {
    size_t budget; ///< most bytes of all states
    size_t bytes;  ///< of those that are kept
    int count;
    BrumeSavedSession *states[BRUME_MAX_SAVED_SESSIONS];
} BrumeSavedSessions;

/** Drops all states. */
void brume_saved_sessions_clear(BrumeSavedSessions *saved);

/**
 * Saves the present state of a session together with `position`, that of the next entry in the log of its edits. States
 * of the same or of later frames are dropped. Where the budget or the memory does not suffice, the states that save the
 * least computation are dropped, in the end this one.
 */
void brume_saved_sessions_add(BrumeSavedSessions *saved, const BrumeSession *session, int position);

/** Drops the states whose position is greater than `position`. */
void brume_saved_sessions_drop_after(BrumeSavedSessions *saved, int position);

/** Drops the states of later frames than `frame`. */
void brume_saved_sessions_drop_later(BrumeSavedSessions *saved, int frame);

/** The frame of the latest state; -1 where none is kept. */
int brume_saved_sessions_latest(const BrumeSavedSessions *saved);

/** Whether the latest state is of this frame. */
bool brume_saved_sessions_have(const BrumeSavedSessions *saved, int frame);

/**
 * Restores the latest state, whose position is written to `position`. There must be one. BRUME_FAILED without memory;
 * the session is unchanged then.
 */
BrumeStatus brume_saved_sessions_restore(const BrumeSavedSessions *saved, BrumeSession *session, int *position,
                                         BrumeError *error);

#endif
