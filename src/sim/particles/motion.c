/*
 * The motion of particles in the air.
 *
 * A tracer follows the velocity by the Runge-Kutta method of the trace (docs/equations.md, Advection).
 *
 * A sphere of diameter d and density rho_p has, relative to air of density rho and viscosity mu,
 *
 *     dv/dt = (u - v) / tau + g (rho_p - rho) / m,   tau = m d^2 / (18 mu f(Re)),   m = rho_p + rho / 2,
 *     f(Re) = 1 + 0.15 Re^0.687 up to Re = 1000 (Schiller and Naumann 1933), 0.44 Re / 24 above,   Re = rho |u - v| d /
 * mu
 *
 * with the mass of the air that moves with it, half of its volume. The equation is solved exactly for a constant tau,
 * whose relative velocity is the mean of the step; so a step of any length is stable and ends at the terminal velocity.
 *
 * A plate is a round disc of diameter d with the unit normal n and w = u - v. Along its normal and across it has the
 * resistances of a disc in slow flow (Happel and Brenner 1983, 5-17 and 5-18) and in fast flow,
 *
 *     K_n = 8 mu d + 1/2 rho A C_n |w|,   C_n = 1.17 (Hoerner 1965, 3-15),
 *     K_t = 16/3 mu d + 1/2 rho A C_t |w|,   C_t = 0.1,
 *
 * and the mass rho d^3 / 3 of the air that moves with it along the normal (Lamb 1932, 108), which turns it broadside by
 * the moment -rho d^3 / 3 (w.n) (w x n). Its rotation is damped by 4/3 mu d^3 in slow flow, and in fast flow by C_n on
 * the parts of the disc, 0.00975 rho d^5 |spin|; the air that turns with it has the inertia rho d^5 / 90.
 */
#include "core/domain.h"
#include "core/elementary.h"
#include "core/minmax.h"
#include "core/parallel/simd.h"
#include "sim/particles/air.h"
#include "sim/particles/particles.h"
#include "sim/state/heat.h"

#include <math.h>

static const float PI = 3.14159265f;
static const float AIR = BRUME_AMBIENT_DENSITY; // rho [kg/m^3]
static const float MU = 1.846e-5f;              // of air at 300 K [Pa s]
static const float BROADSIDE = 1.17f;           // C_n
static const float EDGEWISE = 0.1f;             // C_t
static const float LARGEST_TURN = 0.2f;         // of a plate in a part of a step [radians]
enum { MOST_PARTS = 64 };                       // of a step of a plate

// what a step needs of the simulation
typedef struct Motion {
    BrumeAir air;
    const BrumeParticleDef *defs;
    BrumeVec3 gravity;
    int order;
    float reach; // no sample of the velocity is farther from the place of a particle at the start of the step [m]
} Motion;

// a way along each axis of at most `reach`
static BrumeVec3 limited(BrumeVec3 way, float reach)
{
    const float largest = brume_largest(brume_vec3(fabsf(way.x), fabsf(way.y), fabsf(way.z)));
    return largest > reach ? brume_scale(way, reach / largest) : way;
}

// f(Re). (Re / 1000)^0.687 is exp(0.687 ln(Re / 1000)).
BRUME_INLINE float drag_factor(float speed, float diameter)
{
    const float reynolds_over_1000 = AIR / MU / 1000.0f * speed * diameter;
    const float at_1000 = 17.262006f; // 0.15 1000^0.687
    const float slow = 1.0f + at_1000 * brume_fast_exp(0.687f * brume_fast_ln(reynolds_over_1000));
    return reynolds_over_1000 <= 1.0f ? slow : 0.44f * 1000.0f / 24.0f * reynolds_over_1000;
}

// With x = dt / tau, how much of the acceleration a at the start of a step dt remains in the change of the velocity,
// (1 - exp(-x)) / x of a dt, and in the way, (x - 1 + exp(-x)) / x^2 of a dt^2.
typedef struct Relaxation {
    float x, of_velocity, of_way;
} Relaxation;

