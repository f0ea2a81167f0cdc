/**
 * @file state_source.h
 * What the preparation thread and the window need of a thread that publishes states: the simulation
 * (simulation_thread.h), or frames that were computed before (playback_thread.h).
 */
#ifndef BRUME_VIEWER_THREADS_STATE_SOURCE_H
#define BRUME_VIEWER_THREADS_STATE_SOURCE_H

#include "viewer/simulation/snapshot.h"

#include <stdbool.h>

/** The functions of one kind of source. Each gets BrumeStateSource.self; none but `destroy` waits for a frame. */
typedef struct BrumeStateSourceFunctions {
    /** The latest snapshot, valid until the next call. One thread may call this (the preparation thread). */
    const BrumeSnapshot *(*latest_snapshot)(void *self);
    /**
     * Sets the function that is called after every snapshot, by the thread that publishes it; NULL for none. When this
     * returns, no call of the previous function is in progress.
     */
    void (*set_snapshot_callback)(void *self, void (*callback)(void *context), void *context);
    /** Publishes frame after frame, or stops after the present one. */
    void (*set_running)(void *self, bool running);
    /** Publishes one more frame while the source does not run. */
    void (*step)(void *self);
    /** Goes back to the first frame. */
    void (*restart)(void *self);
    /** The largest number of seconds of the frames per second of wall time; INFINITY: no limit. */
    void (*set_speed_limit)(void *self, double limit);
    /** While enabled, the source waits after every frame until `permit_frame`, so that a recording misses none. */
    void (*set_frame_by_frame)(void *self, bool enabled);
    void (*permit_frame)(void *self);
    /** Asks the thread to end and waits at most `seconds`. False where it has not ended, and uses its memory. */
    bool (*stop)(void *self, double seconds);
    /** Ends the thread and frees everything. */
    void (*destroy)(void *self);
} BrumeStateSourceFunctions;

/** A source of states. All zero: none. */
typedef struct BrumeStateSource {
    void *self;
    const BrumeStateSourceFunctions *functions;
} BrumeStateSource;

#endif
