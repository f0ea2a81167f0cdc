/**
 * @file body_speed.h
 * The speed of the bodies of a scene, for an estimate of its steps.
 */
#ifndef BRUME_SCENE_BODY_SPEED_H
#define BRUME_SCENE_BODY_SPEED_H

#include "brume/scene.h"

/** The largest speed of the surfaces of bodies in the box [m/s], by the keys of the scene and the moves of its
 * timeline; without deformations. */
double brume_scene_body_speed(const BrumeScene *scene);

#endif
