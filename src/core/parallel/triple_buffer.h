/**
 * @file triple_buffer.h
 * A lock-free triple buffer: one writer passes its newest result to one reader, and neither waits for the other. Of the
 * three slots the writer owns one, the reader owns one, and the third holds the newest published result. The slots
 * themselves are an array of the caller's; this file manages their indices.
 */
#ifndef BRUME_CORE_PARALLEL_TRIPLE_BUFFER_H
#define BRUME_CORE_PARALLEL_TRIPLE_BUFFER_H

#include <stdatomic.h>
#include <stdbool.h>

enum { BRUME_TRIPLE_BUFFER_SLOTS = 3 };

#define BRUME_TRIPLE_BUFFER_UNREAD 4u

typedef struct BrumeTripleBuffer {
    atomic_uint middle; ///< index of the slot in the middle, plus BRUME_TRIPLE_BUFFER_UNREAD until the reader takes it
    unsigned written;   ///< index of the writer's slot
    unsigned read;      ///< index of the reader's slot
} BrumeTripleBuffer;

/** Assigns slot 0 to the writer and slot 2 to the reader; slot 1 is in the middle, without a result to read. */
static inline void brume_triple_buffer_init(BrumeTripleBuffer *buffer)
{
    buffer->written = 0;
    atomic_init(&buffer->middle, 1u);
    buffer->read = 2;
}

/** Writer: the index of the slot to write into. */
static inline unsigned brume_triple_buffer_write_slot(const BrumeTripleBuffer *buffer) { return buffer->written; }

/** Writer: publishes the written slot as the newest result and takes the slot from the middle to write next. */
static inline void brume_triple_buffer_publish(BrumeTripleBuffer *buffer)
{
    const unsigned slot = buffer->written | BRUME_TRIPLE_BUFFER_UNREAD;
    buffer->written =
        atomic_exchange_explicit(&buffer->middle, slot, memory_order_acq_rel) & ~BRUME_TRIPLE_BUFFER_UNREAD;
}

/** Reader: takes the newest result. Returns false, and leaves the reader's slot, where nothing was published since. */
static inline bool brume_triple_buffer_take(BrumeTripleBuffer *buffer)
{
    if ((atomic_load_explicit(&buffer->middle, memory_order_relaxed) & BRUME_TRIPLE_BUFFER_UNREAD) == 0u) {
        return false;
    }
    buffer->read =
        atomic_exchange_explicit(&buffer->middle, buffer->read, memory_order_acq_rel) & ~BRUME_TRIPLE_BUFFER_UNREAD;
    return true;
}

/** Reader: the index of the slot that it took last. */
static inline unsigned brume_triple_buffer_read_slot(const BrumeTripleBuffer *buffer) { return buffer->read; }

#endif