BRUME_INLINE Relaxation relaxation(float x)
{
    const float per_x = 1.0f / x;
    const float lost = 1.0f - brume_fast_exp(-x);
    const float series = 1.0f - x * (1.0f / 2.0f - x * (1.0f / 6.0f - x * (1.0f / 24.0f - x / 120.0f)));
    const float series_of_way = 1.0f / 2.0f - x * (1.0f / 6.0f - x * (1.0f / 24.0f - x * (1.0f / 120.0f - x / 720.0f)));
    return (Relaxation){x, x > 0.3f ? lost * per_x : series, x > 0.3f ? (x - lost) * per_x * per_x : series_of_way};
}

// Solves dv/dt = (air - v) / tau + weight over dt: returns the velocity at its end, and sets the way.
static BrumeVec3 relax(BrumeVec3 velocity, BrumeVec3 air, BrumeVec3 weight, float tau, float dt, BrumeVec3 *way)
{
    const Relaxation over = relaxation(dt / tau);
    const BrumeVec3 gained = brume_add(brume_scale(brume_sub(air, velocity), over.x), brume_scale(weight, dt)); // a dt
    *way = brume_scale(brume_add(velocity, brume_scale(gained, over.of_way)), dt);
    return brume_add(velocity, brume_scale(gained, over.of_velocity));
}

static BrumeVec3 vector_at(const BrumeAirVectors *vectors, int n)
{
    return brume_vec3(vectors->component[0][n], vectors->component[1][n], vectors->component[2][n]);
}

static void set_vector(BrumeAirVectors *vectors, int n, BrumeVec3 vector)
{
    vectors->component[0][n] = vector.x;
    vectors->component[1][n] = vector.y;
    vectors->component[2][n] = vector.z;
}

// spheres that are moved together
typedef struct Spheres {
    BrumeAirVectors air, velocity, end, way; // the air; at the start and the end of the step; through it
    BrumeAirVectors weight;                  // acceleration
    _Alignas(64) float diameter[BRUME_AIR_POINTS];
    float mass[BRUME_AIR_POINTS]; // over the volume, with that of the air that moves with it
    float dt[BRUME_AIR_POINTS];
    float taken[BRUME_AIR_POINTS]; // the part of the relative velocity that they have lost
} Spheres;

// Solves the equation of motion with the drag at the mean of the velocities at the start and at the `end`, a guess,
// which becomes the solution.
BRUME_KERNEL static void relax_spheres(Spheres *spheres)
{
    float x[BRUME_AIR_POINTS];
    float of_velocity[BRUME_AIR_POINTS];
    float of_way[BRUME_AIR_POINTS];
    float squared[BRUME_AIR_POINTS] = {0.0f};
    for (int axis = 0; axis < 3; axis++) {
        const float *air = spheres->air.component[axis];
        const float *velocity = spheres->velocity.component[axis];
        const float *end = spheres->end.component[axis];
        for (int n = 0; n < BRUME_AIR_POINTS; n++) {
            const float relative = air[n] - 0.5f * (velocity[n] + end[n]);
            squared[n] += relative * relative;
        }
    }
#pragma omp simd
    for (int n = 0; n < BRUME_AIR_POINTS; n++) {
        const float d = spheres->diameter[n];
        const float slowest = 18.0f * MU * spheres->dt[n] / (spheres->mass[n] * d * d);
        const Relaxation over = relaxation(slowest * drag_factor(sqrtf(squared[n]), d));
        x[n] = over.x;
        of_velocity[n] = over.of_velocity;
        of_way[n] = over.of_way;
        spheres->taken[n] = over.x * over.of_velocity;
    }
    for (int axis = 0; axis < 3; axis++) {
        const float *air = spheres->air.component[axis];
        const float *velocity = spheres->velocity.component[axis];
        for (int n = 0; n < BRUME_AIR_POINTS; n++) {
            const float dt = spheres->dt[n];
            const float gained = (air[n] - velocity[n]) * x[n] + spheres->weight.component[axis][n] * dt; // a dt
            spheres->way.component[axis][n] = (velocity[n] + gained * of_way[n]) * dt;
            spheres->end.component[axis][n] = velocity[n] + gained * of_velocity[n];
        }
    }
}

