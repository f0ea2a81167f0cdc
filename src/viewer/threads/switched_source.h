/**
 * @file switched_source.h
 * A source of states that passes on those of one of two other sources: of a running simulation, or of its frames that
 * are kept and played again. Functions that start, step, record and limit go to the source that is shown.
 *
 * The window thread calls all functions, the preparation thread latest_snapshot. It owns neither of the sources: stop
 * and destroy go to the simulation alone.
 */
#ifndef BRUME_VIEWER_THREADS_SWITCHED_SOURCE_H
#define BRUME_VIEWER_THREADS_SWITCHED_SOURCE_H

#include "viewer/threads/state_source.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef struct BrumeSwitchedSource {
    BrumeStateSource simulation, playback;
    atomic_bool shows_playback;
    atomic_uint_least64_t after; ///< serial of the latest snapshot of the playback before it was shown
    void (*callback)(void *);    ///< for snapshots, NULL: none; used by the window thread alone
    void *callback_context;
} BrumeSwitchedSource;

/** Shows the simulation at first. */
void brume_switched_source_init(BrumeSwitchedSource *source, BrumeStateSource simulation, BrumeStateSource playback);

/** Shows the playback, from its first snapshot with a greater serial than `after` on, which is announced as a new one.
 */
void brume_switched_source_show_playback(BrumeSwitchedSource *source, uint64_t after);

/** Shows the simulation. Its latest snapshot is announced as a new one, because a paused simulation makes no other. */
void brume_switched_source_show_simulation(BrumeSwitchedSource *source);

/** `source` as a source of states; valid while it and both sources are. */
BrumeStateSource brume_switched_source(BrumeSwitchedSource *source);

#endif
