/**
 * @file schema.h
 * The tables of all that a scene file may say.
 */
#ifndef BRUME_SCENE_SCHEMA_H
#define BRUME_SCENE_SCHEMA_H

#include "scene/keys.h"

/** The whole file; it fills a BrumeSceneDraft. */
extern const BrumeSection brume_scene_section;

/** A change of the timeline, and its parts; they fill a BrumeChangeDraft, a BrumeStroke and a BrumeMove. */
extern const BrumeSection brume_change_section, brume_stroke_section, brume_move_section;

#endif
