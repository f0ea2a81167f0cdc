/**
 * @file particle_copy.h
 * A copy of the particles of a state, which others read while the state changes.
 */
#ifndef BRUME_CORE_PARTICLE_COPY_H
#define BRUME_CORE_PARTICLE_COPY_H

#include "brume/particle.h"
#include "core/error.h"

#include <stddef.h>

/** All zero: there are none. */
typedef struct BrumeParticleCopy {
    BrumeParticle *items;
    int count, capacity;
} BrumeParticleCopy;

/** Copies `count` particles. BRUME_FAILED without memory; the copy is empty then. */
BrumeStatus brume_particle_copy_set(BrumeParticleCopy *copy, const BrumeParticle *items, int count, BrumeError *error);

void brume_particle_copy_destroy(BrumeParticleCopy *copy);

/** Bytes allocated. */
static inline size_t brume_particle_copy_bytes(const BrumeParticleCopy *copy)
{
    return (size_t)copy->capacity * sizeof *copy->items;
}

#endif
