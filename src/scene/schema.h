/**
 * @file schema.h
 * The tables of all that a scene file may say.
 */
#ifndef BRUME_SCENE_SCHEMA_H
#define BRUME_SCENE_SCHEMA_H

#include "scene/keys.h"

/** The whole file; it fills a BrumeSceneDraft. */
extern const BrumeSection brume_scene_section;

#endif
