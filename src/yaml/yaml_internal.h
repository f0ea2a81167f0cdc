/**
 * @file yaml_internal.h
 * What the files that build trees share.
 */
#ifndef BRUME_YAML_YAML_INTERNAL_H
#define BRUME_YAML_YAML_INTERNAL_H

#include "yaml/yaml.h"

/**
 * Parses a text. `source` names it in errors: the path of a file where `in_file`, otherwise the text of an override,
 * whose nodes get line 0.
 */
BrumeStatus brume_yaml_parse(BrumeYamlNode **root, const char *source, bool in_file, const char *text, size_t size,
                             BrumeError *error);

/** A text that grows; zeroed, it is empty. */
typedef struct BrumeText {
    char *bytes; ///< ends with a 0; freed with brume_free
    size_t size, room;
    bool failed; ///< there was no memory, and not all is in it
} BrumeText;

/** Adds a printf-style piece. */
void brume_lines_add(BrumeText *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/**
 * Adds the entries of a map as block lines, maps and lists in them on one line where they are short or lie deep.
 * `depth` is that of the map, `first` what stands before its first line: blanks, or blanks and a dash, 2 x depth bytes
 * in all.
 */
void brume_yaml_add_lines(BrumeText *text, const BrumeYamlNode *map, int depth, const char *first);

/** New nodes without a key; NULL without memory. The text is copied. */
BrumeYamlNode *brume_yaml_new(BrumeYamlKind kind);
BrumeYamlNode *brume_yaml_new_scalar(const char *text, bool quoted);

/** Adds a child, which it takes over; `key` is copied, NULL for a list. NULL for `parent` or `child` is no memory. */
bool brume_yaml_add(BrumeYamlNode *parent, const char *key, BrumeYamlNode *child);

/** As brume_yaml_fail, for a place without a node. */
BrumeStatus brume_yaml_fail_at(const char *source, int line, int column, BrumeError *error, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

#endif
