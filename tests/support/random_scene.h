/**
 * @file random_scene.h
 * Random scenes with every kind of face, source, body, force, solver and scheme.
 */
#ifndef BRUME_TESTS_SUPPORT_RANDOM_SCENE_H
#define BRUME_TESTS_SUPPORT_RANDOM_SCENE_H

#include "brume/scene.h"

#include <stdint.h>

enum { RANDOM_SCENE_FRAMES = 12 };

/**
 * Creates the random scene number `seed`, the same on every machine: the generator uses additions, products and powers
 * of two alone. `*text` is the scene as the text of a scene file, from which `*scene` has been read, so that the
 * program computes the same bits from it if it has no mesh, whose file is only a name. The caller frees both, with
 * brume_scene_destroy and brume_free. Fails where a generated scene is not valid, which is a fault of the generator or
 * of the reader; both are NULL then.
 */
BrumeStatus random_scene(BrumeScene **scene, char **text, uint32_t seed, BrumeError *error);

#endif
