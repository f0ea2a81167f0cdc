/*
 * Reading a simulation: its fields without copying, its clock, its settings and the hash of its state.
 */
#include "brume/volume.h"
#include "core/elementary.h"
#include "core/hash.h"
#include "core/minmax.h"
#include "sim/state/state.h"

#include <math.h>

const BrumeField *brume_sim_field(const BrumeSim *sim, BrumeFieldId id)
{
    return sim->fields[id].data ? &sim->fields[id] : NULL;
}

void brume_sim_set_user_data(BrumeSim *sim, void *user_data) { sim->user_data = user_data; }

void *brume_sim_user_data(const BrumeSim *sim) { return sim->user_data; }

const BrumeSimDef *brume_sim_settings(const BrumeSim *sim) { return sim->far ? &sim->far->box : &sim->def; }

const BrumeSimDef *brume_sim_window(const BrumeSim *sim) { return &sim->def; }

double brume_sim_time(const BrumeSim *sim) { return sim->time; }

int brume_sim_frames(const BrumeSim *sim) { return sim->frames; }

static const double LEAST_DECAY_FACTOR = 0x1p-20; // the remainder of a value determines the decayed amount

float brume_decay_factor(const BrumeSimDef *def, BrumeFieldId id, double dt)
{
    const float rate = id == BRUME_FIELD_TEMPERATURE ? def->cooling
                       : id >= BRUME_FIELD_FUEL      ? 0.0f
                                                     : def->smoke[id - BRUME_FIELD_DENSITY].dissipation; // [1/s]
    return rate > 0.0f ? (float)brume_fmax(brume_exp(-(double)rate * dt), LEAST_DECAY_FACTOR) : 1.0f;
}

uint64_t brume_sim_hash(const BrumeSim *sim)
{
    uint64_t *planes = (uint64_t *)sim->planes;
    uint64_t hash = brume_hash_bytes(&sim->time, sizeof sim->time, 0);
    for (int id = 0; id < BRUME_FIELD_COUNT; id++) {
        if (sim->fields[id].data) {
            hash = brume_hash_field(&sim->fields[id], id <= BRUME_FIELD_W ? id : -1, hash, planes);
        }
    }
    for (int n = 0; n < 3 * BRUME_TEXTURE_LAYERS && sim->texture[0][0].data; n++) {
        hash = brume_hash_field(&sim->texture[n / 3][n % 3], -1, hash, planes);
    }
    const size_t particles = (size_t)sim->particles.count * sizeof *sim->particles.items;
    hash = particles > 0 ? brume_hash_bytes(sim->particles.items, particles, hash) : hash;
    if (sim->far) {
        const uint64_t hashes[2] = {hash, brume_sim_hash(sim->far->coarse)};
        hash = brume_hash_bytes(hashes, sizeof hashes, 0);
    }
    return hash;
}

const BrumeField *brume_sim_texture(const BrumeSim *sim, int layer, int axis)
{
    const BrumeField *field = &sim->texture[layer][axis];
    return field->data ? field : NULL;
}

BrumeVolume brume_volume_from_fields(const BrumeField *const densities[BRUME_VOLUME_KINDS], float dx, BrumeVec3 origin)
{
    const BrumeField *first = densities[0];
    BrumeVolume volume = {
        .nx = first->grid.nx,
        .ny = first->grid.ny,
        .nz = first->grid.nz,
        .sy = first->sy,
        .sz = first->sz,
        .dx = dx,
        .origin = origin,
    };
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        const BrumeField *density = densities[kind];
        volume.density[kind] = density && density->data ? density->data + brume_field_index(density, 1, 1, 1) : NULL;
    }
    return volume;
}

BrumeVolume brume_sim_volume(const BrumeSim *sim)
{
    const BrumeField *densities[BRUME_VOLUME_KINDS];
    for (int kind = 0; kind < BRUME_VOLUME_KINDS; kind++) {
        densities[kind] = brume_sim_field(sim, brume_smoke_id(kind));
    }
    BrumeVolume volume = brume_volume_from_fields(densities, sim->def.dx, sim->def.origin);
    const BrumeField *temperature = brume_sim_field(sim, BRUME_FIELD_TEMPERATURE);
    volume.temperature = temperature ? temperature->data + brume_field_index(temperature, 1, 1, 1) : NULL;
    const BrumeField *pressure = brume_sim_field(sim, BRUME_FIELD_PRESSURE);
    volume.pressure = pressure->data + brume_field_index(pressure, 1, 1, 1);
    for (int axis = 0; axis < 3; axis++) {
        const BrumeField *component = brume_sim_field(sim, (BrumeFieldId)(BRUME_FIELD_U + axis));
        volume.velocity[axis] = component->data + brume_field_index(component, 1, 1, 1);
        volume.velocity_sx = 1;
        volume.velocity_sy = component->sy;
        volume.velocity_sz = component->sz;
    }
    volume.velocity_on_faces = true;
    volume.particles = brume_sim_particles(sim, &volume.particle_count);
    for (int n = 0; n < 3 * BRUME_TEXTURE_LAYERS && sim->texture[0][0].data; n++) {
        const BrumeField *texture = &sim->texture[n / 3][n % 3];
        volume.texture[n / 3][n % 3] = texture->data + brume_field_index(texture, 1, 1, 1);
        volume.texture_sx = 1;
        volume.texture_sy = texture->sy;
        volume.texture_sz = texture->sz;
        volume.texture_time = sim->time;
        volume.texture_period = (double)sim->def.texture_period;
    }
    return volume;
}

double brume_frame_end(const BrumeSim *sim, int frame)
{
    return sim->base_time + (frame - sim->base_frames) / (double)sim->def.fps;
}

double brume_frame_at(const BrumeSim *sim, double time)
{
    const double frame = sim->base_frames + (time - sim->base_time) * (double)sim->def.fps;
    const double whole = floor(frame + 0.5);
    return fabs(frame - whole) <= 1e-9 * brume_fmax(1.0, fabs(whole)) ? whole : frame;
}

const BrumeParticle *brume_sim_particles(const BrumeSim *sim, int *count)
{
    *count = sim->particles.count;
    return sim->particles.items;
}
