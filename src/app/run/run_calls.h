/**
 * @file run_calls.h
 * The calls of a run on its simulation. Where several processes share the simulation, all make the same calls in the
 * same order: rank 0, which runs the sequence of run.c, and the others, which wait for its announcements.
 */
#ifndef BRUME_APP_RUN_RUN_CALLS_H
#define BRUME_APP_RUN_RUN_CALLS_H

#include "app/run/run_state.h"

typedef enum BrumeRunCall {
    BRUME_RUN_CREATE,         ///< creates run->sim from the scene
    BRUME_RUN_RESTORE,        ///< creates it from run->checkpoint
    BRUME_RUN_STEP,           ///< simulates a frame: run->frame, and with --stats the hash of its state
    BRUME_RUN_MEASURE,        ///< measures the present state, and compares it with the previous one
    BRUME_RUN_MEASURE_LAST,   ///< measures what the probes measure in the last state alone
    BRUME_RUN_CHECK_INFLOW,   ///< warns of an inflow into an enclosed region
    BRUME_RUN_COLLECT_VOLUME, ///< rank 0 may read the fields of a volume file until the next frame
    BRUME_RUN_COLLECT_STATE,  ///< the same for all that a checkpoint has
} BrumeRunCall;

/** Makes a call on all ranks. Fails as the call does; with the error of another rank if that has failed. */
BrumeStatus brume_run_call(BrumeSceneRun *run, BrumeRunCall call, BrumeError *error);

/** Prepares a process that follows rank 0: what its calls need. BRUME_FAILED without memory. */
BrumeStatus brume_run_prepare_to_follow(BrumeSceneRun *run, BrumeError *error);

/** Makes the calls that rank 0 announces until the run ends; returns its status. */
BrumeStatus brume_run_follow(BrumeSceneRun *run, BrumeError *error);

/** Announces the end of the run to the processes that follow. */
void brume_run_end_followers(BrumeSceneRun *run, BrumeStatus status);

#endif
