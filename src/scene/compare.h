/**
 * @file compare.h
 * Which keys of two scenes differ, among the keys on which the simulation depends.
 */
#ifndef BRUME_SCENE_COMPARE_H
#define BRUME_SCENE_COMPARE_H

#include "brume/scene.h"
#include "core/error.h"
#include "core/text.h"

/**
 * Appends to `differences` the keys that make the state after frame `frame` of `new_scene` another one than the state
 * of `old_scene`, as "solver.cfl (2, now 4), air.drag (default, now 0.5)"; nothing where both scenes have the same
 * state. The picture, the camera, the probes, the number of frames and changes of the timeline for later frames do not
 * count. BRUME_FAILED without memory; BRUME_BAD_INPUT where a scene cannot be written as text (brume_scene_write).
 */
BrumeStatus brume_scene_compare(const BrumeScene *old_scene, const BrumeScene *new_scene, int frame,
                                BrumeText *differences, BrumeError *error);

#endif
