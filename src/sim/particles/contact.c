/*
 * Particles at surfaces. A particle that is in a body, or nearer to its surface than its radius, is moved out along the
 * normal. Of its velocity relative to the surface, the normal component v_n is reversed times `bounce`, and friction
 * takes from the tangential one at most the coefficient of friction times (1 + bounce) v_n (Coulomb). A particle whose
 * v_n is what gravity gives it in two steps does not bounce, so that particles come to rest.
 */
#include "core/domain.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "core/random.h"
#include "sim/boundary/deforming_bodies.h"
#include "sim/particles/air.h"
#include "sim/particles/particles.h"

#include <math.h>

// a body near which particles may be
typedef struct Obstacle {
    BrumeShape shape;
    BrumePlacedShape placed;
    BrumeRigidVelocity velocity;
    BrumeVec3 center; // of a sphere around it
    float radius;
} Obstacle;

typedef struct Contact {
    const BrumeSim *sim;
    BrumeVec3 upper; // corner of the box
    float slow;      // normal speeds up to this one do not bounce [m/s]
    int count;
    Obstacle obstacles[BRUME_MAX_BODIES];
} Contact;

// changes the velocity of a particle on a surface of this normal and velocity
static void bounce(const Contact *contact, BrumeParticle *particle, BrumeVec3 normal, BrumeVec3 surface)
{
    const BrumeParticleDef *def = &contact->sim->def.particles[particle->kind];
    const BrumeVec3 relative = brume_sub(particle->velocity, surface);
    const float speed = -brume_dot(relative, normal); // towards the surface
    if (speed <= 0.0f) {
        return;
    }
    const float back = speed > contact->slow ? def->bounce : 0.0f;
    const BrumeVec3 sliding = brume_add(relative, brume_scale(normal, speed));
    const float slide = brume_length(sliding);
    const float lost = def->friction * (1.0f + back) * speed;
    const float kept = slide > lost ? 1.0f - lost / slide : 0.0f;
    particle->velocity = brume_add(surface, brume_add(brume_scale(sliding, kept), brume_scale(normal, back * speed)));
    if (back == 0.0f && def->shape == BRUME_PARTICLE_PLATE) { // it comes to lie on the surface
        const float side = brume_dot(particle->normal, normal) < 0.0f ? -1.0f : 1.0f;
        particle->normal = brume_normalize(brume_add(particle->normal, brume_scale(normal, side)));
        particle->spin = brume_vec3(0.0f, 0.0f, 0.0f);
    }
}

// the distance that a particle keeps from surfaces: of a plate that of its edge
static float reach_of(const Contact *contact, const BrumeParticle *particle, BrumeVec3 normal)
{
    const BrumeParticleDef *def = &contact->sim->def.particles[particle->kind];
    if (def->shape != BRUME_PARTICLE_PLATE) {
        return 0.5f * particle->diameter;
    }
    const float along = brume_dot(particle->normal, normal);
    return 0.5f * (def->thickness + particle->diameter * sqrtf(brume_fmaxf(1.0f - along * along, 0.0f)));
}

static void touch_body(const Contact *contact, const Obstacle *obstacle, BrumeParticle *particle)
{
    const float most = particle->diameter;
    const BrumeVec3 offset = brume_sub(particle->position, obstacle->center);
    if (brume_length(offset) > obstacle->radius + most) {
        return;
    }
    const float distance =
        brume_placed_distance(&obstacle->placed, particle->position, 2.0f * contact->sim->def.dx + most);
    if (distance >= most) {
        return;
    }
    const BrumeVec3 normal = brume_shape_direction(&obstacle->shape, particle->position, 0.25f * contact->sim->def.dx);
    const float depth = reach_of(contact, particle, normal) - distance;
    if (depth > 0.0f) {
        particle->position = brume_add(particle->position, brume_scale(normal, depth));
        const BrumeVec3 arm = brume_sub(particle->position, obstacle->velocity.pivot);
        bounce(contact, particle, normal,
               brume_add(obstacle->velocity.velocity, brume_cross(obstacle->velocity.spin, arm)));
    }
}

static void set_component(BrumeVec3 *vector, int axis, float value)
{
    *(axis == 0 ? &vector->x : axis == 1 ? &vector->y : &vector->z) = value;
}

