// Emitters and bodies by id: each function is a change of the settings, before which a removed object is taken out
// of the arrays of the state that have an entry for each object.
#include "brume/objects.h"

#include "core/error.h"
#include "core/shape.h"
#include "core/vec3.h"
#include "sim/boundary/boundary.h"
#include "sim/integrators/hooks.h"
#include "sim/state/state.h"

#include <string.h>

static BrumeStatus fail_unknown(BrumeError *error, const char *what)
{
    return brume_fail(error, BRUME_BAD_INPUT, "there is no %s with this id (it may have been removed)", what);
}

static BrumeStatus fail_full(BrumeError *error, const char *what, int most)
{
    return brume_fail(error, BRUME_BAD_INPUT, "the simulation has %d %ss already, which is the most", most, what);
}

// takes the entry at `index` out of an array of `count`, and sets the last one to 0
static void remove_entry(void *entries, size_t size, int count, int index)
{
    unsigned char *const bytes = entries;
    memmove(bytes + (size_t)index * size, bytes + (size_t)(index + 1) * size, (size_t)(count - index - 1) * size);
    memset(bytes + (size_t)(count - 1) * size, 0, size);
}

// the two members of the id of the object at `index`, which stay where there is none
static void find_slot(const BrumeObjectIds *ids, int index, uint32_t *slot, uint32_t *generation)
{
    if (index >= 0 && index < ids->count) {
        *slot = (uint32_t)ids->slots[index] + 1;
        *generation = ids->generations[ids->slots[index]];
    }
}

BrumeEmitterId brume_sim_emitter_id(const BrumeSim *sim, int index)
{
    BrumeEmitterId id = {0};
    find_slot(&sim->emitter_ids, index, &id.slot, &id.generation);
    return id;
}

int brume_sim_emitter_index(const BrumeSim *sim, BrumeEmitterId id)
{
    return brume_object_ids_find(&sim->emitter_ids, (int)id.slot - 1, id.generation);
}

BrumeStatus brume_sim_add_emitter(BrumeSim *sim, const BrumeEmitterDef *def, BrumeEmitterId *id, BrumeError *error)
{
    BrumeSimDef settings = *brume_sim_settings(sim);
    const int index = settings.emitter_count;
    if (id) {
        *id = (BrumeEmitterId){0};
    }
    if (index == BRUME_MAX_EMITTERS) {
        return fail_full(error, "emitter", BRUME_MAX_EMITTERS);
    }
    settings.emitters[settings.emitter_count++] = *def;
    const BrumeStatus status = brume_sim_change(sim, &settings, error);
    if (status == BRUME_OK && id) {
        *id = brume_sim_emitter_id(sim, index);
    }
    return status;
}

BrumeStatus brume_sim_remove_emitter(BrumeSim *sim, BrumeEmitterId id, BrumeError *error)
{
    const int index = brume_sim_emitter_index(sim, id);
    if (index < 0) {
        return fail_unknown(error, "emitter");
    }
    BrumeSimDef settings = *brume_sim_settings(sim);
    remove_entry(settings.emitters, sizeof settings.emitters[0], settings.emitter_count--, index);
    const BrumeObjectIds old_ids = sim->emitter_ids;
    brume_object_ids_remove(&sim->emitter_ids, index);
    const BrumeStatus status = brume_sim_change(sim, &settings, error);
    if (status != BRUME_OK) {
        sim->emitter_ids = old_ids;
    }
    return status;
}

BrumeStatus brume_sim_set_emitter(BrumeSim *sim, BrumeEmitterId id, const BrumeEmitterDef *def, BrumeError *error)
{
    const int index = brume_sim_emitter_index(sim, id);
    if (index < 0) {
        return fail_unknown(error, "emitter");
    }
    BrumeSimDef settings = *brume_sim_settings(sim);
    settings.emitters[index] = *def;
    return brume_sim_change(sim, &settings, error);
}

BrumeBodyId brume_sim_body_id(const BrumeSim *sim, int index)
{
    BrumeBodyId id = {0};
    find_slot(&sim->body_ids, index, &id.slot, &id.generation);
    return id;
}

int brume_sim_body_index(const BrumeSim *sim, BrumeBodyId id)
{
    return brume_object_ids_find(&sim->body_ids, (int)id.slot - 1, id.generation);
}

