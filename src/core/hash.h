/**
 * @file hash.h
 * 64-bit hashes of fields and bytes (XXH3 of libxxhash), by which states are compared.
 */
#ifndef BRUME_CORE_HASH_H
#define BRUME_CORE_HASH_H

#include "core/bytes.h"
#include "core/field.h"

#include <stdint.h>

BRUME_BEGIN_DECLS

/**
 * Hash of the interior of a field, chained on `seed`: entries 1..n along each axis and, for a velocity component, the
 * faces n+1 along its own axis `faces_axis` (0 x, 1 y, 2 z; -1 for a cell-centered field). Planes are hashed in
 * parallel and their hashes are combined in order, so the value depends neither on the thread count nor on the ranks
 * that share the grid. `planes` (nz + 2) is overwritten.
 */
uint64_t brume_hash_field(const BrumeField *field, int faces_axis, uint64_t seed, uint64_t *planes);

/** Hash of raw bytes. */
uint64_t brume_hash_bytes(const void *bytes, size_t size, uint64_t seed);

/**
 * Hash of the hashes of successive blocks of 1 MiB, which are hashed in parallel: for states, whose bytes are many. The
 * value does not depend on the number of threads.
 */
uint64_t brume_hash_blocks(const void *bytes, size_t size, uint64_t seed);

/** Hash of `count` parts one after the other: equal to brume_hash_bytes with seed 0 of all their bytes. */
uint64_t brume_hash_parts(const BrumeBytes *parts, int count);

BRUME_END_DECLS

#endif