// the parts of a vector along a unit normal and across it
static BrumeVec3 part_along(BrumeVec3 vector, BrumeVec3 normal)
{
    return brume_scale(normal, brume_dot(vector, normal));
}

static BrumeImpulse move_plate(const Motion *motion, const BrumeParticleDef *def, BrumeVec3 air, float dt,
                               BrumeParticle *particle)
{
    particle->normal = brume_is_zero(particle->normal) ? brume_vec3(0.0f, 1.0f, 0.0f) : particle->normal;
    const float d = particle->diameter;
    const float area = 0.25f * PI * d * d;
    const float mass = def->density * area * def->thickness;
    const float added = AIR * d * d * d / 3.0f;
    const float inertia = mass * d * d / 16.0f + AIR * d * d * d * d * d / 90.0f;
    const BrumeVec3 weight = brume_scale(motion->gravity, mass - AIR * area * def->thickness); // [N]
    const float start_speed = brume_length(brume_sub(air, particle->velocity));
    const float turn = (brume_length(particle->spin) + 2.0f * start_speed / d) * dt;
    const int parts = (int)brume_fminf(1.0f + turn / LARGEST_TURN, (float)MOST_PARTS);
    const float h = dt / (float)parts;
    BrumeVec3 gained = {0};
    for (int part = 0; part < parts; part++) {
        const BrumeVec3 n = particle->normal;
        const BrumeVec3 w = brume_sub(air, particle->velocity);
        const float speed = brume_length(w);
        BrumeVec3 ways[2];
        const BrumeVec3 before = particle->velocity;
        const BrumeVec3 along = part_along(before, n);
        const BrumeVec3 heavy = part_along(weight, n);
        const float tau_along = (mass + added) / (8.0f * MU * d + 0.5f * AIR * area * BROADSIDE * speed);
        const float tau_across = mass / (16.0f / 3.0f * MU * d + 0.5f * AIR * area * EDGEWISE * speed);
        const BrumeVec3 new_along =
            relax(along, part_along(air, n), brume_scale(heavy, 1.0f / (mass + added)), tau_along, h, &ways[0]);
        const BrumeVec3 new_across = relax(brume_sub(before, along), brume_sub(air, part_along(air, n)),
                                           brume_scale(brume_sub(weight, heavy), 1.0f / mass), tau_across, h, &ways[1]);
        particle->velocity = brume_add(new_along, new_across);
        particle->position = brume_add(particle->position, brume_add(ways[0], ways[1]));
        const BrumeVec3 of_air = brume_sub(brume_scale(brume_sub(new_along, along), mass + added),
                                           brume_scale(brume_sub(brume_sub(before, along), new_across), mass));
        gained = brume_add(gained, brume_sub(of_air, brume_scale(weight, h)));

        const BrumeVec3 moment = brume_scale(brume_cross(w, n), -added * brume_dot(w, n));
        const BrumeVec3 driven = brume_add(particle->spin, brume_scale(moment, h / inertia));
        const float damping =
            (4.0f / 3.0f * MU * d * d * d + 0.00975f * AIR * d * d * d * d * d * brume_length(driven)) / inertia;
        const BrumeVec3 spin = brume_scale(driven, 1.0f / (1.0f + h * damping));
        particle->normal = brume_normalize(brume_add(n, brume_scale(brume_cross(spin, n), h)));
        particle->spin = brume_sub(spin, part_along(spin, particle->normal));
    }
    return (BrumeImpulse){brume_scale(gained, 1.0f / AIR), (mass + added) / AIR};
}

