// The births of particles.
#include "brume/sim.h"
#include "core/elementary.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "core/particle.h"
#include "core/random.h"
#include "core/samples.h"
#include "sim/particles/air.h"
#include "sim/particles/particles.h"
#include "sim/settings/settings.h"

#include <math.h>
#include <string.h>

enum { TRIES = 64 }; // to find a place in a shape by rejection

static const float PI = 3.14159265f;

// the n-th random number of a particle, in [0, 1)
static float draw(uint32_t seed, uint32_t id, uint32_t n) { return brume_unit_float(brume_hash3(seed, id, n)); }

static BrumeVec3 draw_direction(uint32_t seed, uint32_t id, uint32_t n)
{
    const float height = 2.0f * draw(seed, id, n) - 1.0f;
    const float angle = 2.0f * PI * draw(seed, id, n + 1);
    const float radius = sqrtf(brume_fmaxf(1.0f - height * height, 0.0f));
    return brume_vec3(radius * brume_cosf(angle), height, radius * brume_sinf(angle));
}

// the part of the box in which a shape may be
static void find_bounds(const BrumeSimDef *def, const BrumeBirths *births, BrumeVec3 *from, BrumeVec3 *to)
{
    const BrumeVec3 size = brume_vec3((float)def->nx, (float)def->ny, (float)def->nz);
    const BrumeVec3 reach = brume_vec3(births->outside, births->outside, births->outside);
    BrumeVec3 lower;
    BrumeVec3 upper;
    brume_shape_bounds(births->shape, &lower, &upper);
    *from = brume_upper_corner(brume_sub(lower, reach), def->origin);
    *to = brume_lower_corner(brume_add(upper, reach), brume_add(def->origin, brume_scale(size, def->dx)));
}

// Draws a place in the shape within the box. Returns whether one was found.
static bool draw_place(const BrumeSimDef *def, const BrumeBirths *births, const BrumePlacedShape *placed,
                       const BrumeVec3 bounds[2], uint32_t id, BrumeVec3 *place)
{
    const BrumeVec3 size = brume_sub(bounds[1], bounds[0]);
    for (uint32_t n = 0; n < TRIES && brume_least(size) > 0.0f; n++) {
        const BrumeVec3 share = brume_vec3(draw(def->seed, id, 16 + 3 * n), draw(def->seed, id, 17 + 3 * n),
                                           draw(def->seed, id, 18 + 3 * n));
        *place = brume_add(bounds[0], brume_mul(share, size));
        const float distance = brume_placed_distance(placed, *place, births->outside + def->dx);
        if (births->outside > 0.0f ? distance >= 0.0f && distance <= births->outside : distance <= 0.0f) {
            return true;
        }
    }
    return false;
}

static uint32_t time_key(double time)
{
    uint64_t bits;
    memcpy(&bits, &time, sizeof bits);
    return (uint32_t)(bits ^ bits >> 32);
}

