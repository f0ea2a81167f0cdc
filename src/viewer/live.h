/**
 * @file live.h
 * Simulations that run in a thread of their own. Every call but create and destroy returns at once; wishes take effect
 * before the next frame. What was done is kept as a timeline, so that the same state can be made again.
 */
#ifndef BRUME_VIEWER_LIVE_H
#define BRUME_VIEWER_LIVE_H

#include "core/error.h"
#include "sim/timeline.h"
#include "viewer/dabs.h"
#include "viewer/snapshot.h"

#include <stdbool.h>

typedef struct BrumeLive BrumeLive;

typedef struct BrumeLiveDef {
    BrumeSimDef settings;
    BrumeTimeline timeline; ///< what a scene file does while it runs; copied
    int threads;            ///< of the solver's team
    bool running;           ///< or paused at first
    double least_frame_ms;  ///< a frame is made to take at least this, by waiting [ms]; 0: as it is
    void (*wake)(void);     ///< called by the solver's thread after every snapshot; NULL: nobody
} BrumeLiveDef;

/** How a state came about. */
typedef struct BrumeRecord {
    BrumeSimDef settings;   ///< at the start
    BrumeTimeline timeline; ///< since then; the caller clears it
    int frame;              ///< frames finished
    double time;            ///< [s]
    uint64_t hash;          ///< of the state
} BrumeRecord;

/** Makes the simulation and starts its thread, paused or running. Fails as brume_sim_create does. */
BrumeStatus brume_live_create(BrumeLive **live, const BrumeLiveDef *def, BrumeError *error);

/** Waits for the present frame's end, then frees all. NULL is fine. */
void brume_live_destroy(BrumeLive *live);

/** Runs or pauses. */
void brume_live_run(BrumeLive *live, bool running);

/** While paused: finishes one frame more. */
void brume_live_advance(BrumeLive *live);

/** Starts anew from time 0 with the present settings, obstacles where they were at the start, the timeline empty. */
void brume_live_reset(BrumeLive *live);

/** Takes another scene in its place, from time 0. Sides beyond the first are gone. */
void brume_live_open(BrumeLive *live, const BrumeLiveDef *def);

/** Changes a side's settings; the newest wish before a frame counts. A refusal is told in the snapshot. */
void brume_live_change(BrumeLive *live, int side, const BrumeSimDef *settings);

/** Adds a second side that starts anew together with the first, or takes it away. */
void brume_live_compare(BrumeLive *live, bool two);

/** Stirs all sides. */
void brume_live_stir(BrumeLive *live, const BrumeDab *dab);

/** Moves an obstacle of all sides by [m], during the next frame; wishes before a frame add up. */
void brume_live_move(BrumeLive *live, int obstacle, BrumeVec3 by);

void brume_live_set_threads(BrumeLive *live, int threads);

/** Simulated seconds a second at most; INFINITY: as fast as it goes. The default is 1. */
void brume_live_set_pace(BrumeLive *live, double pace);

/** While held, the thread waits after every frame until brume_live_release: no frame is missed. */
void brume_live_hold(BrumeLive *live, bool held);
void brume_live_release(BrumeLive *live);

/**
 * Asks for the record of a side; brume_live_take_record has it as soon as the present frame is done. Wishes that wait
 * for the next frame are not in it.
 */
void brume_live_ask_record(BrumeLive *live, int side);

/** Hands over the record that was asked for, once; false while there is none. */
bool brume_live_take_record(BrumeLive *live, BrumeRecord *record);

/**
 * Calls `wake(context)` from the solver's thread after every snapshot, beside the definition's; NULL ends that, and no
 * call is under way afterwards. One listener at a time.
 */
void brume_live_listen(BrumeLive *live, void (*wake)(void *context), void *context);

/**
 * The newest snapshot, valid until the next call. For one thread only, any but the solver's. There is always one: the
 * start's.
 */
const BrumeSnapshot *brume_live_newest(BrumeLive *live);

#endif
