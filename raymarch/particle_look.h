/**
 * @file particle_look.h
 * How a particle looks from all sides: its color, its glow, and how a plate lies in its plane. All renderers share it.
 */
#ifndef BRUME_RAYMARCH_PARTICLE_LOOK_H
#define BRUME_RAYMARCH_PARTICLE_LOOK_H

#include "brume/render_settings.h"
#include "core/vec3.h"
#include "raymarch/fast_math.h"

/** The least radius of a particle in the picture [pixels]; a smaller one is drawn this large and covers less. */
#define BRUME_SPRITE_LEAST_RADIUS 0.7f

/** The least width of a plate in the picture, over its length. */
#define BRUME_SPRITE_THINNEST 0.06f

/** The largest distance of a particle from the point at which it gets its light, where particles are dense [cells]. */
#define BRUME_SPRITE_SHIFT 1.5f

/** The area of a plate over the square of its half length. */
static inline float brume_plate_area(BrumeParticleOutline outline)
{
    return outline == BRUME_OUTLINE_LEAF ? 4.0f / 3.0f : BRUME_PI;
}

/** The albedo of the particle with this id. */
BrumeVec3 brume_particle_albedo(const BrumeParticleLook *look, uint32_t id);

/** The radiance that a particle emits at its age; `ambient` is the absolute temperature of the air [K]. */
BrumeVec3 brume_particle_glow(const BrumeParticleLook *look, float age, float ambient);

/** The direction in which a plate is long, across its normal; it changes with the normal as little as it can. */
BrumeVec3 brume_plate_axis(const BrumeParticle *particle);

#endif
