/**
 * @file timeline_reader.h
 * The timeline of a scene file.
 */
#ifndef BRUME_SCENE_TIMELINE_READER_H
#define BRUME_SCENE_TIMELINE_READER_H

#include "scene/format/parsed_scene.h"
#include "yaml/yaml.h"

/** The value of a key in the first stroke of the timeline that has it; NULL where none does. */
const BrumeYamlNode *brume_find_in_strokes(const BrumeYamlNode *root, const char *key);

/**
 * Reads the timeline into the resolved scene. The settings of each change are the settings of the file with all values
 * `set` so far, which are put into the tree `root`. BRUME_BAD_INPUT at the first change that is not valid, BRUME_FAILED
 * without memory; the timeline is empty then.
 */
BrumeStatus brume_read_timeline(BrumeParsedScene *parsed, BrumeYamlNode *root, BrumeError *error);

#endif
