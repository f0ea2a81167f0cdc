/**
 * @file particles.h
 * Particles in the flow: their births, motion, contact with surfaces, and their effect on the air.
 *
 * Every rank has all particles, in the same order: that of their births, and from time to time that of their planes, so
 * that neighbors in memory sample the same part of the velocity. Each rank moves those in its planes; then all get the
 * results. So their order, and each sum over them, is the same at any number of threads and ranks.
 */
#ifndef BRUME_SIM_PARTICLES_PARTICLES_H
#define BRUME_SIM_PARTICLES_PARTICLES_H

#include "brume/particle.h"
#include "core/archive.h"
#include "core/shape.h"
#include "sim/state/state.h"

/** Whether particles act on the air. The impulses of others have no meaning. */
static inline bool brume_particles_act(const BrumeParticleDef *def)
{
    return def->reacts && def->shape != BRUME_PARTICLE_TRACER;
}

/** Frees the particles of a simulation. */
void brume_particles_destroy(BrumeParticles *particles);

/** Exchanges the particles of two simulations. */
static inline void brume_particles_swap(BrumeParticles *a, BrumeParticles *b)
{
    const BrumeParticles former = *a;
    *a = *b;
    *b = former;
}

/** Bytes allocated. */
size_t brume_particles_bytes(const BrumeParticles *particles);

/** Memory for `count` more particles. BRUME_FAILED without it. */
BrumeStatus brume_particles_reserve(BrumeParticles *particles, int count, BrumeError *error);

/**
 * After the ranks have moved the particles of their planes: gives all ranks the results, orders the particles by planes
 * where they are scattered, and removes those whose plane is below 0; the last ones take their places. BRUME_FAILED
 * without memory.
 */
BrumeStatus brume_particles_order(BrumeParticles *particles, BrumeGrid grid, BrumeError *error);

/** Counts, writes or reads the particles of a state. One that is not valid clears `ok`. */
void brume_particles_archive(BrumeArchive *archive, BrumeParticles *particles);

/**
 * Moves the particles over `dt` [s] along `velocity` [m/s], whose ghosts must be set, and changes it in planes of other
 * ranks. Results are complete after brume_settle_particles.
 */
void brume_move_particles(BrumeSim *sim, const BrumeField velocity[3], double dt);

/**
 * After a move, with the bodies at their places at the end of the step: moves particles out of bodies and walls, from
 * which they bounce, removes those that have left the box or whose life has ended, and gives all ranks the results.
 * BRUME_FAILED without memory.
 */
BrumeStatus brume_settle_particles(BrumeSim *sim, double dt, BrumeError *error);

/**
 * Births in a shape in a part of a step. A particle is moved from the next step on, then also for the time between its
 * birth and the end of its first step; until then its age is below 0.
 */
typedef struct BrumeBirths {
    const BrumeShape *shape;
    float outside;         ///< they are outside, up to this distance from the surface [m]; 0: inside
    const float *rates;    ///< (BRUME_PARTICLE_KINDS) [1/s]
    double start, seconds; ///< of the part [s]
    double end;            ///< of the step [s]
    uint32_t source;       ///< a number that no other source of the simulation has
} BrumeBirths;

/**
 * Particles are born, with the velocity of the air where they are. Their number in a part of a step is the rate times
 * its duration, rounded up or down at random and without bias. BRUME_FAILED without memory.
 */
BrumeStatus brume_bear_particles(BrumeSim *sim, const BrumeBirths *births, BrumeError *error);

/**
 * Particles are born at the initial points of the settings that are in the box. BRUME_BAD_INPUT where they are too many
 * or have no samples, BRUME_FAILED without memory.
 */
BrumeStatus brume_bear_initial_particles(BrumeSim *sim, BrumeError *error);

/** The births by strokes in a step of `dt` [s]. */
BrumeStatus brume_bear_stroked_particles(BrumeSim *sim, double dt, BrumeError *error);

/** Gives the air the opposite of the momentum that it has given to particles in this step. BRUME_FAILED without memory.
 */
BrumeStatus brume_add_particle_forces(BrumeSim *sim, BrumeError *error);

#endif
