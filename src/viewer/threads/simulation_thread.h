/**
 * @file simulation_thread.h
 * A thread that runs the simulation (BrumeSession) and publishes a snapshot after every frame. It stores all applied
 * changes as a timeline, from which the same state can be computed again.
 *
 * Which thread does what:
 * | thread             | functions                                                                               |
 * | ------------------ | --------------------------------------------------------------------------------------- |
 * | simulation thread  | the session (simulation/), its OpenMP team, publishing snapshots, the snapshot callback |
 * | preparation thread | brume_state_source_latest                                                               |
 * | window thread      | all other functions                                                                     |
 *
 * Every function but create and destroy returns without waiting for a frame. Requests take effect between two frames:
 * requests of one function in the order of the calls; the latest settings replace earlier ones.
 */
#ifndef BRUME_VIEWER_THREADS_SIMULATION_THREAD_H
#define BRUME_VIEWER_THREADS_SIMULATION_THREAD_H

#include "brume/animation.h"
#include "brume/timeline.h"
#include "core/error.h"
#include "viewer/history/frame_history.h"
#include "viewer/simulation/edit_log.h"
#include "viewer/simulation/snapshot.h"
#include "viewer/threads/state_source.h"

#include <stdbool.h>

typedef struct BrumeSimulationThread BrumeSimulationThread;

typedef struct BrumeSimulationThreadDef {
    BrumeSimDef settings;
    BrumeTimeline timeline;          ///< changes that the scene file prescribes; copied
    const BrumeAnimation *animation; ///< animated values of the scene, copied; NULL: none
    int threads;                     ///< size of the solver's team
    bool running;                    ///< false: paused at first
    size_t memory;                   ///< memory for states saved for undoing [bytes]; read at creation only
    double min_frame_ms;             ///< shortest wall time of a frame, reached by waiting [ms]; 0: no waiting
    /** Stores every frame, and replaces frames that are computed again; read at creation only. NULL: none. */
    BrumeFrameHistory *history;
} BrumeSimulationThreadDef;

/** The thread's progress. */
typedef struct BrumeSimulationProgress {
    bool in_frame;                           ///< a frame is in progress
    bool preparing;                          ///< the frame in progress, or the next one, has another grid
    double fraction;                         ///< finished part of the frame in progress, 0 to 1
    BrumeGrid grid[BRUME_MAX_VARIANTS];      ///< grids of the frame in progress
    BrumeGrid published[BRUME_MAX_VARIANTS]; ///< grids of the latest snapshot
    int stages;                              ///< stages of steps that began since the start
    int canceled;                            ///< frames with another grid that were canceled
    bool opening;                            ///< a scene waits to be loaded, or is being loaded
    int epoch;                               ///< epoch after the latest scene was loaded, or after the attempt
} BrumeSimulationProgress;

/** The data from which a state can be computed again: initial settings and all changes since. */
typedef struct BrumeReplay {
    BrumeSimDef settings; ///< settings at the start
    /** Changes since then, and of coming frames: waiting edits, and the scheduled changes of the scene. The
     * caller frees them with brume_timeline_clear. */
    BrumeTimeline timeline;
    BrumeStatus status; ///< BRUME_FAILED where there was no memory for all changes
    int frame;          ///< frames finished
    double time;        ///< simulated time [s]
    uint64_t hash;      ///< hash of the state
    bool is_lost;       ///< no replay: the frame is unknown, or a comparison that ended since removed its variant
    bool edits_wait;    ///< edits wait for the next frame
} BrumeReplay;

/** The progress of computing frames again after an edit was undone or redone. */
typedef struct BrumeRecomputation {
    bool active;
    int done, total; ///< frames
} BrumeRecomputation;

/**
 * Creates the simulation and starts its thread. Fails as brume_sim_create does, or with BRUME_FAILED without memory or
 * a thread; `*thread` is NULL then.
 */
BrumeStatus brume_simulation_thread_create(BrumeSimulationThread **thread, const BrumeSimulationThreadDef *def,
                                           BrumeError *error);

/**
 * Ends the thread, after the present step of a frame in progress; waits at most `seconds`. Returns whether it has
 * ended; otherwise it still uses its memory. Only destroy may be called afterwards.
 */
bool brume_simulation_thread_stop(BrumeSimulationThread *thread, double seconds);

/** Stops the thread, however long its present step takes, and frees everything. NULL is fine. */
void brume_simulation_thread_destroy(BrumeSimulationThread *thread);

/** Runs or pauses the simulation. */
void brume_simulation_thread_set_running(BrumeSimulationThread *thread, bool running);

/** Requests one more frame while the simulation is paused. */
void brume_simulation_thread_request_frame(BrumeSimulationThread *thread);

