// Emitters and obstacles by id: each function is a change of the settings, before which a removed object is taken out
// of the arrays of the state that have an entry for each object.
#include "brume/objects.h"

#include "core/error.h"
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
    BrumeSimDef settings = sim->def;
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
    BrumeSimDef settings = sim->def;
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
    BrumeSimDef settings = sim->def;
    settings.emitters[index] = *def;
    return brume_sim_change(sim, &settings, error);
}

BrumeObstacleId brume_sim_obstacle_id(const BrumeSim *sim, int index)
{
    BrumeObstacleId id = {0};
    find_slot(&sim->obstacle_ids, index, &id.slot, &id.generation);
    return id;
}

int brume_sim_obstacle_index(const BrumeSim *sim, BrumeObstacleId id)
{
    return brume_object_ids_find(&sim->obstacle_ids, (int)id.slot - 1, id.generation);
}

BrumeStatus brume_sim_add_obstacle(BrumeSim *sim, const BrumeObstacleDef *def, BrumeObstacleId *id, BrumeError *error)
{
    BrumeSimDef settings = sim->def;
    const int index = settings.obstacle_count;
    if (id) {
        *id = (BrumeObstacleId){0};
    }
    if (index == BRUME_MAX_OBSTACLES) {
        return fail_full(error, "obstacle", BRUME_MAX_OBSTACLES);
    }
    settings.obstacles[settings.obstacle_count++] = *def;
    const BrumeStatus status = brume_sim_change(sim, &settings, error);
    if (status == BRUME_OK && id) {
        *id = brume_sim_obstacle_id(sim, index);
    }
    return status;
}

BrumeStatus brume_sim_remove_obstacle(BrumeSim *sim, BrumeObstacleId id, BrumeError *error)
{
    const int index = brume_sim_obstacle_index(sim, id);
    if (index < 0) {
        return fail_unknown(error, "obstacle");
    }
    brume_refresh_written_fields(sim); // with the obstacles that the cells refer to
    BrumeSimDef settings = sim->def;
    remove_entry(settings.obstacles, sizeof settings.obstacles[0], settings.obstacle_count--, index);
    const BrumeObjectIds ids = sim->obstacle_ids;
    BrumeMotion motions[BRUME_MAX_OBSTACLES];
    BrumeVec3 surface_velocity[BRUME_MAX_OBSTACLES];
    memcpy(motions, sim->motions, sizeof motions);
    memcpy(surface_velocity, sim->surface_velocity, sizeof surface_velocity);
    brume_object_ids_remove(&sim->obstacle_ids, index);
    remove_entry(sim->motions, sizeof motions[0], BRUME_MAX_OBSTACLES, index);
    remove_entry(sim->surface_velocity, sizeof surface_velocity[0], BRUME_MAX_OBSTACLES, index);
    const BrumeStatus status = brume_sim_change(sim, &settings, error);
    if (status != BRUME_OK) {
        sim->obstacle_ids = ids;
        memcpy(sim->motions, motions, sizeof motions);
        memcpy(sim->surface_velocity, surface_velocity, sizeof surface_velocity);
    }
    return status;
}

BrumeStatus brume_sim_set_obstacle(BrumeSim *sim, BrumeObstacleId id, const BrumeObstacleDef *def, BrumeError *error)
{
    const int index = brume_sim_obstacle_index(sim, id);
    if (index < 0) {
        return fail_unknown(error, "obstacle");
    }
    BrumeSimDef settings = sim->def;
    settings.obstacles[index] = *def;
    return brume_sim_change(sim, &settings, error);
}
