/**
 * @file particle_look.h
 * How a particle looks from all sides: its color, its glow, and how a plate lies in its plane. All renderers share it.
 */
#ifndef BRUME_RAYMARCH_PARTICLE_LOOK_H
#define BRUME_RAYMARCH_PARTICLE_LOOK_H

#include "brume/render_settings.h"
#include "core/vec3.h"

/** The albedo of the particle with this id. */
BrumeVec3 brume_particle_albedo(const BrumeParticleLook *look, uint32_t id);

/** The radiance that a particle emits at its age; `ambient` is the absolute temperature of the air [K]. */
BrumeVec3 brume_particle_glow(const BrumeParticleLook *look, float age, float ambient);

/** The direction in which a plate is long, across its normal; it changes with the normal as little as it can. */
BrumeVec3 brume_plate_axis(const BrumeParticle *particle);

#endif
