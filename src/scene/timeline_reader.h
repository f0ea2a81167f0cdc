/**
 * @file timeline_reader.h
 * The timeline of a scene file.
 */
#ifndef BRUME_SCENE_TIMELINE_READER_H
#define BRUME_SCENE_TIMELINE_READER_H

#include "scene/format/parsed_scene.h"
#include "yaml/yaml.h"

/** The number of the last color that a stroke of the timeline emits; 0 where none does. */
int brume_stroke_color_count(const BrumeYamlNode *root);

/**
 * Reads the timeline into the resolved scene. The settings of each change are the settings of the file with all values
 * `set` so far, which are put into the tree `root`. BRUME_BAD_INPUT at the first change that is not valid, BRUME_FAILED
 * without memory; the timeline is empty then.
 */
BrumeStatus brume_read_timeline(BrumeParsedScene *parsed, BrumeYamlNode *root, BrumeError *error);

#endif
