/**
 * @file objects.h
 * The emitters and obstacles of a running simulation by id: adding, removing and changing one leaves the ids of all
 * others as they are, while their indices in the settings (brume_sim_settings) follow the order of the list.
 *
 * The settings with which a simulation is created give each object an id. After brume_sim_change, an object has the id
 * of the object that was at its index; objects at new indices have new ids. brume_sim_load replaces all objects, so
 * that all former ids are ids of removed objects. An id is never given to another object of the same simulation, and
 * means nothing to other simulations. Functions that take an index, such as brume_sim_move, get it from
 * brume_sim_obstacle_index.
 *
 * Adding, removing and changing is a change of the settings (brume_sim_change): it acts from the next step on, and a
 * failure leaves the simulation and its ids unchanged. Keys of an animation (animation.h) name objects by index.
 */
#ifndef BRUME_OBJECTS_H
#define BRUME_OBJECTS_H

#include "brume/error.h"
#include "brume/export.h"
#include "brume/sim.h"

#include <stdint.h>

BRUME_BEGIN_DECLS

/** An emitter of a simulation; all zero for none. */
typedef struct BrumeEmitterId {
    uint32_t slot;       ///< from 1; used again after a removal
    uint32_t generation; ///< how many emitters have had the slot before
} BrumeEmitterId;

/** An obstacle of a simulation; all zero for none. */
typedef struct BrumeObstacleId {
    uint32_t slot;       ///< from 1; used again after a removal
    uint32_t generation; ///< how many obstacles have had the slot before
} BrumeObstacleId;

/**
 * Adds an emitter behind the others. `id` may be NULL. Fails with BRUME_BAD_INPUT where there are BRUME_MAX_EMITTERS
 * already, and as brume_sim_change does; `*id` is all zero then.
 */
BRUME_API BrumeStatus brume_sim_add_emitter(BrumeSim *sim, const BrumeEmitterDef *def, BrumeEmitterId *id,
                                            BrumeError *error);

/** Removes an emitter. Fails with BRUME_BAD_INPUT where there is none with this id, and as brume_sim_change does. */
BRUME_API BrumeStatus brume_sim_remove_emitter(BrumeSim *sim, BrumeEmitterId id, BrumeError *error);

/** Replaces the settings of an emitter. Fails as brume_sim_remove_emitter does. */
BRUME_API BrumeStatus brume_sim_set_emitter(BrumeSim *sim, BrumeEmitterId id, const BrumeEmitterDef *def,
                                            BrumeError *error);

/** The id of the emitter at `index` of the settings; all zero where there is none. */
BRUME_API BrumeEmitterId brume_sim_emitter_id(const BrumeSim *sim, int index);

/** The index of an emitter in the settings; -1 where there is none with this id, for example because it was removed. */
BRUME_API int brume_sim_emitter_index(const BrumeSim *sim, BrumeEmitterId id);

/**
 * Adds an obstacle behind the others, at rest. `id` may be NULL. Fails with BRUME_BAD_INPUT where there are
 * BRUME_MAX_OBSTACLES already, and as brume_sim_change does; `*id` is all zero then.
 */
BRUME_API BrumeStatus brume_sim_add_obstacle(BrumeSim *sim, const BrumeObstacleDef *def, BrumeObstacleId *id,
                                             BrumeError *error);

/**
 * Removes an obstacle; motions of the others go on. Cells that it uncovers are set to the mean of the air around them.
 * Fails with BRUME_BAD_INPUT where there is none with this id, and as brume_sim_change does.
 */
BRUME_API BrumeStatus brume_sim_remove_obstacle(BrumeSim *sim, BrumeObstacleId id, BrumeError *error);

/** Replaces the settings of an obstacle, whose motion goes on from its new place. Fails as brume_sim_remove_obstacle
 * does. */
BRUME_API BrumeStatus brume_sim_set_obstacle(BrumeSim *sim, BrumeObstacleId id, const BrumeObstacleDef *def,
                                             BrumeError *error);

/** The id of the obstacle at `index` of the settings; all zero where there is none. */
BRUME_API BrumeObstacleId brume_sim_obstacle_id(const BrumeSim *sim, int index);

/** The index of an obstacle in the settings; -1 where there is none with this id, for example because it was removed.
 */
BRUME_API int brume_sim_obstacle_index(const BrumeSim *sim, BrumeObstacleId id);

BRUME_END_DECLS

#endif
