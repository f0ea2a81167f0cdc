/**
 * @file animated_bodies.h
 * How bodies follow their keys: in a frame each moves, with constant velocity, to where it is at the end of the
 * frame; it has the size of the end from the start of the frame on.
 */
#ifndef BRUME_SIM_LIFECYCLE_ANIMATED_BODIES_H
#define BRUME_SIM_LIFECYCLE_ANIMATED_BODIES_H

#include "brume/timeline.h"

/**
 * Completes the change of a frame for the bodies of `animated` (a bit for each) whose shapes at its end `targets`
 * have, `now` being the settings before it: moves, in place of others of these bodies, and shapes of another size in
 * `settings`, which the change then sets. `moves` are the moves of the change, with room for BRUME_MAX_BODIES more.
 * Returns a bit for each body that is there and follows its keys.
 */
uint64_t brume_move_animated_bodies(uint64_t animated, const BrumeSimDef *now, const BrumeSimDef *targets,
                                    BrumeSimDef *settings, BrumeChange *change, BrumeMove *moves);

#endif
