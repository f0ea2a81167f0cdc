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

static BrumeVec3 air_beside(const Motion *motion, BrumeVec3 point, BrumeVec3 way)
{
    return brume_air_velocity(&motion->air, brume_add(point, limited(way, motion->reach)));
}

static void move_tracer(const Motion *motion, BrumeParticle *particle, float dt)
{
    const BrumeVec3 first = brume_air_velocity(&motion->air, particle->position);
    BrumeVec3 mean = air_beside(motion, particle->position, brume_scale(first, 0.5f * dt));
    if (motion->order == 3) { // Ralston 1962
        const BrumeVec3 third = air_beside(motion, particle->position, brume_scale(mean, 0.75f * dt));
        const BrumeVec3 sum = brume_add(brume_scale(first, 2.0f), brume_scale(mean, 3.0f));
        mean = brume_scale(brume_add(sum, brume_scale(third, 4.0f)), 1.0f / 9.0f);
    }
    particle->position = brume_add(particle->position, brume_scale(mean, dt));
    particle->velocity = mean;
}

// f(Re)
static float drag_factor(float speed, float diameter)
{
    const float reynolds = AIR * speed * diameter / MU;
    return reynolds <= 1000.0f ? 1.0f + 0.15f * brume_powf(reynolds, 0.687f) : 0.44f * reynolds / 24.0f;
}

// Solves dv/dt = (air - v) / tau + weight over dt: the velocity at its end, and the way. With x = dt / tau and the
// acceleration a at its start, they are v + a dt (1 - exp(-x)) / x and v dt + a dt^2 (x - 1 + exp(-x)) / x^2.
static BrumeVec3 relax(BrumeVec3 velocity, BrumeVec3 air, BrumeVec3 weight, float tau, float dt, BrumeVec3 *way)
{
    const float x = dt / tau;
    float first = 1.0f - x * (1.0f / 2.0f - x * (1.0f / 6.0f - x * (1.0f / 24.0f - x / 120.0f)));
    float second = 1.0f / 2.0f - x * (1.0f / 6.0f - x * (1.0f / 24.0f - x * (1.0f / 120.0f - x / 720.0f)));
    if (x > 0.1f) {
        const float lost = 1.0f - brume_expf(-x);
        first = lost / x;
        second = (x - lost) / (x * x);
    }
    const BrumeVec3 gained = brume_add(brume_scale(brume_sub(air, velocity), x), brume_scale(weight, dt)); // a dt
    *way = brume_scale(brume_add(velocity, brume_scale(gained, second)), dt);
    return brume_add(velocity, brume_scale(gained, first));
}

// Returns the impulse that the air has given it, over the density of air [m^4/s].
static BrumeVec3 move_sphere(const Motion *motion, const BrumeParticleDef *def, BrumeParticle *particle, float dt)
{
    const BrumeVec3 air = air_beside(motion, particle->position, brume_scale(particle->velocity, 0.5f * dt));
    const float diameter = particle->diameter;
    const float mass = def->density + 0.5f * AIR;
    const BrumeVec3 weight = brume_scale(motion->gravity, (def->density - AIR) / mass);
    const float slow = mass * diameter * diameter / (18.0f * MU); // tau at rest
    BrumeVec3 velocity = particle->velocity;
    BrumeVec3 way = {0};
    for (int pass = 0; pass < 2; pass++) {
        const BrumeVec3 mean = brume_scale(brume_add(particle->velocity, velocity), 0.5f);
        const float tau = slow / drag_factor(brume_length(brume_sub(air, mean)), diameter);
        velocity = relax(particle->velocity, air, weight, tau, dt, &way);
    }
    const BrumeVec3 gained = brume_sub(brume_sub(velocity, particle->velocity), brume_scale(weight, dt));
    particle->position = brume_add(particle->position, way);
    particle->velocity = velocity;
    return brume_scale(gained, PI / 6.0f * diameter * diameter * diameter * mass / AIR);
}

// the parts of a vector along a unit normal and across it
static BrumeVec3 part_along(BrumeVec3 vector, BrumeVec3 normal)
{
    return brume_scale(normal, brume_dot(vector, normal));
}

static BrumeVec3 move_plate(const Motion *motion, const BrumeParticleDef *def, BrumeParticle *particle, float dt)
{
    const BrumeVec3 air = air_beside(motion, particle->position, brume_scale(particle->velocity, 0.5f * dt));
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
    return brume_scale(gained, 1.0f / AIR);
}

static BrumeVec3 move_particle(const Motion *motion, BrumeParticle *particle, float dt)
{
    const BrumeParticleDef *def = &motion->defs[particle->kind];
    if (particle->age < 0.0f) { // its first step
        particle->velocity = brume_air_velocity(&motion->air, particle->position);
        dt -= particle->age;
        particle->age = 0.0f;
    }
    particle->age += dt;
    switch (def->shape) {
    case BRUME_PARTICLE_SPHERE:
        return move_sphere(motion, def, particle, dt);
    case BRUME_PARTICLE_PLATE:
        return move_plate(motion, def, particle, dt);
    case BRUME_PARTICLE_TRACER:
        break;
    }
    move_tracer(motion, particle, dt);
    return brume_vec3(0.0f, 0.0f, 0.0f);
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
#pragma omp parallel for schedule(static)
    for (int n = 0; n < particles->count; n++) {
        BrumeParticle *particle = &particles->items[n];
        const int plane = brume_air_plane(&motion.air, particle->position);
        particles->planes[n] = plane;
        if (plane >= brume_first_plane(grid) && plane <= brume_last_plane(grid)) {
            particles->impulses[n] = move_particle(&motion, particle, (float)dt);
        }
    }
}
