/**
 * @file simulation_thread.h
 * A thread that runs the simulation (BrumeSession) and publishes a snapshot after every frame. All changes that were
 * applied are kept as a timeline, from which the same state can be computed again.
 *
 * Which thread does what:
 * | thread             | functions                                                                               |
 * | ------------------ | --------------------------------------------------------------------------------------- |
 * | simulation thread  | the session (simulation/), its OpenMP team, publishing snapshots, the snapshot callback |
 * | preparation thread | brume_state_source_latest                                                               |
 * | window thread      | all other functions                                                                     |
 *
 * Every function but create and destroy returns without waiting for a frame. Requests take effect between two frames:
 * those of one function in the order of the calls, where the latest settings replace earlier ones.
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
    const BrumeAnimation *animation; ///< its animated values, copied; NULL: none
    int threads;                     ///< size of the solver's team
    bool running;                    ///< false: paused at first
    size_t memory;                   ///< for the states that are kept for undoing [bytes]; of the first scene
    double min_frame_ms;             ///< shortest wall time of a frame, reached by waiting [ms]; 0: no waiting
    /** Where every frame is kept, and replaced where it is computed again; of the first scene. NULL: no frame is. */
    BrumeFrameHistory *history;
} BrumeSimulationThreadDef;

/** What the thread is doing. */
typedef struct BrumeSimulationProgress {
    bool in_frame;                           ///< a frame is computed
    bool preparing;                          ///< the frame that is computed, or the next one, has another grid
    double fraction;                         ///< of the frame that is computed, 0 to 1
    BrumeGrid grid[BRUME_MAX_VARIANTS];      ///< that it has
    BrumeGrid published[BRUME_MAX_VARIANTS]; ///< of the latest snapshot
    int stages;                              ///< of steps, begun since the start
    int canceled;                            ///< frames with another grid that were canceled
    bool opening;                            ///< a scene is to be loaded, or is being loaded
    int epoch;                               ///< of the states since the latest scene that was loaded, or the attempt
} BrumeSimulationProgress;

/** What is needed to compute a state again: initial settings and all changes since. */
typedef struct BrumeReplay {
    BrumeSimDef settings; ///< at the start
    /** Changes since then, and those of the frames to come: the edits that wait, and what the scene prescribes. The
     * caller frees them with brume_timeline_clear. */
    BrumeTimeline timeline;
    BrumeStatus status; ///< BRUME_FAILED where there was no memory for all changes
    int frame;          ///< frames finished
    double time;        ///< simulated time [s]
    uint64_t hash;      ///< of the state
    bool is_lost;       ///< there is no replay: the variant of that frame has not gone on after a comparison
    bool edits_wait;    ///< there are edits that the next frame will apply
} BrumeReplay;

/** How far the frames since an edit that was undone or redone are computed again. */
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
 * Ends the thread, after the present step of a frame that is computed; waits at most `seconds`. Returns whether it has
 * ended; otherwise it still uses its memory. Only destroy may be called then.
 */
bool brume_simulation_thread_stop(BrumeSimulationThread *thread, double seconds);

/** Stops the thread, however long its present step takes, and frees everything. NULL is fine. */
void brume_simulation_thread_destroy(BrumeSimulationThread *thread);

/** Runs or pauses the simulation. */
void brume_simulation_thread_set_running(BrumeSimulationThread *thread, bool running);

/** Requests one more frame while the simulation is paused. */
void brume_simulation_thread_request_frame(BrumeSimulationThread *thread);

/**
 * Restarts all variants from time 0 with their current settings, the obstacles at their initial positions and empty
 * timelines.
 */
void brume_simulation_thread_reset(BrumeSimulationThread *thread);

/** Replaces the simulation by that of another scene, at time 0 and with one variant. */
void brume_simulation_thread_load_scene(BrumeSimulationThread *thread, const BrumeSimulationThreadDef *def);

/**
 * Sets the settings of a variant from the next frame on. Rejected settings are reported in the snapshot's error. A
 * frame with another grid that is computed at the moment is canceled after its present step where these settings have
 * not that grid: the state is then the one before that frame.
 */
void brume_simulation_thread_set_settings(BrumeSimulationThread *thread, int variant, const BrumeSimDef *settings);

/**
 * Sets the animated values of all variants. They act in each frame that begins later, and their values at time 0
 * in the settings of a restart.
 */
void brume_simulation_thread_set_animation(BrumeSimulationThread *thread, const BrumeAnimation *animation);

/**
 * Starts a comparison, as the edit of a number: a second variant goes on from the present state with the settings of
 * the first. Both then run in lockstep. Where there is no memory for it, the snapshot's error says so, and there is no
 * comparison.
 */
void brume_simulation_thread_fork(BrumeSimulationThread *thread, int edit);

/**
 * Ends a comparison, as the edit of a number: the variant `kept` goes on alone, as the first; its settings are those of
 * the first from now on.
 */
void brume_simulation_thread_end_comparison(BrumeSimulationThread *thread, int kept, int edit);

/** Whether there are two variants after all requests so far. */
bool brume_simulation_thread_compares(BrumeSimulationThread *thread);

/**
 * Adds a stroke segment to all variants. While the simulation is paused, snapshots show it at once, and solids that
 * move at their new places, though the next frame applies it; not in frame-by-frame mode.
 */
void brume_simulation_thread_add_stroke(BrumeSimulationThread *thread, const BrumeStrokeSegment *segment);

/** Moves an obstacle of all variants during the next frame; calls before a frame add up. */
void brume_simulation_thread_move_obstacle(BrumeSimulationThread *thread, const BrumeObstacleMotion *motion);

/**
 * Undoes or redoes the strokes, the motions, the return or the comparison with the number `edit`, which must increase
 * from edit to edit. If frames have applied them, these are computed again from a state that was kept before; the
 * snapshots then show the state of the same frame with the bits as if the edit had never been. Until then no other
 * frame is computed. What was before the latest restart does not change.
 */
void brume_simulation_thread_set_undone(BrumeSimulationThread *thread, int edit, bool undone);

/**
 * Goes back to the state after `frame` frames, with the bits that it had, and goes on from there: what came after it is
 * discarded, and what no frame was given yet, until `edit`, which is the number of this edit, is undone.
 */
void brume_simulation_thread_go_back(BrumeSimulationThread *thread, int edit, int frame);

/** How far this has come. */
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
void brume_simulation_thread_permit_frame(BrumeSimulationThread *thread);

/**
 * Requests the replay of a variant: of the present state, where `frame` is -1, or up to an earlier frame, which is kept
 * in the history, without the edits that wait. brume_simulation_thread_poll_replay returns it after the current frame;
 * a replay that was requested before and not polled is dropped.
 */
void brume_simulation_thread_request_replay(BrumeSimulationThread *thread, int variant, int frame);

/** Returns the requested replay once, then false until another one is ready. */
bool brume_simulation_thread_poll_replay(BrumeSimulationThread *thread, BrumeReplay *replay);

/** What the thread is doing, and whether it prepares another grid. */
void brume_simulation_thread_progress(BrumeSimulationThread *thread, BrumeSimulationProgress *progress);

/** The states that it publishes; valid until it is destroyed. Create returns after the first. */
BrumeStateSource *brume_simulation_thread_source(BrumeSimulationThread *thread);

#endif
