/**
 * @file compact_state.h
 * The state of one variant in few bytes: the fields that the views need, as half floats (11 significant bits), and the
 * particles. Zeros at the ends of rows are not stored. Texture coordinates and particles keep their 32 bits.
 */
#ifndef BRUME_VIEWER_HISTORY_COMPACT_STATE_H
#define BRUME_VIEWER_HISTORY_COMPACT_STATE_H

#include "brume/sim.h"
#include "core/error.h"
#include "viewer/simulation/snapshot.h"

#include <stddef.h>
#include <stdint.h>

/** Returns the maximum size of the compact state of a simulation [bytes]. */
size_t brume_compact_state_bound(const BrumeSim *sim);

/**
 * Writes the state to `bytes`, which has room for brume_compact_state_bound bytes and is aligned to 8. Returns its
 * size, a multiple of 8. Parallel over z-planes.
 */
size_t brume_compact_state_write(const BrumeSim *sim, uint8_t *bytes);

/**
 * Allocates the fields of `variant`, which has none, and reads them from `bytes`, which brume_compact_state_write has
 * written. The caller sets `settings` and `stats`. BRUME_FAILED without memory; `variant` has no fields then.
 */
BrumeStatus brume_compact_state_read(const uint8_t *bytes, BrumeSnapshotVariant *variant, BrumeError *error);

#endif
