/**
 * @file handoff.h
 * One writer hands its newest result to one reader, neither ever waiting for the other: three slots, of which one is
 * being written, one being read, and one holds the newest in between. Free of locks.
 */
#ifndef BRUME_CORE_HANDOFF_H
#define BRUME_CORE_HANDOFF_H

#include <stdatomic.h>
#include <stdbool.h>

enum { BRUME_HANDOFF_SLOTS = 3 };

#define BRUME_HANDOFF_FRESH 4u

typedef struct BrumeHandoff {
    atomic_uint between; ///< the slot in between, plus BRUME_HANDOFF_FRESH where it has not been read
    unsigned writing, reading;
} BrumeHandoff;

/** Slot 0 is the writer's, slot 1 in between and not fresh, slot 2 the reader's. */
static inline void brume_handoff_start(BrumeHandoff *handoff)
{
    handoff->writing = 0;
    atomic_init(&handoff->between, 1u);
    handoff->reading = 2;
}

/** Writer: the slot to write into. */
static inline unsigned brume_handoff_slot(const BrumeHandoff *handoff) { return handoff->writing; }

/** Writer: what was written becomes the newest, and another slot is to be written next. */
static inline void brume_handoff_publish(BrumeHandoff *handoff)
{
    const unsigned slot = handoff->writing | BRUME_HANDOFF_FRESH;
    handoff->writing = atomic_exchange_explicit(&handoff->between, slot, memory_order_acq_rel) & ~BRUME_HANDOFF_FRESH;
}

/** Reader: takes the newest; false where nothing new came since, and the slot stays the one that it was. */
static inline bool brume_handoff_take(BrumeHandoff *handoff)
{
    if ((atomic_load_explicit(&handoff->between, memory_order_relaxed) & BRUME_HANDOFF_FRESH) == 0u) {
        return false;
    }
    handoff->reading =
        atomic_exchange_explicit(&handoff->between, handoff->reading, memory_order_acq_rel) & ~BRUME_HANDOFF_FRESH;
    return true;
}

/** Reader: the slot that was taken last. */
static inline unsigned brume_handoff_taken(const BrumeHandoff *handoff) { return handoff->reading; }

#endif
