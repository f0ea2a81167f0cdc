/**
 * @file simulation_thread_internal.h
 * The simulation thread's data, and the functions that its files share.
 */
#ifndef BRUME_VIEWER_THREADS_SIMULATION_THREAD_INTERNAL_H
#define BRUME_VIEWER_THREADS_SIMULATION_THREAD_INTERNAL_H

#include "core/parallel/triple_buffer.h"
#include "viewer/simulation/undoable_session.h"
#include "viewer/threads/simulation_thread.h"

#include <pthread.h>

struct BrumeSimulationThread {
    pthread_t handle;
    bool started;

    // Guarded by `mutex`, which is held for copies only, never during a frame.
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    BrumeEditLog *log;            // the document: the one that is followed, or one that is to be started
    const BrumeEditLog *followed; // that the simulation thread starts, or has started
    int requested_frames;         // while paused
    bool quit, running, frame_by_frame, frame_permitted;
    BrumeRecomputation recomputation; // of the frames after a change of the log
    bool preview_outdated;            // what waits for the next frame has changed
    bool wants_replay;
    int replay_variant;
    int replay_frame; // -1: the present one
    int threads;
    double speed_limit, min_frame_ms;
    double next_frame_at; // clock before which the next frame does not begin [s]
    bool late;            // the latest frame began more than its length after that
    bool initialized;     // the first start is done, with `status` and `error`
    BrumeStatus status;
    BrumeError error; // for the next snapshot
    bool replay_ready;
    BrumeReplay replay;
    BrumeSimulationProgress progress;
    bool ended;

    pthread_mutex_t callback_mutex; // held while the callback runs
    void (*callback)(void *);
    void *callback_context;

    BrumeFrameHistory *history; // NULL: no frame is kept

    // Used by the simulation thread alone; its `log`, with all entries, and `changes` are guarded by the mutex.
    BrumeUndoableSession undoable;
    bool computes_again; // the frame that is computed is not a new one
    int epoch, revision, team_size;
    uint64_t serial;
    double frame_ms;
    unsigned latest_slot; // of the snapshot published last
    bool reported_running, reported_frame_by_frame;
    int previewed_frame; // of which the latest snapshot shows what waits; -1: it shows none of it

    // Written by the simulation thread, read by the preparation thread.
    BrumeTripleBuffer buffer;
    BrumeSnapshot snapshots[BRUME_TRIPLE_BUFFER_SLOTS];
};

static inline BrumeGrid brume_grid_of_settings(const BrumeSimDef *settings)
{
    return (BrumeGrid){settings->nx, settings->ny, settings->nz};
}

static inline bool brume_same_grid(BrumeGrid a, BrumeGrid b) { return a.nx == b.nx && a.ny == b.ny && a.nz == b.nz; }

static inline void brume_simulation_thread_lock(BrumeSimulationThread *thread)
{
    (void)pthread_mutex_lock(&thread->mutex);
}

static inline void brume_simulation_thread_unlock(BrumeSimulationThread *thread)
{
    (void)pthread_mutex_unlock(&thread->mutex);
}

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
