/**
 * @file particle.h
 * Particles that the flow carries: tracers without weight, spheres such as dust and embers, and plates such as leaves.
 */
#ifndef BRUME_PARTICLE_H
#define BRUME_PARTICLE_H

#include "brume/export.h"
#include "brume/vec3.h"

#include <stdbool.h>
#include <stdint.h>

BRUME_BEGIN_DECLS

enum { BRUME_MAX_PARTICLES = 1 << 24 }; ///< of a simulation, and points of a file

/** The kinds of particles, whose names differ only in their defaults. */
typedef enum BrumeParticleKind {
    BRUME_PARTICLE_DUST,
    BRUME_PARTICLE_EMBERS,
    BRUME_PARTICLE_LEAVES,
    BRUME_PARTICLE_FLAKES,
    BRUME_PARTICLE_KINDS,
} BrumeParticleKind;

/** The name of a kind in scenes: "dust". */
BRUME_API const char *brume_particle_kind_name(BrumeParticleKind kind);

/** What a particle is for the air. */
typedef enum BrumeParticleShape {
    BRUME_PARTICLE_TRACER, ///< it has the velocity of the air
    BRUME_PARTICLE_SPHERE, ///< it has weight and drag (Schiller and Naumann 1933)
    BRUME_PARTICLE_PLATE,  ///< a round plate, which turns
} BrumeParticleShape;

/** A kind of particles. */
typedef struct BrumeParticleDef {
    BrumeParticleShape shape;
    float diameter;  ///< [m], above 0
    float spread;    ///< 0 to 1: diameters are from (1 - spread) to (1 + spread) times the diameter, equally likely
    float thickness; ///< of plates [m], above 0
    float density;   ///< mass over volume, other than of tracers [kg/m^3], above 0
    float life;      ///< the mean [s], each from 1/2 to 3/2 of it; 0: they stay
    float bounce;    ///< speed after an impact over that before it, 0 to 1
    float friction;  ///< coefficient of friction on surfaces, 0 or more
    bool reacts;     ///< whether the air gets the opposite of the force that it has on them
} BrumeParticleDef;

/** A particle. */
typedef struct BrumeParticle {
    BrumeVec3 position; ///< [m]
    BrumeVec3 velocity; ///< [m/s]
    BrumeVec3 normal;   ///< of a plate, of length 1
    BrumeVec3 spin;     ///< of a plate, across its normal [radians/s]
    float age;          ///< time since its birth [s], negated until the step after that moves it
    float diameter;     ///< [m]
    uint32_t kind;      ///< BrumeParticleKind
    uint32_t id;        ///< different from that of any other particle of the simulation; counts births
} BrumeParticle;

BRUME_END_DECLS

#endif