// particles that are moved together
typedef struct Block {
    int count;
    BrumeParticle *particles[BRUME_AIR_POINTS];
    BrumeImpulse *impulses[BRUME_AIR_POINTS];
    bool is_born[BRUME_AIR_POINTS]; // it is moved for the first time
    float dt[BRUME_AIR_POINTS];     // [s]
} Block;

static void add_particle(Block *block, BrumeParticle *particle, BrumeImpulse *impulse, float dt)
{
    const int n = block->count++;
    const bool is_born = particle->age < 0.0f;
    block->particles[n] = particle;
    block->impulses[n] = impulse;
    block->is_born[n] = is_born;
    block->dt[n] = is_born ? dt - particle->age : dt;
    particle->age = is_born ? block->dt[n] : particle->age + dt;
}

// the velocity of the air at the ends of the ways `share` dt `velocity` of the particles
static void sample_beside(const Motion *motion, const Block *block, float share, const BrumeAirVectors *velocity,
                          BrumeAirVectors *samples)
{
    BrumeAirVectors points = {0}; // all lanes of vectors have valid places
    for (int n = 0; n < block->count; n++) {
        const BrumeVec3 way = brume_scale(vector_at(velocity, n), share * block->dt[n]);
        set_vector(&points, n, brume_add(block->particles[n]->position, limited(way, motion->reach)));
    }
    brume_air_velocities(&motion->air, &points, samples);
}

// the stages of the Runge-Kutta method of a tracer
static void move_tracer(const Motion *motion, const BrumeAirVectors stages[3], int n, float dt, BrumeParticle *particle)
{
    BrumeVec3 mean = vector_at(&stages[1], n);
    if (motion->order == 3) { // Ralston 1962
        const BrumeVec3 sum = brume_add(brume_scale(vector_at(&stages[0], n), 2.0f), brume_scale(mean, 3.0f));
        mean = brume_scale(brume_add(sum, brume_scale(vector_at(&stages[2], n), 4.0f)), 1.0f / 9.0f);
    }
    particle->position = brume_add(particle->position, brume_scale(mean, dt));
    particle->velocity = mean;
}

// Moves the spheres of a block; sets the impulses that the air has given them, over its density [m^4/s].
static void move_spheres(const Motion *motion, const Block *block, const BrumeAirVectors *air)
{
    Spheres spheres = {.air = *air};
    for (int n = 0; n < BRUME_AIR_POINTS; n++) {
        const BrumeParticle *particle = block->particles[n < block->count ? n : 0];
        const float density = motion->defs[particle->kind].density;
        spheres.diameter[n] = particle->diameter;
        spheres.mass[n] = density + 0.5f * AIR;
        spheres.dt[n] = block->dt[n < block->count ? n : 0];
        set_vector(&spheres.velocity, n, particle->velocity);
        set_vector(&spheres.weight, n, brume_scale(motion->gravity, (density - AIR) / spheres.mass[n]));
    }
    spheres.end = spheres.velocity;
    relax_spheres(&spheres);
    relax_spheres(&spheres);
    for (int n = 0; n < block->count; n++) {
        BrumeParticle *particle = block->particles[n];
        if (motion->defs[particle->kind].shape == BRUME_PARTICLE_SPHERE) {
            const BrumeVec3 of_weight = brume_scale(vector_at(&spheres.weight, n), spheres.dt[n]);
            const BrumeVec3 end = vector_at(&spheres.end, n);
            const BrumeVec3 gained = brume_sub(brume_sub(end, particle->velocity), of_weight);
            const float d = particle->diameter;
            const float mass = PI / 6.0f * d * d * d * spheres.mass[n] / AIR;
            if (brume_particles_act(&motion->defs[particle->kind])) {
                *block->impulses[n] = (BrumeImpulse){brume_scale(gained, mass), spheres.taken[n] * mass};
            }
            particle->position = brume_add(particle->position, vector_at(&spheres.way, n));
            particle->velocity = end;
        }
    }
}