/**
 * Restarts all variants from time 0 with their current settings, the bodies at their initial positions and empty
 * timelines.
 */
void brume_simulation_thread_reset(BrumeSimulationThread *thread);

/** Replaces the simulation by the simulation of another scene, at time 0 and with one variant. */
void brume_simulation_thread_load_scene(BrumeSimulationThread *thread, const BrumeSimulationThreadDef *def);

/**
 * Sets the settings of a variant from the next frame on. The snapshot's error reports rejected settings. If the frame
 * in progress changes the grid and these settings have a different one, it is canceled after its present step: the
 * state is then the state before that frame.
 */
void brume_simulation_thread_set_settings(BrumeSimulationThread *thread, int variant, const BrumeSimDef *settings);

/** Sets the animated values of all variants. Each later frame uses them; a restart uses their values at time 0. */
void brume_simulation_thread_set_animation(BrumeSimulationThread *thread, const BrumeAnimation *animation);

/**
 * Starts a comparison, as the edit with the number `edit`: a second variant continues from the present state with the
 * settings of the first. Both then run in lockstep. Without memory the snapshot's error reports it, and there is no
 * comparison.
 */
void brume_simulation_thread_fork(BrumeSimulationThread *thread, int edit);

/** Ends a comparison, as the edit with the number `edit`: the variant `kept` continues alone, as the first variant. */
void brume_simulation_thread_end_comparison(BrumeSimulationThread *thread, int kept, int edit);

/** Whether there will be two variants after all requests so far. */
bool brume_simulation_thread_compares(BrumeSimulationThread *thread);

/**
 * Adds a stroke segment to all variants. The next frame applies it. While the simulation is paused, snapshots show the
 * segment, and moved solids at their new positions, at once; not in frame-by-frame mode.
 */
void brume_simulation_thread_add_stroke(BrumeSimulationThread *thread, const BrumeStrokeSegment *segment);

/** Moves a body of all variants during the next frame; calls before a frame add up. */
void brume_simulation_thread_move_body(BrumeSimulationThread *thread, const BrumeBodyMotion *motion);

/**
 * Undoes or redoes the strokes, the motions, the return or the comparison with the number `edit`; numbers increase from
 * edit to edit. Frames that have applied it are computed again from a saved state; the snapshots then show the same
 * frame with the bits as if the edit had not been made. Until then no other frame is computed. Edits before the latest
 * restart do not change.
 */
void brume_simulation_thread_set_undone(BrumeSimulationThread *thread, int edit, bool undone);

/**
 * Goes back to the state after `frame` frames, with the same bits, and continues from there, as the edit with the
 * number `edit`. Later frames and waiting edits have no effect until this edit is undone.
 */
void brume_simulation_thread_go_back(BrumeSimulationThread *thread, int edit, int frame);

/** Returns the progress of computing frames again. */
BrumeRecomputation brume_simulation_thread_recomputation(BrumeSimulationThread *thread);

/** Sets the size of the solver's team. */
void brume_simulation_thread_set_threads(BrumeSimulationThread *thread, int threads);

/** Sets the largest number of simulated seconds per second of wall time; INFINITY: no limit. The default is 1. */
void brume_simulation_thread_set_speed_limit(BrumeSimulationThread *thread, double limit);

/**
 * While enabled, the thread waits after every frame until brume_simulation_thread_permit_frame, so that a recording
 * misses none.
 */
void brume_simulation_thread_set_frame_by_frame(BrumeSimulationThread *thread, bool enabled);

/** Whether snapshots have the forces on bodies, which take time to measure; a paused state is published again with
 * them. */
void brume_simulation_thread_measure_forces(BrumeSimulationThread *thread, bool enabled);
void brume_simulation_thread_permit_frame(BrumeSimulationThread *thread);

/**
 * Requests the replay of a variant: of the present state if `frame` is -1, or up to an earlier frame in the history,
 * without the waiting edits. brume_simulation_thread_poll_replay returns it after the current frame; a replay that was
 * requested earlier and not polled is discarded.
 */
void brume_simulation_thread_request_replay(BrumeSimulationThread *thread, int variant, int frame);

/** Returns the requested replay once, then false until another one is ready. */
bool brume_simulation_thread_poll_replay(BrumeSimulationThread *thread, BrumeReplay *replay);

/** Copies the thread's progress, and whether it prepares another grid. */
void brume_simulation_thread_progress(BrumeSimulationThread *thread, BrumeSimulationProgress *progress);

/** The states that the thread publishes; valid until it is destroyed. Create returns after the first is published. */
BrumeStateSource *brume_simulation_thread_source(BrumeSimulationThread *thread);

#endif
