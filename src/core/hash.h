/**
 * @file hash.h
 * The 64-bit hash that states are compared by (XXH3 of libxxhash).
 */
#ifndef BRUME_CORE_HASH_H
#define BRUME_CORE_HASH_H

#include "core/field.h"

#include <stdint.h>

/**
 * Hash of the interior of a field (entries 1..n along each side, plus the last face along an axis whose `faces_axis`
 * it is: 0 x, 1 y, 2 z, -1 for a cell-centred field), chained on `seed`. Planes are hashed in parallel and their
 * hashes combined in order, so the value does not depend on the thread count.
 */
uint64_t brume_hash_field(const BrumeField *field, int faces_axis, uint64_t seed);

/** Hash of raw bytes. */
uint64_t brume_hash_bytes(const void *bytes, size_t size, uint64_t seed);

#endif
