/**
 * @file yaml.h
 * A YAML text as a small tree whose nodes know their place, read with libyaml under limits that a hostile file cannot
 * get past. Anchors, aliases, tags and several documents are refused: a scene needs none of them.
 */
#ifndef BRUME_YAML_YAML_H
#define BRUME_YAML_YAML_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    BRUME_YAML_MAX_BYTES = 1 << 24, ///< of a file; checked before a byte is read
    BRUME_YAML_MAX_DEPTH = 16,      ///< maps and lists inside each other
    BRUME_YAML_MAX_NODES = 1000000, ///< values of any kind
    BRUME_YAML_MAX_KEYS = 1000,     ///< of one map: each new one is compared with all others
    BRUME_YAML_LONGEST_NAME = 63,   ///< in a dotted path [bytes]
};

typedef enum BrumeYamlKind {
    BRUME_YAML_SCALAR,
    BRUME_YAML_LIST,
    BRUME_YAML_MAP,
} BrumeYamlKind;

/** A value, and the key that it has in its map. */
typedef struct BrumeYamlNode {
    BrumeYamlKind kind;
    const char *source; ///< path of the file, or the text of the override that it stems from (not owned)
    int line, column;   ///< of its first character, from 1; line 0 for what an override brought in
    char *key;          ///< its key; NULL in lists and at the root
    int key_line, key_column;
    char *text;                  ///< scalar: its characters, without zero bytes inside
    bool quoted;                 ///< scalar: stands in quotes or as a block, so it is text whatever it looks like
    int count;                   ///< list, map: how many children
    struct BrumeYamlNode *first; ///< list, map: the first child
    struct BrumeYamlNode *next;  ///< the next child of the same parent
} BrumeYamlNode;

/**
 * Reads a file into a tree. `path` must outlive the tree. BRUME_BAD_INPUT where there is no such file, or it is not a
 * plain file of at most BRUME_YAML_MAX_BYTES bytes of UTF-8 that hold one YAML document with no key twice in a map;
 * BRUME_FAILED where the machine could not read it. `*root` is NULL then.
 */
BrumeStatus brume_yaml_read(BrumeYamlNode **root, const char *path, BrumeError *error);

/**
 * Applies an override `dotted.path=value`, as `solver.resolution=128`, `emitters.0.radius=.2` or
 * `camera.position=[0, 1, 4]`: the value, itself YAML, replaces what is at the path or is added there. Maps on the way
 * are made where absent; a number names an item of a list, and the number of items appends one. `text` must outlive
 * the tree. BRUME_BAD_INPUT where the text or the path makes no sense.
 */
BrumeStatus brume_yaml_override(BrumeYamlNode *root, const char *text, BrumeError *error);

/**
 * Puts a copy of a value where its key, a dotted path, says, as brume_yaml_override does; its place in the file stays
 * known. BRUME_BAD_INPUT, at the key, where the path makes no sense; BRUME_FAILED without memory.
 */
BrumeStatus brume_yaml_put(BrumeYamlNode *root, const BrumeYamlNode *entry, BrumeError *error);

/** Takes the next name off a dotted path that ends at `end`; false where it is empty or too long. */
bool brume_yaml_next_name(const char **path, const char *end, char name[BRUME_YAML_LONGEST_NAME + 1]);

/** Frees a tree; NULL is fine. */
void brume_yaml_free(BrumeYamlNode *root);

/** The value of `key` in a map; NULL where it is absent, or where `map` is NULL or no map. */
const BrumeYamlNode *brume_yaml_get(const BrumeYamlNode *map, const char *key);

/** Whether a node is a value left out: empty, `~` or `null`, without quotes. */
bool brume_yaml_is_null(const BrumeYamlNode *node);

/** Fails with BRUME_BAD_INPUT at the place of a value: `file:line:column: ...` or `-D path=value: ...`. */
BrumeStatus brume_yaml_fail(const BrumeYamlNode *node, BrumeError *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** As brume_yaml_fail, at the place of the value's key. */
BrumeStatus brume_yaml_fail_key(const BrumeYamlNode *node, BrumeError *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