BrumeStatus brume_bear_particles(BrumeSim *sim, const BrumeBirths *births, BrumeError *error)
{
    const BrumeSimDef *def = &sim->def;
    BrumeParticles *particles = &sim->particles;
    const BrumePlacedShape placed = brume_shape_place(births->shape);
    BrumeVec3 bounds[2];
    find_bounds(def, births, &bounds[0], &bounds[1]);
    for (uint32_t kind = 0; kind < BRUME_PARTICLE_KINDS; kind++) {
        const double expected = (double)births->rates[kind] * births->seconds;
        if (!(expected > 0.0)) {
            continue;
        }
        const double rounding = (double)brume_unit_float(
            brume_hash3(def->seed, births->source * BRUME_PARTICLE_KINDS + kind, time_key(births->start)));
        const double room = (double)brume_max_int(def->most_particles - particles->count, 0);
        const int count = (int)brume_fmin(floor(expected + rounding), room);
        const BrumeStatus status = brume_particles_reserve(particles, count, error);
        if (status != BRUME_OK) {
            return status;
        }
        for (int n = 0; n < count; n++) {
            const uint32_t id = particles->births++;
            BrumeParticle *born = &particles->items[particles->count];
            const float spread = def->particles[kind].spread * (2.0f * draw(def->seed, id, 0) - 1.0f);
            *born = (BrumeParticle){
                .normal = def->particles[kind].shape == BRUME_PARTICLE_PLATE ? draw_direction(def->seed, id, 1)
                                                                             : brume_vec3(0.0f, 0.0f, 0.0f),
                .age = (float)(births->start + births->seconds * (double)draw(def->seed, id, 3) - births->end),
                .diameter = def->particles[kind].diameter * (1.0f + spread),
                .kind = kind,
                .id = id,
            };
            particles->impulses[particles->count] = (BrumeImpulse){{0.0f, 0.0f, 0.0f}, 0.0f};
            particles->count += draw_place(def, births, &placed, bounds, id, &born->position);
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_bear_stroked_particles(BrumeSim *sim, double dt, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < sim->stroke_count && status == BRUME_OK; n++) {
        const BrumeStroke *stroke = &sim->strokes[n];
        const double from = brume_fmax(sim->time, stroke->start);
        const double to = brume_fmin(sim->time + dt, stroke->end);
        if (to > from) {
            const double length = stroke->end - stroke->start;
            const BrumeShape shape = {
                .kind = BRUME_SHAPE_CAPSULE,
                .a = brume_stroke_at(stroke, (float)((from - stroke->start) / length)),
                .b = brume_stroke_at(stroke, (float)((to - stroke->start) / length)),
                .radius = stroke->radius,
            };
            const BrumeBirths births = {
                .shape = &shape,
                .rates = stroke->particles,
                .start = from,
                .seconds = to - from,
                .end = sim->time + dt,
                .source = BRUME_MAX_EMITTERS + (uint32_t)n,
            };
            status = brume_bear_particles(sim, &births, error);
        }
    }
    return status;
}

static BrumeVec3 vector_at(const float *numbers) { return brume_vec3(numbers[0], numbers[1], numbers[2]); }

// the particle at a point, which is not valid where there is no point
static BrumeParticle at_point(const BrumeSimDef *def, BrumeParticleKind kind, const float *point, uint32_t id)
{
    const BrumeParticleDef *of_kind = &def->particles[kind];
    const BrumeVec3 normal = vector_at(point + BRUME_POINT_NORMAL);
    const float length = brume_length(normal);
    BrumeParticle particle = {
        .position = vector_at(point + BRUME_POINT_POSITION),
        .velocity = vector_at(point + BRUME_POINT_VELOCITY),
        .diameter = point[BRUME_POINT_DIAMETER] == 0.0f ? of_kind->diameter : point[BRUME_POINT_DIAMETER],
        .kind = (uint32_t)kind,
    };
    if (of_kind->shape == BRUME_PARTICLE_PLATE) {
        particle.normal = length > 0.0f ? brume_scale(normal, 1.0f / length) : draw_direction(def->seed, id, 1);
    }
    return particle;
}

static bool can_be_added(const BrumeSimDef *def, const BrumeParticle *particle)
{
    return brume_box_contains(def, particle->position) && brume_particle_is_valid(particle);
}

// adds particles that can be added
static BrumeStatus add(BrumeSim *sim, const BrumeParticle *added, int count, BrumeError *error)
{
    BrumeParticles *particles = &sim->particles;
    if (count > sim->def.most_particles - particles->count) {
        return brume_fail(error, BRUME_BAD_INPUT, "there would be %lld particles, but 'most_particles' is %d",
                          (long long)particles->count + count, sim->def.most_particles);
    }
    const BrumeStatus status = brume_particles_reserve(particles, count, error);
    for (int n = 0; n < count && status == BRUME_OK; n++, particles->count++) {
        particles->items[particles->count] = added[n];
        particles->items[particles->count].id = particles->births++;
        particles->impulses[particles->count] = (BrumeImpulse){{0.0f, 0.0f, 0.0f}, 0.0f};
    }
    return status;
}

BrumeStatus brume_sim_add_particles(BrumeSim *sim, const BrumeParticle *added, int count, BrumeError *error)
{
    for (int n = 0; n < count; n++) {
        if (!can_be_added(brume_sim_settings(sim), &added[n])) {
            return brume_fail(error, BRUME_BAD_INPUT, "particle %d is not valid, or outside of the box", n);
        }
    }
    return add(sim, added, count, error);
}

static BrumeStatus bear_at_points(BrumeSim *sim, const BrumeInitialDef *initial, int number, BrumeError *error)
{
    const BrumeSamples *samples = initial->samples[0];
    if (!brume_samples_have_values(samples) || samples->n[0] != BRUME_POINT_NUMBERS) {
        return brume_fail(error, BRUME_BAD_INPUT, "'initial' %d has no points", number);
    }
    const size_t count = (size_t)samples->n[1] * (size_t)samples->n[2];
    BrumeParticle *added = brume_alloc_untouched(count, sizeof *added);
    if (!added) {
        return brume_out_of_memory(error, "%zu initial particles", count);
    }
    int used = 0;
    for (size_t n = 0; n < count; n++) {
        added[used] = at_point(&sim->def, initial->particles, samples->values + n * BRUME_POINT_NUMBERS,
                               sim->particles.births + (uint32_t)used);
        used += can_be_added(&sim->def, &added[used]);
    }
    const BrumeStatus status = add(sim, added, used, error);
    brume_free(added);
    return status;
}

BrumeStatus brume_bear_initial_particles(BrumeSim *sim, BrumeError *error)
{
    BrumeStatus status = BRUME_OK;
    for (int n = 0; n < sim->def.initial_count && status == BRUME_OK; n++) {
        const BrumeInitialDef *initial = &sim->def.initial[n];
        status = initial->kind == BRUME_INITIAL_POINTS ? bear_at_points(sim, initial, n, error) : BRUME_OK;
    }
    return status;
}