BrumeStatus brume_sim_add_body(BrumeSim *sim, const BrumeBodyDef *def, BrumeBodyId *id, BrumeError *error)
{
    BrumeSimDef settings = *brume_sim_settings(sim);
    const int index = settings.body_count;
    if (id) {
        *id = (BrumeBodyId){0};
    }
    if (index == BRUME_MAX_BODIES) {
        return fail_full(error, "body", BRUME_MAX_BODIES);
    }
    settings.bodies[settings.body_count++] = *def;
    const BrumeStatus status = brume_sim_change(sim, &settings, error);
    if (status == BRUME_OK && id) {
        *id = brume_sim_body_id(sim, index);
    }
    return status;
}

// what follows body `index`, of `settings` before it is removed, stays where it is; the numbers of parents behind it
// change
static void release_followers(BrumeSim *sim, int index, BrumeSimDef *settings)
{
    for (int n = 0; n < settings->body_count; n++) {
        if (settings->bodies[n].parent == index + 1) {
            sim->motions[n] = (BrumeMotion){.start = 0.0};
        }
    }
    const BrumeSimDef before = *settings;
    for (int n = 0; n < settings->body_count; n++) {
        BrumeBodyDef *body = &settings->bodies[n];
        body->shape = body->parent == index + 1 ? brume_body_shape(&before, n) : body->shape;
        body->parent = body->parent == index + 1 ? 0 : body->parent - (body->parent > index + 1);
    }
    for (int n = 0; n < settings->emitter_count; n++) {
        BrumeEmitterDef *emitter = &settings->emitters[n];
        const bool follows = emitter->parent == index + 1 || emitter->body == index + 1;
        emitter->shape = follows ? brume_emitter_shape(&before, n) : emitter->shape;
        emitter->body = emitter->body == index + 1 ? 0 : emitter->body - (emitter->body > index + 1);
        emitter->parent = emitter->parent == index + 1 ? 0 : emitter->parent - (emitter->parent > index + 1);
    }
}

BrumeStatus brume_sim_remove_body(BrumeSim *sim, BrumeBodyId id, BrumeError *error)
{
    const int index = brume_sim_body_index(sim, id);
    if (index < 0) {
        return fail_unknown(error, "body");
    }
    brume_refresh_written_fields(sim); // with the bodies that the cells refer to
    BrumeSimDef settings = *brume_sim_settings(sim);
    const BrumeObjectIds ids = sim->body_ids;
    BrumeMotion motions[BRUME_MAX_BODIES];
    BrumeRigidVelocity surface_velocity[BRUME_MAX_BODIES];
    memcpy(motions, sim->motions, sizeof motions);
    memcpy(surface_velocity, sim->surface_velocity, sizeof surface_velocity);
    release_followers(sim, index, &settings);
    remove_entry(settings.bodies, sizeof settings.bodies[0], settings.body_count--, index);
    brume_object_ids_remove(&sim->body_ids, index);
    remove_entry(sim->motions, sizeof motions[0], BRUME_MAX_BODIES, index);
    remove_entry(sim->surface_velocity, sizeof surface_velocity[0], BRUME_MAX_BODIES, index);
    const BrumeStatus status = brume_sim_change(sim, &settings, error);
    if (status != BRUME_OK) {
        sim->body_ids = ids;
        memcpy(sim->motions, motions, sizeof motions);
        memcpy(sim->surface_velocity, surface_velocity, sizeof surface_velocity);
    }
    return status;
}

BrumeStatus brume_sim_move_body(BrumeSim *sim, BrumeBodyId id, BrumeVec3 position, BrumeVec3 rotation,
                                BrumeError *error)
{
    const int index = brume_sim_body_index(sim, id);
    if (index < 0) {
        return fail_unknown(error, "body");
    }
    if (!isfinite(brume_length(position)) || !isfinite(brume_length(rotation))) {
        return brume_fail(error, BRUME_BAD_INPUT, "body %d moves to no finite place", index);
    }
    const BrumeShape *shape = &sim->def.bodies[index].shape;
    const BrumeVec3 turned = brume_rotation_near(rotation, shape->rotation);
    const float per_second = (float)(1.0 / (brume_motion_end(sim) - sim->time));
    brume_sim_move_and_turn(sim, index, brume_scale(brume_sub(position, brume_shape_pivot(shape)), per_second),
                            brume_scale(brume_sub(turned, shape->rotation), per_second));
    return BRUME_OK;
}

BrumeStatus brume_sim_set_body(BrumeSim *sim, BrumeBodyId id, const BrumeBodyDef *def, BrumeError *error)
{
    const int index = brume_sim_body_index(sim, id);
    if (index < 0) {
        return fail_unknown(error, "body");
    }
    BrumeSimDef settings = *brume_sim_settings(sim);
    settings.bodies[index] = *def;
    return brume_sim_change(sim, &settings, error);
}
