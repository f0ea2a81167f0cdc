/**
 * @file simulation_thread_internal.h
 * The simulation thread's data, and the functions that its files share.
 */
#ifndef BRUME_VIEWER_THREADS_SIMULATION_THREAD_INTERNAL_H
#define BRUME_VIEWER_THREADS_SIMULATION_THREAD_INTERNAL_H

#include "core/parallel/worker.h"
#include "viewer/simulation/undoable_session.h"
#include "viewer/threads/simulation_thread.h"

/** What the window thread and the simulation thread share, guarded by the monitor. */
typedef struct BrumeSimulationShared {
    BrumeEditLog *log;            ///< the document: the one that is followed, or one that is to be started
    const BrumeEditLog *followed; ///< that the simulation thread starts, or has started
    int requested_frames;         ///< while paused
    bool running, frame_by_frame, frame_permitted;
    BrumeRecomputation recomputation; ///< of the frames after a change of the log
    bool preview_outdated;            ///< what waits for the next frame has changed
    bool wants_replay;
    int replay_variant;
    int replay_frame; ///< -1: the present one
    bool replay_ready;
    int threads;
    double speed_limit, min_frame_ms;
    double next_frame_at; ///< clock before which the next frame does not begin [s]
    bool late;            ///< the latest frame began more than its length after that
    bool initialized;     ///< the first start is done, with `status` and `error`
    BrumeStatus status;
    BrumeError error; ///< for the next snapshot
    BrumeSimulationProgress progress;
} BrumeSimulationShared;

/** What the simulation thread alone uses. */
typedef struct BrumeSimulationOwn {
    BrumeUndoableSession undoable; ///< its `log`, with all entries, and `changes` are guarded by the monitor
    bool computes_again;           ///< the frame that is computed is not a new one
    int epoch, revision, team_size;
    uint64_t serial;
    double frame_ms;
    const BrumeSnapshot *latest; ///< that was published
    int previewed_frame;         ///< of which the latest snapshot shows what waits; -1: it shows none of it
} BrumeSimulationOwn;

struct BrumeSimulationThread {
    BrumeWorker worker;
    BrumeMonitor monitor; // locked for copies only, never during a frame
    BrumeSimulationShared shared;
    BrumeSimulationOwn own;
    BrumeReplay replay; // written after a request, read by the window thread once it is ready
    BrumeStateSource source;
    BrumeFrameHistory *history; // NULL: no frame is kept
};

static inline BrumeGrid brume_grid_of_settings(const BrumeSimDef *settings)
{
    return (BrumeGrid){settings->nx, settings->ny, settings->nz};
}

static inline bool brume_same_grid(BrumeGrid a, BrumeGrid b) { return a.nx == b.nx && a.ny == b.ny && a.nz == b.nz; }

/** Sets the error that the next snapshot reports; an empty one clears it. */
void brume_simulation_thread_set_error(BrumeSimulationThread *thread, const BrumeError *error);

/** Copies the state to a free slot and publishes it. */
void brume_simulation_thread_publish(BrumeSimulationThread *thread);

/** Keeps the present frame in the history, unless it has it. */
void brume_simulation_thread_keep_frame(BrumeSimulationThread *thread);

/** Goes to where the log has changed the way of the session. */
void brume_simulation_thread_follow(BrumeSimulationThread *thread);

/** After a state that the log leads to: begins and ends the comparisons that come next, and shows it if it is the
 * latest.
 */
void brume_simulation_thread_arrive(BrumeSimulationThread *thread);

/** Computes the prepared frame again. */
void brume_simulation_thread_compute_again(BrumeSimulationThread *thread);

/** Makes the replay that was requested. */
void brume_simulation_thread_make_replay(BrumeSimulationThread *thread);

#endif
