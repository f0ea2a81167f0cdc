/**
 * @file schema.h
 * The tables of keys of a scene file.
 */
#ifndef BRUME_SCENE_FORMAT_SCHEMA_H
#define BRUME_SCENE_FORMAT_SCHEMA_H

#include "scene/keys/keys.h"

/** The whole file; it sets a BrumeParsedScene. */
extern const BrumeSection brume_scene_section;

/** An item of the timeline, and its strokes and moves; they set a BrumeParsedChange, a BrumeStroke and a BrumeMove. */
extern const BrumeSection brume_change_section, brume_stroke_section, brume_move_section;

#endif
