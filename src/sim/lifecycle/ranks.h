/**
 * @file ranks.h
 * A simulation that several ranks share (core/domain.h), beyond its steps. All ranks call these functions. Where there
 * is one rank, the first three do nothing.
 */
#ifndef BRUME_SIM_LIFECYCLE_RANKS_H
#define BRUME_SIM_LIFECYCLE_RANKS_H

#include "sim/state/state.h"

/**
 * Completes all fields on all ranks, which from here on compute whole grids, as is simpler for what happens rarely,
 * until brume_compute_own. Calls do not nest.
 */
void brume_compute_whole(const BrumeSim *sim);

/** From here on each rank computes its own planes alone, as after brume_sim_create. */
void brume_compute_own(const BrumeSim *sim);

/** Bits for brume_collect_state: 1 << BrumeFieldId for a field of the state, and these. */
enum { BRUME_COLLECT_TEXTURE = 1 << BRUME_FIELD_COUNT, BRUME_COLLECT_PREVIOUS = 2 << BRUME_FIELD_COUNT };

/** Copies all planes of these fields to rank 0, which may read them until they change. */
void brume_collect_state(const BrumeSim *sim, unsigned fields);

/** The numbers of planes of the smallest and the largest slab. */
void brume_sim_slabs(const BrumeSim *sim, int *least, int *most);

/** Of brume_sim_bytes, the memory of the fields that ranks divide; each has all of the rest. */
size_t brume_sim_divided_bytes(const BrumeSim *sim);

#endif
