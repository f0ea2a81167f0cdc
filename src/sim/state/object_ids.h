/**
 * @file object_ids.h
 * The ids of the emitters, or of the bodies, of a simulation: a slot for each index of the list, and how many
 * objects each slot had before.
 */
#ifndef BRUME_SIM_STATE_OBJECT_IDS_H
#define BRUME_SIM_STATE_OBJECT_IDS_H

#include "brume/sim_def.h"

enum { BRUME_MAX_OBJECTS = BRUME_MAX_BODIES };
_Static_assert((int)BRUME_MAX_OBJECTS == (int)BRUME_MAX_EMITTERS, "one table for both");

/** All zero: there are no objects. */
typedef struct BrumeObjectIds {
    int count;
    int slots[BRUME_MAX_OBJECTS];            ///< by index
    uint32_t generations[BRUME_MAX_OBJECTS]; ///< by slot
} BrumeObjectIds;

/** Ends the ids of the last objects, or gives ids to new ones at the end, so that there are `count`. */
void brume_object_ids_resize(BrumeObjectIds *ids, int count);

/** Ends the id of the object at `index`; the ids behind it move up. */
void brume_object_ids_remove(BrumeObjectIds *ids, int index);

/** The index of the object that has a slot since this generation; -1 where there is none. */
int brume_object_ids_find(const BrumeObjectIds *ids, int slot, uint32_t generation);

#endif
