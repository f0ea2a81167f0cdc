// The particles of a state: memory, order, and their bytes in saved states.
#include "core/archive.h"
#include "core/domain.h"
#include "core/memory.h"
#include "core/particle.h"
#include "sim/particles/particles.h"

#include <stdlib.h>
#include <string.h>

void brume_particles_destroy(BrumeParticles *particles)
{
    brume_free(particles->items);
    brume_free(particles->planes);
    brume_free(particles->impulses);
    *particles = (BrumeParticles){0};
}

size_t brume_particles_bytes(const BrumeParticles *particles)
{
    return (size_t)particles->capacity *
           (sizeof *particles->items + sizeof *particles->planes + sizeof *particles->impulses);
}

// an array with more room and the same first elements; NULL without memory
static void *grown(void *array, size_t used, size_t wanted, size_t element)
{
    void *larger = brume_alloc_untouched(wanted, element);
    if (larger && used > 0) {
        memcpy(larger, array, used * element);
    }
    return larger;
}

BrumeStatus brume_particles_reserve(BrumeParticles *particles, int count, BrumeError *error)
{
    const size_t needed = (size_t)particles->count + (size_t)count;
    if (needed <= (size_t)particles->capacity) {
        return BRUME_OK;
    }
    const size_t wanted = needed + needed / 2 + 64;
    const size_t used = (size_t)particles->count;
    BrumeParticle *items = grown(particles->items, used, wanted, sizeof *items);
    int *planes = grown(particles->planes, used, wanted, sizeof *planes);
    BrumeImpulse *impulses = grown(particles->impulses, used, wanted, sizeof *impulses);
    if (!items || !planes || !impulses) {
        brume_free(items);
        brume_free(planes);
        brume_free(impulses);
        return brume_fail(error, BRUME_FAILED, "not enough memory for %zu particles", needed);
    }
    brume_free(particles->items);
    brume_free(particles->planes);
    brume_free(particles->impulses);
    particles->items = items;
    particles->planes = planes;
    particles->impulses = impulses;
    particles->capacity = (int)wanted;
    return BRUME_OK;
}

// whether many particles are not behind one of the same plane or of a lower one, so that their samples of the velocity
// are far apart in memory
static bool is_scattered(const BrumeParticles *particles)
{
    int descents = 0;
#pragma omp parallel for schedule(static) reduction(+ : descents)
    for (int n = 1; n < particles->count; n++) {
        descents += abs(particles->planes[n]) < abs(particles->planes[n - 1]);
    }
    return descents > particles->count / 4 + 64;
}

static void copy_particle(BrumeParticles *to, int place, const BrumeParticles *from, int n)
{
    to->items[place] = from->items[n];
    to->planes[place] = from->planes[n];
    to->impulses[place] = from->impulses[n];
}

// Gives all ranks what the rank of its plane has made of a particle. They are gathered in the order of their planes,
// those of a plane as they are, and keep that order with `sort`.
static BrumeStatus gather(BrumeParticles *particles, BrumeGrid grid, bool sort, BrumeError *error)
{
    BrumeParticles sorted = {.births = particles->births};
    int *starts = brume_alloc((size_t)grid.nz + 3, sizeof *starts); // of the planes
    int *order = brume_alloc_untouched((size_t)particles->count, sizeof *order);
    BrumeStatus status = brume_particles_reserve(&sorted, particles->count, error);
    if (!sorted.items || !starts || !order) {
        status = brume_fail(error, BRUME_FAILED, "not enough memory for %d particles", particles->count);
        goto cleanup;
    }
    sorted.count = particles->count;
    int *next = starts + 1; // place in each plane, which becomes its end: the start of the plane behind it
    for (int n = 0; n < particles->count; n++) {
        next[abs(particles->planes[n]) + 1]++;
    }
    for (int k = 1; k <= grid.nz + 1; k++) {
        next[k] += next[k - 1];
    }
    for (int n = 0; n < particles->count; n++) {
        order[n] = next[abs(particles->planes[n])]++;
        copy_particle(&sorted, order[n], particles, n);
    }
    brume_gather_elements(grid, sorted.items, sizeof *sorted.items, starts);
    brume_gather_elements(grid, sorted.planes, sizeof *sorted.planes, starts);
    brume_gather_elements(grid, sorted.impulses, sizeof *sorted.impulses, starts);
    if (sort) {
        brume_particles_swap(particles, &sorted);
    } else {
        for (int n = 0; n < particles->count; n++) {
            copy_particle(particles, n, &sorted, order[n]);
        }
    }
cleanup:
    brume_free(starts);
    brume_free(order);
    brume_particles_destroy(&sorted);
    return status;
}

BrumeStatus brume_particles_order(BrumeParticles *particles, BrumeGrid grid, BrumeError *error)
{
    const bool sort = is_scattered(particles);
    const BrumeStatus status = sort || brume_is_shared(grid) ? gather(particles, grid, sort, error) : BRUME_OK;
    for (int n = 0; n < particles->count;) {
        if (particles->planes[n] > 0) {
            n++;
        } else {
            copy_particle(particles, n, particles, --particles->count);
        }
    }
    return status;
}

void brume_particles_archive(BrumeArchive *archive, BrumeParticles *particles)
{
    int count = particles->count;
    brume_archive_count(archive, &count, BRUME_MAX_PARTICLES);
    brume_archive_uint(archive, &particles->births);
    if (archive->mode == BRUME_ARCHIVE_READ) {
        archive->ok = archive->ok && (size_t)count <= (archive->size - archive->position) / sizeof(BrumeParticle);
        particles->count = 0;
        archive->ok = archive->ok && brume_particles_reserve(particles, count, NULL) == BRUME_OK;
        particles->count = archive->ok ? count : 0;
    }
    for (int n = 0; n < particles->count; n++) {
        BrumeParticle *particle = &particles->items[n];
        brume_archive_vec3(archive, &particle->position);
        brume_archive_vec3(archive, &particle->velocity);
        brume_archive_vec3(archive, &particle->normal);
        brume_archive_vec3(archive, &particle->spin);
        brume_archive_float(archive, &particle->age);
        brume_archive_float(archive, &particle->diameter);
        brume_archive_uint(archive, &particle->kind);
        brume_archive_uint(archive, &particle->id);
        archive->ok = archive->ok && (archive->mode != BRUME_ARCHIVE_READ || brume_particle_is_valid(particle));
    }
}
