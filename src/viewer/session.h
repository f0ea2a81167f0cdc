/**
 * @file session.h
 * One simulation, or two in lockstep, and the record of what is done to them. Belongs to one thread.
 */
#ifndef BRUME_VIEWER_SESSION_H
#define BRUME_VIEWER_SESSION_H

#include "brume/timeline.h"
#include "viewer/threads/snapshot.h"
#include "viewer/threads/stroke_queue.h"

#include <stdbool.h>

typedef struct BrumeSessionSide {
    BrumeSim *sim;
    BrumeSimDef start;   ///< settings that it was made with
    BrumeSimDef present; ///< as wished last, with obstacles where they were at the start: what a new start begins with
    BrumeTimeline done;  ///< since the start
    BrumeFrameStats stats;
} BrumeSessionSide;

/** Zeroed, it is empty and has no sides. */
typedef struct BrumeSession {
    int sides;
    BrumeSessionSide side[BRUME_MAX_SIDES];
    BrumeTimeline script; ///< what the scene does by itself
    int frame;            ///< frames that all sides have finished
    bool broken;          ///< a frame has failed: nothing goes on before a new start
} BrumeSession;

/** What is wished for before a frame. */
typedef struct BrumeDeeds {
    bool changed[BRUME_MAX_SIDES];
    BrumeSimDef settings[BRUME_MAX_SIDES];
    BrumeStrokeQueue dabs;
    bool moved[BRUME_MAX_OBSTACLES];
    BrumeVec3 by[BRUME_MAX_OBSTACLES]; ///< [m]
} BrumeDeeds;

/**
 * Starts `sides` simulations anew, from `settings[side]` and time 0, with an empty record; the script stays. Fails as
 * brume_sim_create does; the session is as before then. Obstacles stand where they are in `settings`.
 */
BrumeStatus brume_session_start(BrumeSession *session, const BrumeSimDef *settings, int sides, BrumeError *error);

void brume_session_destroy(BrumeSession *session);

/** Goes on with the first `sides` alone. */
void brume_session_drop(BrumeSession *session, int sides);

/**
 * Does the deeds and the script's to every side, records them, and finishes one frame. Deeds that were done are
 * cleared; strokes without room wait in `deeds` for the next frame. Settings that are refused leave the old ones and
 * fill `refused`. Where a frame fails the session is broken; `error` tells why.
 */
BrumeStatus brume_session_frame(BrumeSession *session, BrumeDeeds *deeds, BrumeError *refused, BrumeError *error);

#endif
