/**
 * @file simulation_thread_internal.h
 * The simulation thread's data, and the functions that its files share.
 */
#ifndef BRUME_VIEWER_THREADS_SIMULATION_THREAD_INTERNAL_H
#define BRUME_VIEWER_THREADS_SIMULATION_THREAD_INTERNAL_H

#include "core/parallel/triple_buffer.h"
#include "viewer/simulation/undoable_session.h"
#include "viewer/simulation/waiting_strokes.h"
#include "viewer/threads/simulation_thread.h"

#include <pthread.h>

/** An edit to be undone or redone, or a return to an earlier frame. */
typedef struct BrumeUndoRequest {
    int edit;
    bool undone;
    bool goes_back; ///< first to `frame`, as this edit
    int frame;
} BrumeUndoRequest;

enum { BRUME_MAX_UNDO_REQUESTS = 256 };

/** Requests by other threads that the simulation thread has not handled yet. */
typedef struct BrumeSimulationRequests {
    bool load_scene, end_comparison, fork, reset; // handled in this order
    BrumeSimDef scene_settings;
    BrumeTimeline scene_timeline; // of the scene to be loaded; owned by this struct
    int kept;                     // variant that goes on after the comparison
    BrumePendingEdits edits;
    bool replay;
    int replay_variant;
    int replay_frame; // -1: the present one
    BrumeError error; // of a request that failed in the window thread
} BrumeSimulationRequests;

struct BrumeSimulationThread {
    pthread_t handle;
    bool started;

    // Guarded by `mutex`, which is held for copies only, never during a frame.
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    BrumeSimulationRequests requests;
    BrumeWaitingStrokes waiting_strokes; // for which the requests have no room
    int requested_frames;                // while paused
    bool quit, running, frame_by_frame, frame_permitted;
    int undo_count;
    BrumeUndoRequest undo[BRUME_MAX_UNDO_REQUESTS]; // of different edits
    BrumePendingEdits left;                         // by a return to an earlier frame
    BrumeRecomputation recomputation;               // of the frames after an edit that was undone or redone
    bool compares;                                  // there are two variants after all requests
    bool preview_outdated;                          // edits that wait for the next frame have changed
    BrumeAnimation animation;
    bool animation_changed; // `present_animation` is another one
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
    bool grid_waits[BRUME_MAX_VARIANTS];        // `current` has settings for the next frame,
    BrumeGrid waiting_grid[BRUME_MAX_VARIANTS]; // with this grid
    bool ended;

    pthread_mutex_t callback_mutex; // held while the callback runs
    void (*callback)(void *);
    void *callback_context;

    BrumeFrameHistory *history; // NULL: no frame is kept

    // Used by the simulation thread alone.
    BrumeUndoableSession undoable;
    int kept_until;                  // the history has the present states of the frames up to this one
    BrumeSimulationRequests current; // requests being handled
    BrumeAnimation present_animation;
    int epoch, revision, team_size;
    uint64_t serial;
    double frame_ms;
    unsigned latest_slot; // of the snapshot published last
    bool reported_running, reported_frame_by_frame;
    BrumePendingEdits given;   // to a frame that is computed again
    BrumePendingEdits preview; // edits that the latest snapshot shows in advance
    int previewed_frame;       // that it shows; -1: none

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

/** Collects all edits that wait for the next frame, strokes that the session carries included. The mutex is locked. */
void brume_simulation_thread_collect_edits(const BrumeSimulationThread *thread, BrumePendingEdits *edits);

/**
 * Moves the requests to `current`: for a frame all of them, otherwise those that do not wait for one (strokes and
 * moves do). Strokes for which `current` and the session have no room wait for a later frame. The mutex is locked.
 */
void brume_simulation_thread_take_requests(BrumeSimulationThread *thread, bool for_frame);

/** Sets the error that the next snapshot reports; an empty one clears it. */
void brume_simulation_thread_set_error(BrumeSimulationThread *thread, const BrumeError *error);

/** Copies the state to a free slot and publishes it. */
void brume_simulation_thread_publish(BrumeSimulationThread *thread);

/** Handles the edits that are to be undone or redone. */
void brume_simulation_thread_undo_and_redo(BrumeSimulationThread *thread);

/** Computes one frame again. */
void brume_simulation_thread_catch_up(BrumeSimulationThread *thread);

/** Sets what the window thread reads: how many of the frames since an edit are computed again. */
void brume_simulation_thread_report_recomputation(BrumeSimulationThread *thread);

/** Sets what the window thread reads: whether there are two variants, after a request that may have failed. */
void brume_simulation_thread_report_comparison(BrumeSimulationThread *thread);

/** Keeps the present frame in the history, unless it has it; with `changed`, in any case. */
void brume_simulation_thread_keep_frame(BrumeSimulationThread *thread, bool changed);

/** Makes the replay that was requested. */
void brume_simulation_thread_make_replay(BrumeSimulationThread *thread);

#endif
