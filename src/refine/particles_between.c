/*
 * With the positions x and the velocities v of a particle in both frames, its path in the time T between them is the
 * cubic Hermite polynomial of these (Bartels, Beatty, Barsky, An Introduction to Splines, 1987, chapter 3). A particle
 * that only the frame b has is born in between where its age says so, and one that only the frame a has is left out
 * from the middle on, because the time of its end is not known; both move on straight lines.
 */
#include "refine/particles_between.h"

#include "core/memory.h"
#include "core/vec3.h"

#include <stdlib.h>

static int compare_ids(const void *a, const void *b)
{
    const uint32_t ids[2] = {(*(const BrumeParticle *const *)a)->id, (*(const BrumeParticle *const *)b)->id};
    return (ids[0] > ids[1]) - (ids[0] < ids[1]);
}

// the particles of a frame by their numbers. NULL without memory; freed by the caller
static const BrumeParticle **sorted_particles(const BrumeFrameGrids *frame)
{
    const BrumeParticle **sorted = brume_alloc((size_t)frame->particle_count + 1, sizeof *sorted);
    for (int n = 0; n < frame->particle_count && sorted; n++) {
        sorted[n] = &frame->particles[n];
    }
    if (sorted) {
        qsort(sorted, (size_t)frame->particle_count, sizeof *sorted, compare_ids);
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

BrumeStatus brume_particles_in_between(BrumeFrameGrids *frame, const BrumeFrameGrids *a, const BrumeFrameGrids *b,
                                       double fraction, double interval, BrumeError *error)
{
    const float s = (float)fraction;
    const float after = s * (float)interval;
    const float before = (1.0f - s) * (float)interval;
    const BrumeParticle **of_a = sorted_particles(a);
    const BrumeParticle **of_b = sorted_particles(b);
    BrumeStatus status = of_a && of_b ? BRUME_OK : brume_out_of_memory(error, "particles");
    if (status == BRUME_OK) {
        status = brume_frame_grids_add_particles(frame, a->particle_count + b->particle_count, error);
    }
    int in_a = 0;
    int in_b = 0;
    while (status == BRUME_OK && (in_a < a->particle_count || in_b < b->particle_count)) {
        const BrumeParticle *first = in_a < a->particle_count ? of_a[in_a] : NULL;
        const BrumeParticle *second = in_b < b->particle_count ? of_b[in_b] : NULL;
        BrumeParticle *result = &frame->particles[frame->particle_count];
        if (first && second && first->id == second->id) {
            *result = interpolated(first, second, s, (float)interval);
            frame->particle_count++;
            in_a++;
            in_b++;
        } else if (first && (!second || first->id < second->id)) {
            *result = moved_straight(first, after);
            frame->particle_count += s < 0.5f;
            in_a++;
        } else {
            *result = moved_straight(second, -before);
            frame->particle_count += result->age >= 0.0f;
            in_b++;
        }
    }
    frame->has_particles = status == BRUME_OK;
    brume_free(of_a);
    brume_free(of_b);
    return status;
}
