/**
 * @file simulation_thread.h
 * Simulations that run in a thread of their own. Every call but create and destroy returns at once; wishes take effect
 * before the next frame. What was done is kept as a timeline, so that the same state can be made again.
 */
#ifndef BRUME_VIEWER_THREADS_SIMULATION_THREAD_H
#define BRUME_VIEWER_THREADS_SIMULATION_THREAD_H

#include "brume/timeline.h"
#include "core/error.h"
#include "viewer/threads/snapshot.h"
#include "viewer/threads/stroke_queue.h"

#include <math.h>
#include <stdbool.h>

typedef struct BrumeSimulationThread BrumeSimulationThread;

typedef struct BrumeSimulationThreadDef {
    BrumeSimDef settings;
    BrumeTimeline timeline; ///< what a scene file does while it runs; copied
    int threads;            ///< of the solver's team
    bool running;           ///< or paused at first
    double least_frame_ms;  ///< a frame is made to take at least this, by waiting [ms]; 0: as it is
    void (*wake)(void);     ///< called by the solver's thread after every snapshot; NULL: nobody
} BrumeSimulationThreadDef;

/** How a state came about. */
typedef struct BrumeRecord {
    BrumeSimDef settings;   ///< at the start
    BrumeTimeline timeline; ///< since then; the caller clears it
    int frame;              ///< frames finished
    double time;            ///< [s]
    uint64_t hash;          ///< of the state
} BrumeRecord;

/** Makes the simulation and starts its thread, paused or running. Fails as brume_sim_create does. */
BrumeStatus brume_simulation_thread_create(BrumeSimulationThread **live, const BrumeSimulationThreadDef *def,
                                           BrumeError *error);

/** Waits for the present frame's end, then frees all. NULL is fine. */
void brume_simulation_thread_destroy(BrumeSimulationThread *live);

/** Runs or pauses. */
void brume_simulation_thread_run(BrumeSimulationThread *live, bool running);

/** While paused: finishes one frame more. */
void brume_simulation_thread_advance(BrumeSimulationThread *live);

/** Starts anew from time 0 with the present settings, obstacles where they were at the start, the timeline empty. */
void brume_simulation_thread_reset(BrumeSimulationThread *live);

/** Takes another scene in its place, from time 0. Sides beyond the first are gone. */
void brume_simulation_thread_open(BrumeSimulationThread *live, const BrumeSimulationThreadDef *def);

/** Changes a side's settings; the newest wish before a frame counts. A refusal is told in the snapshot. */
void brume_simulation_thread_change(BrumeSimulationThread *live, int side, const BrumeSimDef *settings);

/** Adds a second side that starts anew together with the first, or takes it away. */
void brume_simulation_thread_compare(BrumeSimulationThread *live, bool two);

/** Stirs all sides. */
void brume_simulation_thread_stir(BrumeSimulationThread *live, const BrumeDab *dab);

/** Moves an obstacle of all sides by [m], during the next frame; wishes before a frame add up. */
void brume_simulation_thread_move(BrumeSimulationThread *live, int obstacle, BrumeVec3 by);

void brume_simulation_thread_set_threads(BrumeSimulationThread *live, int threads);

/** Simulated seconds a second at most; INFINITY: as fast as it goes. The default is 1. */
void brume_simulation_thread_set_pace(BrumeSimulationThread *live, double pace);

/** While held, the thread waits after every frame until brume_simulation_thread_release: no frame is missed. */
void brume_simulation_thread_hold(BrumeSimulationThread *live, bool held);
void brume_simulation_thread_release(BrumeSimulationThread *live);

/**
 * Asks for the record of a side; brume_simulation_thread_take_record has it as soon as the present frame is done.
 * Wishes that wait for the next frame are not in it.
 */
void brume_simulation_thread_ask_record(BrumeSimulationThread *live, int side);

/** Hands over the record that was asked for, once; false while there is none. */
bool brume_simulation_thread_take_record(BrumeSimulationThread *live, BrumeRecord *record);

/**
 * Calls `wake(context)` from the solver's thread after every snapshot, beside the definition's; NULL ends that, and no
 * call is under way afterwards. One listener at a time.
 */
void brume_simulation_thread_listen(BrumeSimulationThread *live, void (*wake)(void *context), void *context);

/**
 * The newest snapshot, valid until the next call. For one thread only, any but the solver's. There is always one: the
 * start's.
 */
const BrumeSnapshot *brume_simulation_thread_newest(BrumeSimulationThread *live);

#endif
