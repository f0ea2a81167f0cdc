/**
 * @file triple_buffer.h
 * A lock-free triple buffer: one writer passes its latest result to one reader, and neither waits for the other. The
 * caller owns BRUME_TRIPLE_BUFFER_SLOTS results; this type manages their indices: one slot is being written, one is
 * being read, and the exchange slot holds the latest published result. Publishing and acquiring swap with the exchange
 * slot atomically.
 */
#ifndef BRUME_CORE_TRIPLE_BUFFER_H
#define BRUME_CORE_TRIPLE_BUFFER_H

#include <stdatomic.h>
#include <stdbool.h>

enum { BRUME_TRIPLE_BUFFER_SLOTS = 3 };

/** Flag of the exchange slot: its result has not been acquired yet. */
#define BRUME_TRIPLE_BUFFER_NEW 4u

typedef struct BrumeTripleBuffer {
    atomic_uint exchange; ///< index of the exchange slot, plus BRUME_TRIPLE_BUFFER_NEW
    unsigned write_slot;  ///< used by the writer alone
    unsigned read_slot;   ///< used by the reader alone
} BrumeTripleBuffer;

/** The writer starts with slot 0, the reader with slot 2; slot 1 is the exchange slot and holds no new result. */
static inline void brume_triple_buffer_init(BrumeTripleBuffer *buffer)
{
    buffer->write_slot = 0;
    atomic_init(&buffer->exchange, 1u);
    buffer->read_slot = 2;
}

/** Writer: the index of the slot to write into. */
static inline unsigned brume_triple_buffer_write_slot(const BrumeTripleBuffer *buffer) { return buffer->write_slot; }

/** Writer: publishes the slot that was written, and gets another one to write into. */
static inline void brume_triple_buffer_publish(BrumeTripleBuffer *buffer)
{
    const unsigned slot = buffer->write_slot | BRUME_TRIPLE_BUFFER_NEW;
    buffer->write_slot =
        atomic_exchange_explicit(&buffer->exchange, slot, memory_order_acq_rel) & ~BRUME_TRIPLE_BUFFER_NEW;
}

/** Reader: acquires the latest result. Returns false if none was published since, and the read slot stays the same. */
static inline bool brume_triple_buffer_acquire(BrumeTripleBuffer *buffer)
{
    if ((atomic_load_explicit(&buffer->exchange, memory_order_relaxed) & BRUME_TRIPLE_BUFFER_NEW) == 0u) {
        return false;
    }
    buffer->read_slot =
        atomic_exchange_explicit(&buffer->exchange, buffer->read_slot, memory_order_acq_rel) & ~BRUME_TRIPLE_BUFFER_NEW;
    return true;
}

/** Reader: the index of the slot that was acquired last. */
static inline unsigned brume_triple_buffer_read_slot(const BrumeTripleBuffer *buffer) { return buffer->read_slot; }

#endif
