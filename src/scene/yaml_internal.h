/**
 * @file yaml_internal.h
 * What the files that build trees share.
 */
#ifndef BRUME_SCENE_YAML_INTERNAL_H
#define BRUME_SCENE_YAML_INTERNAL_H

#include "scene/yaml.h"

/**
 * Parses a text. `source` names it in errors: the path of a file where `in_file`, otherwise the text of an override,
 * whose nodes get line 0.
 */
BrumeStatus brume_yaml_parse(BrumeYamlNode **root, const char *source, bool in_file, const char *text, size_t size,
                             BrumeError *error);

/** As brume_yaml_fail, for a place without a node. */
BrumeStatus brume_yaml_fail_at(const char *source, int line, int column, BrumeError *error, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
