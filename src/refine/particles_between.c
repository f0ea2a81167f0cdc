/*
 * With the positions x and the velocities v of a particle in both frames, its path in the time T between them is the
 * cubic Hermite polynomial of these (Bartels, Beatty, Barsky, An Introduction to Splines, 1987, chapter 3). A particle
 * that only the frame b has is born in between where its age says so, and one that only the frame a has is left out
 * from the middle on, because the time of its end is not known; both move on straight lines.
 */
#include "refine/particles_between.h"

#include "core/memory.h"
#include "core/vec3.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int compare_ids(const void *a, const void *b)
{
    const uint32_t ids[2] = {((const BrumeParticle *)a)->id, ((const BrumeParticle *)b)->id};
    return (ids[0] > ids[1]) - (ids[0] < ids[1]);
}

// the particles of a frame in the order of their numbers. NULL without memory; freed by the caller
static BrumeParticle *sorted_particles(const BrumeFrameGrids *frame)
{
    const size_t count = (size_t)frame->particle_count;
    BrumeParticle *sorted = brume_alloc(count + 1, sizeof *sorted);
    if (sorted && count > 0) {
        memcpy(sorted, frame->particles, count * sizeof *sorted);
        qsort(sorted, count, sizeof *sorted, compare_ids);
    }
    return sorted;
}

// a particle after a time [s] on a straight line
static BrumeParticle moved_straight(const BrumeParticle *particle, float time)
{
    BrumeParticle result = *particle;
    result.position = brume_add(particle->position, brume_scale(particle->velocity, time));
    result.age += time;
    return result;
}

static BrumeVec3 mixed(BrumeVec3 a, BrumeVec3 b, float of_b)
{
    return brume_add(a, brume_scale(brume_sub(b, a), of_b));
}

// a particle of both frames at the fraction s of the interval [s]
static BrumeParticle interpolated(const BrumeParticle *a, const BrumeParticle *b, float s, float interval)
{
    BrumeParticle result = *a;
    const float of_b = s * s * (3.0f - 2.0f * s);
    const float of_velocity_a = s * (1.0f - s) * (1.0f - s) * interval;
    const float of_velocity_b = s * s * (s - 1.0f) * interval;
    result.position =
        brume_add(mixed(a->position, b->position, of_b),
                  brume_add(brume_scale(a->velocity, of_velocity_a), brume_scale(b->velocity, of_velocity_b)));
    result.velocity = mixed(a->velocity, b->velocity, s);
    const float side = brume_dot(a->normal, b->normal) < 0.0f ? -1.0f : 1.0f; // both sides of a plate are alike
    const BrumeVec3 normal = mixed(a->normal, brume_scale(b->normal, side), s);
    result.normal = brume_normalize(normal);
    result.age = a->age + s * interval;
    return result;
}

// the particles of a frame in the order of their numbers
typedef struct SortedParticles {
    BrumeParticle *items;
    int count;
} SortedParticles;

// adds the particles at the fraction s of the interval [s] to a frame with room for all of both frames
static void merge(BrumeFrameGrids *frame, const SortedParticles *a, const SortedParticles *b, float s, float interval)
{
    int in_a = 0;
    int in_b = 0;
    while (in_a < a->count || in_b < b->count) {
        const int64_t id_a = in_a < a->count ? (int64_t)a->items[in_a].id : INT64_MAX;
        const int64_t id_b = in_b < b->count ? (int64_t)b->items[in_b].id : INT64_MAX;
        BrumeParticle *result = &frame->particles[frame->particle_count];
        if (id_a == id_b) {
            *result = interpolated(&a->items[in_a++], &b->items[in_b++], s, interval);
            frame->particle_count++;
        } else if (id_a < id_b) {
            *result = moved_straight(&a->items[in_a++], s * interval);
            frame->particle_count += s < 0.5f;
        } else {
            *result = moved_straight(&b->items[in_b++], (s - 1.0f) * interval);
            frame->particle_count += result->age >= 0.0f;
        }
    }
}

BrumeStatus brume_particles_in_between(BrumeFrameGrids *frame, const BrumeFrameGrids *a, const BrumeFrameGrids *b,
                                       double fraction, double interval, BrumeError *error)
{
    const SortedParticles of_a = {sorted_particles(a), a->particle_count};
    const SortedParticles of_b = {sorted_particles(b), b->particle_count};
    BrumeStatus status = BRUME_FAILED;
    if (!of_a.items || !of_b.items) {
        (void)brume_out_of_memory(error, "particles");
    } else {
        status = brume_frame_grids_add_particles(frame, a->particle_count + b->particle_count, error);
    }
    if (status == BRUME_OK) {
        merge(frame, &of_a, &of_b, (float)fraction, (float)interval);
    }
    frame->has_particles = status == BRUME_OK;
    brume_free(of_a.items);
    brume_free(of_b.items);
    return status;
}
