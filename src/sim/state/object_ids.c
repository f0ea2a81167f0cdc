#include "sim/state/object_ids.h"

#include <string.h>

static int index_of_slot(const BrumeObjectIds *ids, int slot)
{
    for (int n = 0; n < ids->count; n++) {
        if (ids->slots[n] == slot) {
            return n;
        }
    }
    return -1;
}

void brume_object_ids_resize(BrumeObjectIds *ids, int count)
{
    while (ids->count > count) {
        brume_object_ids_remove(ids, ids->count - 1);
    }
    while (ids->count < count) {
        int slot = 0;
        while (index_of_slot(ids, slot) >= 0) {
            slot++;
        }
        ids->slots[ids->count++] = slot;
    }
}

void brume_object_ids_remove(BrumeObjectIds *ids, int index)
{
    ids->generations[ids->slots[index]]++;
    ids->count--;
    memmove(&ids->slots[index], &ids->slots[index + 1], (size_t)(ids->count - index) * sizeof ids->slots[0]);
}

int brume_object_ids_find(const BrumeObjectIds *ids, int slot, uint32_t generation)
{
    const int index = index_of_slot(ids, slot);
    return index >= 0 && ids->generations[slot] == generation ? index : -1;
}
