/*
 * The force of particles on the air: the opposite of the momentum that the air has given them in the step, distributed
 * to the faces around them by the trilinear weights with which they sample the velocity. Where the particles that took
 * on the velocity of the air have more mass than the air of a face, it gets the mean of their changes, by which it does
 * not gain more speed than they had: the rest of the momentum is lost, but the step is stable. The sums are integers,
 * whose value does not depend on the order of the particles.
 */
#include "core/domain.h"
#include "core/field.h"
#include "core/memory.h"
#include "core/minmax.h"
#include "sim/boundary/boundary.h"
#include "sim/particles/air.h"
#include "sim/particles/particles.h"

#include <string.h>

static const double UNITS = 0x1p32; // of a change by 1 m/s, or of the mass of the air of a face

// what a face gets of the particles
typedef struct Reaction {
    int64_t change; // of its velocity
    int64_t mass;   // of the particles, over that of its air
} Reaction;

// the entry that stands for one beyond the sides
static int inner_entry(int entry, int cells, bool periodic, bool on_faces)
{
    if (periodic) {
        return entry < 1 ? entry + cells : entry > cells ? entry - cells : entry;
    }
    return entry < 1 ? 1 : entry > cells && !on_faces ? cells : entry;
}

// adds the change of a velocity component by a particle, and its mass
static void deposit(const BrumeAir *air, int axis, BrumeVec3 place, double change, double mass, Reaction *sums)
{
    const BrumeField *field = &air->velocity[axis];
    BrumeAirEntry entry[3];
    for (int n = 0; n < 3; n++) {
        entry[n] = brume_air_entry(brume_air_place(air, place, n), air->cells[n], air->periodic[n], n == axis);
    }
    for (int corner = 0; corner < 8; corner++) {
        double weight = 1.0;
        int at[3];
        for (int n = 0; n < 3; n++) {
            const int upper = corner >> n & 1;
            weight *= upper ? (double)entry[n].weight : 1.0 - (double)entry[n].weight;
            at[n] = inner_entry(entry[n].lower + upper, air->cells[n], air->periodic[n], n == axis);
        }
        if (brume_has_plane(field->grid, at[2])) {
            Reaction *sum = &sums[brume_field_index(field, at[0], at[1], at[2])];
            const int64_t of_change = (int64_t)(weight * change * UNITS);
            const int64_t of_mass = (int64_t)(weight * mass * UNITS);
#pragma omp atomic
            sum->change += of_change;
#pragma omp atomic
            sum->mass += of_mass;
        }
    }
}

static void add_row(float *values, const Reaction *sums, int count)
{
    for (int i = 0; i < count; i++) {
        values[i] += (float)((double)sums[i].change / brume_fmax((double)sums[i].mass, UNITS));
    }
}

BrumeStatus brume_add_particle_forces(BrumeSim *sim, BrumeError *error)
{
    const BrumeParticles *particles = &sim->particles;
    bool any = false;
    for (int kind = 0; kind < BRUME_PARTICLE_KINDS; kind++) {
        any = any || brume_particles_act(&sim->def.particles[kind]);
    }
    if (!any || particles->count == 0) {
        return BRUME_OK;
    }
    const BrumeGrid grid = sim->fields[0].grid;
    Reaction *sums = brume_alloc(brume_grid_entries(grid), sizeof *sums);
    if (!sums) {
        return brume_fail(error, BRUME_FAILED, "not enough memory for the forces of particles");
    }
    const BrumeAir air = brume_air(sim, sim->fields);
    const double dx = (double)sim->def.dx;
    const double per_volume = 1.0 / (dx * dx * dx);
    for (int axis = 0; axis < 3; axis++) {
        BrumeField *field = &sim->fields[axis];
#pragma omp parallel for schedule(static)
        for (int n = 0; n < particles->count; n++) {
            const BrumeParticle *particle = &particles->items[n];
            const BrumeImpulse *impulse = &particles->impulses[n];
            const double change = -per_volume * (double)brume_component(impulse->momentum, axis);
            if (brume_particles_act(&sim->def.particles[particle->kind]) && change != 0.0) {
                deposit(&air, axis, particle->position, change, per_volume * (double)impulse->mass, sums);
            }
        }
#pragma omp parallel for schedule(static)
        for (int k = brume_planes_from(grid, 1); k <= brume_highest_plane(grid); k++) {
            for (int j = 1; j <= grid.ny + 1; j++) {
                const ptrdiff_t c = brume_field_index(field, 1, j, k);
                add_row(field->data + c, sums + c, grid.nx + 1);
                memset(sums + c, 0, ((size_t)grid.nx + 1) * sizeof *sums);
            }
        }
    }
    brume_free(sums);
    brume_invalidate(sim, BRUME_VALID_VELOCITY | BRUME_VALID_MAX_SPEED);
    return BRUME_OK;
}
