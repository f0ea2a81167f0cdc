/**
 * @file state_source.h
 * The states that one thread publishes, the simulation (simulation_thread.h) or the playback of frames that were
 * computed before (playback_thread.h), and that the preparation thread reads.
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

/** Of a zeroed source: prepares it. Its first snapshot is empty. */
void brume_state_source_init(BrumeStateSource *source);

/** Frees all but the fields of the snapshots. */
void brume_state_source_destroy(BrumeStateSource *source);

/** The snapshot to be published next. For the thread that publishes. */
static inline BrumeSnapshot *brume_state_source_next(BrumeStateSource *source)
{
    return &source->snapshots[brume_triple_buffer_write_slot(&source->buffer)];
}

/** Publishes that snapshot and calls the callback. For the same thread. */
void brume_state_source_publish(BrumeStateSource *source);

/** Calls the callback alone. */
void brume_state_source_announce(BrumeStateSource *source);

/** The latest snapshot, valid until the next call. For one thread, the preparation thread. */
const BrumeSnapshot *brume_state_source_latest(BrumeStateSource *source);

/**
 * Sets the function that is called after every snapshot, by the thread that publishes it; NULL for none. When this
 * returns, no call of the previous function is in progress.
 */
void brume_state_source_set_callback(BrumeStateSource *source, void (*callback)(void *context), void *context);

/**
 * The states that are shown: of a simulation or a sequence, or of the frames of that simulation that are kept and
 * played again. The window thread switches, the preparation thread reads.
 */
typedef struct BrumeStateSwitch {
    BrumeStateSource *present;
    BrumeStateSource *past;      ///< NULL: there is none
    atomic_uint_least64_t first; ///< the least serial of a snapshot of the past that is shown; 0: the present is shown
} BrumeStateSwitch;

/** Shows the past, from its first snapshot whose serial is at least `first` on, which is announced as a new one. */
void brume_state_switch_show_past(BrumeStateSwitch *states, uint64_t first);

/** Shows the present. Its latest snapshot is announced as a new one, because a paused simulation makes no other. */
void brume_state_switch_show_present(BrumeStateSwitch *states);

/** Whether the past is shown. Any thread may ask. */
static inline bool brume_state_switch_shows_past(const BrumeStateSwitch *states)
{
    return atomic_load(&states->first) > 0;
}

/** As brume_state_source_latest and brume_state_source_set_callback, of the source that is shown and of both. */
const BrumeSnapshot *brume_state_switch_latest(BrumeStateSwitch *states);
void brume_state_switch_set_callback(BrumeStateSwitch *states, void (*callback)(void *context), void *context);

#endif
