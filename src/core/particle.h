/**
 * @file particle.h
 * The check of a particle.
 */
#ifndef BRUME_CORE_PARTICLE_H
#define BRUME_CORE_PARTICLE_H

#include "brume/particle.h"
#include "core/vec3.h"

#include <math.h>

/** Whether its numbers are finite, its diameter is above 0, and it has a kind. */
static inline bool brume_particle_is_valid(const BrumeParticle *particle)
{
    const BrumeVec3 sum =
        brume_add(brume_add(particle->position, particle->velocity), brume_add(particle->normal, particle->spin));
    return isfinite(brume_dot(sum, sum)) && isfinite(particle->age) && particle->diameter > 0.0f &&
           particle->diameter < INFINITY && particle->kind < BRUME_PARTICLE_KINDS;
}

#endif
