/**
 * @file state_source.h
 * The states that one thread publishes, the simulation (simulation_thread.h) or the playback of stored frames
 * (playback_thread.h), and that the preparation thread reads.
 */
#ifndef BRUME_VIEWER_THREADS_STATE_SOURCE_H
#define BRUME_VIEWER_THREADS_STATE_SOURCE_H

#include "core/parallel/triple_buffer.h"
#include "viewer/simulation/snapshot.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct BrumeStateSource {
    // written by the thread that publishes, read by the preparation thread
    BrumeTripleBuffer buffer;
    BrumeSnapshot snapshots[BRUME_TRIPLE_BUFFER_SLOTS];

    pthread_mutex_t callback_mutex; ///< held while the callback runs
    void (*callback)(void *context);
    void *callback_context;
} BrumeStateSource;

/** Initializes a zeroed source. Its first snapshot is empty. */
void brume_state_source_init(BrumeStateSource *source);

/** Frees everything except the fields of the snapshots. */
void brume_state_source_destroy(BrumeStateSource *source);

/** Returns the snapshot to be published next. Called by the thread that publishes. */
static inline BrumeSnapshot *brume_state_source_next(BrumeStateSource *source)
{
    return &source->snapshots[brume_triple_buffer_write_slot(&source->buffer)];
}

/** Publishes this snapshot and calls the callback. Called by the same thread. */
void brume_state_source_publish(BrumeStateSource *source);

/** Calls the callback without publishing. */
void brume_state_source_announce(BrumeStateSource *source);

/** Returns the latest snapshot, valid until the next call. Only the preparation thread may call it. */
const BrumeSnapshot *brume_state_source_latest(BrumeStateSource *source);

/**
 * Sets the function that is called after every snapshot, by the thread that publishes it; NULL for none. When this
 * returns, no call of the previous function is in progress.
 */
void brume_state_source_set_callback(BrumeStateSource *source, void (*callback)(void *context), void *context);

/**
 * Selects the states that are shown: of a simulation or a sequence, or of the stored frames of that simulation. The
 * window thread switches; the preparation thread reads.
 */
typedef struct BrumeStateSwitch {
    BrumeStateSource *present;
    BrumeStateSource *past;      ///< NULL: there is none
    atomic_uint_least64_t first; ///< lowest serial of a snapshot of the past that is shown; 0: the present is shown
} BrumeStateSwitch;

/** Shows the past from its first snapshot with a serial of at least `first`, which is announced as a new one. */
void brume_state_switch_show_past(BrumeStateSwitch *states, uint64_t first);

/** Shows the present. Its latest snapshot is announced as a new one, because a paused simulation makes no other. */
void brume_state_switch_show_present(BrumeStateSwitch *states);

/** Whether the past is shown. Any thread may call it. */
static inline bool brume_state_switch_shows_past(const BrumeStateSwitch *states)
{
    return atomic_load(&states->first) > 0;
}

/** As brume_state_source_latest of the shown source, and brume_state_source_set_callback of both. */
const BrumeSnapshot *brume_state_switch_latest(BrumeStateSwitch *states);
void brume_state_switch_set_callback(BrumeStateSwitch *states, void (*callback)(void *context), void *context);

#endif
