/**
 * @file simulation_thread_internal.h
 * The simulation thread's data, and the functions that its files share.
 */
#ifndef BRUME_VIEWER_THREADS_SIMULATION_THREAD_INTERNAL_H
#define BRUME_VIEWER_THREADS_SIMULATION_THREAD_INTERNAL_H

#include "core/parallel/worker.h"
#include "viewer/simulation/undoable_session.h"
#include "viewer/threads/simulation_thread.h"

/** The data that the window thread and the simulation thread share, guarded by the monitor. */
typedef struct BrumeSimulationShared {
    BrumeEditLog *log;            ///< the document: the followed one, or one that waits to be started
    const BrumeEditLog *followed; ///< document that the simulation thread starts, or has started
    int requested_frames;         ///< while paused
    bool running, frame_by_frame, frame_permitted;
    bool measures_forces;             ///< on bodies, in each snapshot
    BrumeRecomputation recomputation; ///< progress of computing frames after a change of the log
    bool preview_outdated;            ///< the waiting edits have changed
    bool wants_replay;
    int replay_variant;
    int replay_frame; ///< frame of the requested replay; -1: the present one
    bool replay_ready;
    int threads;
    double speed_limit, min_frame_ms;
    double next_frame_at; ///< clock before which the next frame does not begin [s]
    bool late;            ///< the latest frame began later than that by more than its length
    bool initialized;     ///< the first start is done, with `status` and `error`
    BrumeStatus status;
    BrumeError error; ///< for the next snapshot
    BrumeSimulationProgress progress;
} BrumeSimulationShared;

/** The data that the simulation thread alone uses. */
typedef struct BrumeSimulationOwn {
    BrumeUndoableSession undoable; ///< its `log`, with all entries, and `changes` are guarded by the monitor
    bool computes_again;           ///< the frame that is computed is not a new one
    int epoch, revision, team_size;
    bool measured; ///< the latest snapshot has the forces on bodies
    uint64_t serial;
    double frame_ms;
    const BrumeSnapshot *latest; ///< snapshot that was published last
    int previewed_frame;         ///< frame whose waiting edits the latest snapshot shows; -1: it shows none
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
    return brume_grid(settings->nx, settings->ny, settings->nz);
}

/** Sets the error that the next snapshot reports; an empty one clears it. */
void brume_simulation_thread_set_error(BrumeSimulationThread *thread, const BrumeError *error);

/** Copies the state to a free slot and publishes it. */
void brume_simulation_thread_publish(BrumeSimulationThread *thread);

/** Adds the present frame to the history, unless it is there already. */
void brume_simulation_thread_keep_frame(BrumeSimulationThread *thread);

/** Restores an earlier state if a change of the log requires it, and begins to compute frames again. */
void brume_simulation_thread_follow(BrumeSimulationThread *thread);

/** Ends the computation of a frame of the log: begins and ends comparisons, and publishes the latest state.
 */
void brume_simulation_thread_complete_frame(BrumeSimulationThread *thread);

/** Computes the prepared frame again. */
void brume_simulation_thread_compute_again(BrumeSimulationThread *thread);

/** Makes the replay that was requested. */
void brume_simulation_thread_make_replay(BrumeSimulationThread *thread);

#endif
