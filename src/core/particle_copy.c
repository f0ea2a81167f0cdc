#include "core/particle_copy.h"

#include "core/memory.h"

#include <string.h>

BrumeStatus brume_particle_copy_set(BrumeParticleCopy *copy, const BrumeParticle *items, int count, BrumeError *error)
{
    copy->count = 0;
    if (count > copy->capacity) {
        const int wanted = count + count / 2;
        brume_free(copy->items);
        copy->items = brume_alloc_untouched((size_t)wanted, sizeof *copy->items);
        copy->capacity = copy->items ? wanted : 0;
        if (!copy->items) {
            return brume_out_of_memory(error, "a copy of particles");
        }
    }
    if (count > 0) {
        memcpy(copy->items, items, (size_t)count * sizeof *items);
    }
    copy->count = count;
    return BRUME_OK;
}

void brume_particle_copy_destroy(BrumeParticleCopy *copy)
{
    brume_free(copy->items);
    *copy = (BrumeParticleCopy){0};
}