// Returns whether the particle is in the box, into which periodic sides bring it back.
static bool touch_sides(const Contact *contact, BrumeParticle *particle)
{
    const BrumeSimDef *def = &contact->sim->def;
    for (int side = 0; side < BRUME_FACE_COUNT; side++) {
        const int axis = side / 2;
        const bool upper = side % 2 == 1;
        const float lowest = brume_component(def->origin, axis);
        const float highest = brume_component(contact->upper, axis);
        const float place = brume_component(particle->position, axis);
        const float depth = upper ? place - highest : lowest - place; // beyond the side
        const BrumeVec3 normal = brume_along(axis, upper ? -1.0f : 1.0f);
        switch (def->faces[side].kind) {
        case BRUME_PERIODIC:
            if (depth > 0.0f || (upper && depth == 0.0f)) {
                const float moved = place + (upper ? lowest - highest : highest - lowest);
                set_component(&particle->position, axis, brume_fminf(brume_fmaxf(moved, lowest), highest));
            }
            break;
        case BRUME_OPEN:
        case BRUME_INFLOW: {
            const bool within_far_field = contact->sim->far && contact->sim->far->sides[side][0];
            if (depth > 0.0f && !within_far_field) { // from there the window will follow it
                return false;
            }
            break;
        }
        case BRUME_WALL: {
            const float reach = reach_of(contact, particle, normal);
            if (depth + reach > 0.0f) {
                set_component(&particle->position, axis, upper ? highest - reach : lowest + reach);
                bounce(contact, particle, normal,
                       def->faces[side].no_slip ? def->faces[side].velocity : (BrumeVec3){0});
            }
            break;
        }
        }
    }
    return true;
}

static float life_of(const BrumeSimDef *def, const BrumeParticle *particle)
{
    const float mean = def->particles[particle->kind].life;
    return mean > 0.0f ? mean * (0.5f + brume_unit_float(brume_hash3(def->seed, particle->id, 0x11feu))) : INFINITY;
}

// whether a particle touches no side of the box
static bool is_amid(const Contact *contact, const BrumeParticle *particle)
{
    const BrumeVec3 lower = contact->sim->def.origin;
    const BrumeVec3 upper = contact->upper;
    const BrumeVec3 place = particle->position;
    const float d = particle->diameter;
    return (place.x > lower.x + d) & (place.y > lower.y + d) & (place.z > lower.z + d) & (place.x < upper.x - d) &
           (place.y < upper.y - d) & (place.z < upper.z - d);
}

// Returns whether the particle stays.
static bool settle(const Contact *contact, BrumeParticle *particle)
{
    for (int n = 0; n < contact->count; n++) {
        touch_body(contact, &contact->obstacles[n], particle);
    }
    const bool is_inside = is_amid(contact, particle) || touch_sides(contact, particle);
    return is_inside && particle->age < life_of(&contact->sim->def, particle);
}

static void find_obstacles(Contact *contact)
{
    const BrumeSim *sim = contact->sim;
    for (int n = 0; n < sim->def.body_count; n++) {
        if (brume_body_is_solid(&sim->def.bodies[n])) {
            Obstacle *obstacle = &contact->obstacles[contact->count++];
            obstacle->shape = brume_present_shape(sim, n);
            obstacle->placed = brume_shape_place(&obstacle->shape);
            obstacle->velocity = sim->surface_velocity[n];
            brume_shape_sphere(&obstacle->shape, &obstacle->center, &obstacle->radius);
        }
    }
}

BrumeStatus brume_settle_particles(BrumeSim *sim, double dt, BrumeError *error)
{
    BrumeParticles *particles = &sim->particles;
    if (particles->count == 0) {
        return BRUME_OK;
    }
    const BrumeGrid grid = sim->geometry->cells.grid;
    const BrumeVec3 size = brume_vec3((float)grid.nx, (float)grid.ny, (float)grid.nz);
    Contact *contact = brume_alloc(1, sizeof *contact);
    if (!contact) {
        return brume_fail(error, BRUME_FAILED, "not enough memory for the contacts of particles");
    }
    contact->sim = sim;
    contact->upper = brume_add(sim->def.origin, brume_scale(size, sim->def.dx));
    contact->slow = 2.0f * (float)dt * brume_length(sim->def.gravity);
    find_obstacles(contact);
#pragma omp parallel for schedule(static)
    for (int n = 0; n < particles->count; n++) {
        if (particles->planes[n] >= brume_first_plane(grid) && particles->planes[n] <= brume_last_plane(grid)) {
            const BrumeVec3 velocity = particles->items[n].velocity;
            particles->planes[n] *= settle(contact, &particles->items[n]) ? 1 : -1;
            if (!brume_is_zero(brume_sub(particles->items[n].velocity, velocity))) { // the surface has its momentum
                particles->impulses[n] = (BrumeImpulse){{0.0f, 0.0f, 0.0f}, 0.0f};
            }
        }
    }
    brume_free(contact);
    return brume_particles_order(particles, grid, error);
}
