/**
 * @file defaults.h
 * The values of the keys that a scene file does not have.
 */
#ifndef BRUME_SCENE_FORMAT_DEFAULTS_H
#define BRUME_SCENE_FORMAT_DEFAULTS_H

#include "scene/format/parsed_scene.h"

/** Sets all members to the defaults in the tables of settings, the members of every item of every list included. */
void brume_parsed_scene_defaults(BrumeParsedScene *parsed);

#endif