// Moves the particles of a block and removes them from it. A sphere or a plate needs the air halfway along the way that
// its velocity would take it; when it is born, its velocity is that of the air, which it needs first.
static void move_block(const Motion *motion, Block *block)
{
    BrumeAirVectors known = {0}; // velocities of those that need the air halfway
    BrumeAirVectors stages[3];   // of tracers; the first two of those that are born
    bool has_second = false;
    bool has_spheres = false;
    for (int n = 0; n < block->count; n++) {
        const BrumeParticle *particle = block->particles[n];
        const BrumeParticleShape shape = motion->defs[particle->kind].shape;
        const bool starts = block->is_born[n] || shape == BRUME_PARTICLE_TRACER;
        has_second = has_second || starts;
        has_spheres = has_spheres || shape == BRUME_PARTICLE_SPHERE;
        set_vector(&known, n, starts ? brume_vec3(0.0f, 0.0f, 0.0f) : particle->velocity);
    }
    sample_beside(motion, block, 0.5f, &known, &stages[0]);
    if (has_second) {
        sample_beside(motion, block, 0.5f, &stages[0], &stages[1]);
    }
    if (has_second && motion->order == 3) {
        sample_beside(motion, block, 0.75f, &stages[1], &stages[2]);
    }
    BrumeAirVectors air = stages[0]; // halfway
    for (int n = 0; n < block->count; n++) {
        BrumeParticle *particle = block->particles[n];
        if (motion->defs[particle->kind].shape == BRUME_PARTICLE_TRACER) {
            move_tracer(motion, stages, n, block->dt[n], particle);
        } else if (block->is_born[n]) {
            particle->velocity = vector_at(&stages[0], n);
            set_vector(&air, n, vector_at(&stages[1], n));
        }
    }
    if (has_spheres) {
        move_spheres(motion, block, &air);
    }
    for (int n = 0; n < block->count; n++) {
        BrumeParticle *particle = block->particles[n];
        const BrumeParticleDef *def = &motion->defs[particle->kind];
        if (def->shape == BRUME_PARTICLE_PLATE) {
            *block->impulses[n] = move_plate(motion, def, vector_at(&air, n), block->dt[n], particle);
        }
    }
    block->count = 0;
}

void brume_move_particles(BrumeSim *sim, const BrumeField velocity[3], double dt)
{
    BrumeParticles *particles = &sim->particles;
    if (particles->count == 0) {
        return;
    }
    const BrumeGrid grid = sim->geometry->cells.grid;
    const int cells = 1 + (int)brume_fmin(ceil(sim->max_speed * dt / (double)sim->def.dx), (double)grid.nz);
    const Motion motion = {
        .air = brume_air(sim, velocity),
        .defs = sim->def.particles,
        .gravity = sim->def.gravity,
        .order = sim->def.trace_order,
        .reach = (float)cells * sim->def.dx,
    };
    brume_exchange_fields(velocity, 3, cells + 2);
#pragma omp parallel
    {
        Block block = {0};
#pragma omp for schedule(static)
        for (int n = 0; n < particles->count; n++) {
            BrumeParticle *particle = &particles->items[n];
            __builtin_prefetch(particle + BRUME_AIR_POINTS, 1);
            const int plane = brume_air_plane(&motion.air, particle->position);
            particles->planes[n] = plane;
            if (plane >= brume_first_plane(grid) && plane <= brume_last_plane(grid)) {
                add_particle(&block, particle, &particles->impulses[n], (float)dt);
            }
            if (block.count == BRUME_AIR_POINTS) {
                move_block(&motion, &block);
            }
        }
        if (block.count > 0) {
            move_block(&motion, &block);
        }
    }
}
