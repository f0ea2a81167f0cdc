/**
 * @file animated_bodies.h
 * How bodies follow their keys: in a frame each moves, with constant velocity, to where it is at the end of the
 * frame; it has the size of the end from the start of the frame on. Values of its place without keys are those of the
 * frame's change.
 */
#ifndef BRUME_SCENE_FORMAT_ANIMATED_BODIES_H
#define BRUME_SCENE_FORMAT_ANIMATED_BODIES_H

#include "brume/animation.h"
#include "brume/timeline.h"

/**
 * Completes the change of the frame that starts at `time` [s], `now` being the settings before it, for the bodies with
 * keys that are there: what the change places and moves, with the numbers that have keys from these. `settings` are
 * those of the change, or a copy of `now` which the change then sets where a body has another size; `moves` are the
 * moves of the change, with room for BRUME_MAX_BODIES more.
 */
void brume_move_animated_bodies(const BrumeAnimation *animation, double time, const BrumeSimDef *now,
                                BrumeSimDef *settings, BrumeChange *change, BrumeMove *moves);

/** The displacement [m] of a body without its components along which keys of `position` place it. */
BrumeVec3 brume_displacement_without_keys(const BrumeAnimation *animation, int body, BrumeVec3 displacement);

#endif
