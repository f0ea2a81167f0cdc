// The particles of a state: memory, order, and their bytes in saved states.
#include "core/archive.h"
#include "core/memory.h"
#include "core/particle.h"
#include "sim/particles/particles.h"

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
    BrumeVec3 *impulses = grown(particles->impulses, used, wanted, sizeof *impulses);
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
