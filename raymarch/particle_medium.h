/**
 * @file particle_medium.h
 * Particles as a part of the medium that light passes through before it is seen: where they are dense they shade each
 * other, smoke and surfaces, and scatter light. Camera rays see them as sprites (cpu/sprites.h).
 */
#ifndef BRUME_RAYMARCH_PARTICLE_MEDIUM_H
#define BRUME_RAYMARCH_PARTICLE_MEDIUM_H

#include "raymarch/grid_medium.h"

/**
 * Sets `shading` to the loaded `medium` with the extinction of the particles of a volume added. It has an extinction
 * and majorants of its own, which are allocated for volumes of up to `capacity` where they are NULL, and shares all
 * else with `medium`. Without particles `shading` has no cells. BRUME_FAILED without memory.
 */
BrumeStatus brume_particle_medium_load(BrumeGridMedium *shading, const BrumeGridMedium *medium, BrumeGrid capacity,
                                       const BrumeRenderSettings *settings, const BrumeVolume *volume,
                                       BrumeError *error);

/** Frees what `shading` does not share. */
void brume_particle_medium_destroy(BrumeGridMedium *shading);

/** Bytes allocated. */
size_t brume_particle_medium_bytes(const BrumeGridMedium *shading, BrumeGrid capacity);

#endif
