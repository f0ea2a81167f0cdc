/**
 * @file compact_state.h
 * The state of one variant in few bytes: what the views need of it, as half floats. Velocity, pressure, temperature and
 * smoke are rounded to 11 bits; where nothing is, nothing is stored. Texture coordinates keep their 32 bits.
 */
#ifndef BRUME_VIEWER_HISTORY_COMPACT_STATE_H
#define BRUME_VIEWER_HISTORY_COMPACT_STATE_H

#include "brume/sim.h"
#include "core/error.h"
#include "viewer/simulation/snapshot.h"

#include <stddef.h>
#include <stdint.h>

/** The most bytes that the state of a simulation may have. */
size_t brume_compact_state_bound(const BrumeSim *sim);

/**
 * Writes the state to `bytes`, which has room for brume_compact_state_bound bytes and is aligned to 8. Returns its
 * size, a multiple of 8. Parallel over z-planes.
 */
size_t brume_compact_state_write(const BrumeSim *sim, uint8_t *bytes);

/**
 * Allocates the fields of `variant`, which has none, and reads them from `bytes`, which brume_compact_state_write has
 * written. `settings` and `stats` are left to the caller. BRUME_FAILED without memory; `variant` has no fields then.
 */
BrumeStatus brume_compact_state_read(const uint8_t *bytes, BrumeSnapshotVariant *variant, BrumeError *error);

#endif
