// The particles of a state: memory, order, and their bytes in saved states.
#include "core/archive.h"
#include "core/domain.h"
#include "core/memory.h"
#include "core/particle.h"
#include "sim/particles/particles.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

void brume_particles_destroy(BrumeParticles *particles)
{
    brume_free(particles->items);
    brume_free(particles->planes);
    brume_free(particles->impulses);
    if (particles->sorted) {
        brume_particles_destroy(particles->sorted);
        brume_free(particles->sorted);
    }
    *particles = (BrumeParticles){0};
}

size_t brume_particles_bytes(const BrumeParticles *particles)
{
    const size_t of_one = sizeof *particles->items + sizeof *particles->planes + sizeof *particles->impulses;
    return (size_t)particles->capacity * of_one +
           (particles->sorted ? sizeof *particles + brume_particles_bytes(particles->sorted) : 0);
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

// A stable sort by planes: copies the particles to `sorted`, or with `back` those in `sorted` to their former places.
// `next` has `planes` numbers for the team, which become the starts of the planes in `sorted`, and as many for each
// of its threads: the places of its next particles.
static void copy_by_planes(BrumeParticles *particles, BrumeParticles *sorted, bool back, int planes, int *next)
{
#pragma omp parallel
    {
        const int team = omp_get_num_threads();
        const int thread = omp_get_thread_num();
        const int from = (int)((int64_t)particles->count * thread / team);
        const int end = (int)((int64_t)particles->count * (thread + 1) / team);
        int *mine = next + (ptrdiff_t)(thread + 1) * planes;
        memset(mine, 0, (size_t)planes * sizeof *mine);
        for (int n = from; n < end; n++) {
            mine[abs(particles->planes[n])]++;
        }
#pragma omp barrier
#pragma omp single
        {
            int place = 0;
            for (int k = 0; k < planes; k++) {
                next[k] = place;
                for (int of = 1; of <= team; of++) {
                    const int count = next[of * planes + k];
                    next[of * planes + k] = place;
                    place += count;
                }
            }
        }
        for (int n = from; n < end; n++) {
            const int place = mine[abs(particles->planes[n])]++;
            if (back) {
                copy_particle(particles, n, sorted, place);
            } else {
                copy_particle(sorted, place, particles, n);
            }
        }
    }
}

// Gives all ranks what the rank of its plane has made of a particle. They are gathered in the order of their planes,
// those of a plane as they are, and keep that order with `sort`.
static BrumeStatus gather(BrumeParticles *particles, BrumeGrid grid, bool sort, BrumeError *error)
{
    const int planes = grid.nz + 3;
    int *next = brume_alloc_untouched((size_t)(omp_get_max_threads() + 1) * (size_t)planes, sizeof *next);
    // this memory is kept: new pages cost more than the copy
    BrumeParticles *sorted = particles->sorted ? particles->sorted : brume_alloc(1, sizeof *sorted);
    particles->sorted = sorted;
    if (sorted) {
        sorted->count = 0;
    }
    if (!next || !sorted || brume_particles_reserve(sorted, particles->count, error) != BRUME_OK) {
        brume_free(next);
        return brume_out_of_memory(error, "%d particles", particles->count);
    }
    copy_by_planes(particles, sorted, false, planes, next);
    brume_gather_elements(grid, sorted->items, sizeof *sorted->items, next);
    brume_gather_elements(grid, sorted->planes, sizeof *sorted->planes, next);
    brume_gather_elements(grid, sorted->impulses, sizeof *sorted->impulses, next);
    if (sort) {
        sorted->count = particles->count;
        sorted->births = particles->births;
        brume_particles_swap(particles, sorted);
        particles->sorted = sorted;
        sorted->sorted = NULL;
    } else {
        copy_by_planes(particles, sorted, true, planes, next);
    }
    brume_free(next);
    return BRUME_OK;
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
