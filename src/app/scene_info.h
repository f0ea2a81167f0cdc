/**
 * @file scene_info.h
 * The contents of a scene with their units, for `brume info`.
 */
#ifndef BRUME_APP_SCENE_INFO_H
#define BRUME_APP_SCENE_INFO_H

#include "brume/scene.h"

/** Prints on standard output. */
void brume_print_scene_info(const BrumeScene *scene);

#endif
