/**
 * @file objects.h
 * The emitters and bodies of a running simulation by id: adding, removing and changing one leaves the ids of all
 * others as they are, while their indices in the settings (brume_sim_settings) follow the order of the list.
 *
 * The settings with which a simulation is created give each object an id. After brume_sim_change, an object has the id
 * of the object that was at its index; objects at new indices have new ids. brume_sim_load replaces all objects, so
 * that all former ids are ids of removed objects. An id is never given to another object of the same simulation, and
 * means nothing to other simulations. Functions that take an index, such as brume_sim_move, get it from
 * brume_sim_body_index.
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

/** A body of a simulation; all zero for none. */
typedef struct BrumeBodyId {
    uint32_t slot;       ///< from 1; used again after a removal
    uint32_t generation; ///< how many bodies have had the slot before
} BrumeBodyId;

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
 * Adds a body behind the others, at rest. `id` may be NULL. Fails with BRUME_BAD_INPUT where there are
 * BRUME_MAX_BODIES already, and as brume_sim_change does; `*id` is all zero then.
 */
BRUME_API BrumeStatus brume_sim_add_body(BrumeSim *sim, const BrumeBodyDef *def, BrumeBodyId *id, BrumeError *error);

/**
 * Removes a body; motions of the others go on. What follows it (`parent`) stays where it is, at rest. Cells that it
 * uncovers are set to the mean of the air around them. Fails with BRUME_BAD_INPUT where there is none with this id, and
 * as brume_sim_change does.
 */
BRUME_API BrumeStatus brume_sim_remove_body(BrumeSim *sim, BrumeBodyId id, BrumeError *error);

/** Replaces the settings of a body, whose motion goes on from its new place. Fails as brume_sim_remove_body
 * does. */
BRUME_API BrumeStatus brume_sim_set_body(BrumeSim *sim, BrumeBodyId id, const BrumeBodyDef *def, BrumeError *error);

/**
 * Moves a body, as brume_sim_move_and_turn does, to where a program has it at the end of the frame: `position` [m] is
 * that of its pivot, of a mesh the origin unless `pivot` moves it, and `rotation` [degrees] that of shape.h, both in
 * the frame of its parent if it has one. As between keyframes, each angle changes at a constant rate: from the present
 * ones to those of the same rotation that are nearest to them. Called before each frame in which the body moves;
 * without a call it stays where it is. To place a body without moving the air, use brume_sim_set_body.
 * Fails with BRUME_BAD_INPUT where there is no body with this id or a number is not finite.
 */
BRUME_API BrumeStatus brume_sim_move_body(BrumeSim *sim, BrumeBodyId id, BrumeVec3 position, BrumeVec3 rotation,
                                          BrumeError *error);

/** The id of the body at `index` of the settings; all zero where there is none. */
BRUME_API BrumeBodyId brume_sim_body_id(const BrumeSim *sim, int index);

/** The index of a body in the settings; -1 where there is none with this id, for example because it was removed.
 */
BRUME_API int brume_sim_body_index(const BrumeSim *sim, BrumeBodyId id);

BRUME_END_DECLS

#endif
