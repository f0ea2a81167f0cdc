/**
 * @file same_scene.h
 * Whether two scenes are the same, member for member.
 */
#ifndef BRUME_TESTS_SUPPORT_SAME_SCENE_H
#define BRUME_TESTS_SUPPORT_SAME_SCENE_H

#include "brume/scene.h"

/**
 * The first member whose bits differ, as in "a->sim.dx"; NULL where there is none. What has no effect does not count:
 * the thickness of a wall, changes of the timeline that set the same values, and warnings.
 */
const char *scene_difference(const BrumeScene *a, const BrumeScene *b);

#endif
