/**
 * @file serialize.h
 * The inverse of the resolve steps: from a scene to the values of the keys of its file. Absent keys are marked as
 * keys.h describes. The resolve steps compute the same bits from the result.
 */
#ifndef BRUME_SCENE_SERIALIZE_H
#define BRUME_SCENE_SERIALIZE_H

#include "scene/format/parsed_scene.h"

/**
 * Sets `parsed` to the keys of a scene, so that brume_section_write can write them. Values that equal their defaults
 * are marked absent, except the origin of the box where `keep_origin`. The result shares the timeline of the scene.
 */
void brume_serialize_scene(BrumeParsedScene *parsed, const BrumeScene *scene, bool keep_origin);

/**
 * Marks as absent, in the defaults that values are compared with, what the kinds of the initial fields of a scene need:
 * a scene must have these keys whatever their values.
 */
void brume_mark_needed_keys(BrumeParsedScene *defaults, const BrumeSimDef *sim);

/** Sets the bodies of `parsed` alone, but not how they are drawn. */
void brume_serialize_bodies(BrumeParsedScene *parsed, const BrumeSimDef *settings);

/**
 * As brume_serialize_scene, for the settings of a simulation without its bodies: no value is marked absent, and each
 * face has its key.
 */
void brume_serialize_settings(BrumeParsedScene *parsed, const BrumeSimDef *settings);

/** A segment of a stroke; values that follow from the `previous` segment (NULL: none) are marked absent. */
BrumeStroke brume_serialize_stroke(const BrumeStroke *stroke, const BrumeStroke *previous);

#endif
