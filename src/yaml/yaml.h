/**
 * @file yaml.h
 * YAML texts as trees of nodes with their positions in the text: read with libyaml, changed by overrides, and written.
 * The limits below bound the memory and time that a malicious file can use. Anchors, aliases, tags and several
 * documents in one file are errors.
 */
#ifndef BRUME_YAML_YAML_H
#define BRUME_YAML_YAML_H

#include "core/error.h"
#include "core/text.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    BRUME_YAML_MAX_BYTES = 1 << 24, ///< of a text; checked before a file is read
    BRUME_YAML_MAX_DEPTH = 16,      ///< nesting of maps and lists
    BRUME_YAML_MAX_NODES = 1000000, ///< values of any kind
    BRUME_YAML_MAX_KEYS = 1000,     ///< of one map: each new key is compared with all others
    BRUME_YAML_MAX_NAME = 63,       ///< bytes of one name in a dotted path
    BRUME_YAML_MAX_DIRECTIVES = 16, ///< lines that start with '%': libyaml compares each with all others
};

typedef enum BrumeYamlKind {
    BRUME_YAML_SCALAR,
    BRUME_YAML_LIST,
    BRUME_YAML_MAP,
} BrumeYamlKind;

/** A value, and the key that it has in its map. */
typedef struct BrumeYamlNode {
    BrumeYamlKind kind;
    const char *source; ///< name of the text that it was read from, or the text of an override (not owned)
    int line, column;   ///< of its first character, from 1; line 0 for values of an override
    char *key;          ///< its key; NULL in lists and at the root
    int key_line, key_column;
    char *text;  ///< scalar: its characters, without zero bytes inside
    bool quoted; ///< scalar: written in quotes or as a block, so it is text even if it looks like a number
    int count;   ///< list, map: number of children
    struct BrumeYamlNode *first; ///< list, map: the first child
    struct BrumeYamlNode *next;  ///< the next child of the same parent
} BrumeYamlNode;

// tree.c

/** A new node without a key, position or children; NULL without memory. A scalar's text is copied. */
BrumeYamlNode *brume_yaml_new(BrumeYamlKind kind);
BrumeYamlNode *brume_yaml_new_scalar(const char *text, bool quoted);

/** A copy of a value and of all values below it, without its own key; NULL without memory. */
BrumeYamlNode *brume_yaml_copy(const BrumeYamlNode *node);

/**
 * Appends a child to a map or list, which owns it from then on; `key` is copied, NULL for a list. False without
 * memory, and where `parent` or `child` is NULL because there was none before; `child` is freed then.
 */
bool brume_yaml_add(BrumeYamlNode *parent, const char *key, BrumeYamlNode *child);

/** Frees a tree; NULL is allowed. */
void brume_yaml_free(BrumeYamlNode *root);

/** The value of `key` in a map; NULL where it is absent, and where `map` is NULL or not a map. */
const BrumeYamlNode *brume_yaml_get(const BrumeYamlNode *map, const char *key);

/** Whether a value is null: empty, `~` or `null`, without quotes. */
bool brume_yaml_is_null(const BrumeYamlNode *node);

/** Whether a value is one of an override, not of a text; false where it is NULL. */
bool brume_yaml_is_override(const BrumeYamlNode *node);

/** Fails with BRUME_BAD_INPUT at the position of a value: `source:line:column: ...` or `-D path=value: ...`. */
BrumeStatus brume_yaml_fail(const BrumeYamlNode *node, BrumeError *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** As brume_yaml_fail, at the position of the value's key. */
BrumeStatus brume_yaml_fail_key(const BrumeYamlNode *node, BrumeError *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** As brume_yaml_fail, for a position without a node. */
BrumeStatus brume_yaml_fail_at(const char *source, int line, int column, BrumeError *error, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

// reader.c

/**
 * Reads a file into a tree. `path` must outlive the tree. BRUME_BAD_INPUT where the file does not exist, is not a
 * regular file of at most BRUME_YAML_MAX_BYTES bytes, or fails as brume_yaml_parse does; BRUME_FAILED where the system
 * cannot read it. `*root` is NULL after a failure.
 */
BrumeStatus brume_yaml_read(BrumeYamlNode **root, const char *path, BrumeError *error);

/**
 * Parses a text of `size` bytes into a tree. `source`, which must outlive the tree, names the text in errors: a path or
 * title where `has_lines`; otherwise the text of an override, whose nodes get line 0. BRUME_BAD_INPUT unless the text
 * is UTF-8 and one YAML document without duplicate keys and within the limits; BRUME_FAILED without memory. `*root` is
 * NULL after a failure. Where `has_lines`, a byte order mark at the start is skipped; columns do not count it.
 */
BrumeStatus brume_yaml_parse(BrumeYamlNode **root, const char *source, bool has_lines, const char *text, size_t size,
                             BrumeError *error);

// overrides.c

/**
 * Applies an override `dotted.path=value`, as `box.size=2`, `items.0.radius=.2` or `camera.position=[0, 1, 4]`: the
 * value, itself YAML, replaces the value at the path or is added there. Maps on the path are created where absent; a
 * number selects an item of a list, and the number of items appends one. The value null removes the entry of a map,
 * which must exist. `text` must outlive the tree. BRUME_BAD_INPUT where the text is not an override or the path leads
 * nowhere, BRUME_FAILED without memory; maps that the path created so far remain then.
 */
BrumeStatus brume_yaml_override(BrumeYamlNode *root, const char *text, BrumeError *error);

/**
 * Puts a copy of a value at the dotted path that is its key, as brume_yaml_override does; the copy has the position of
 * the value in the text. Fails as brume_yaml_override does, at the key.
 */
BrumeStatus brume_yaml_put(BrumeYamlNode *root, const BrumeYamlNode *entry, BrumeError *error);

/** Splits the first name off a dotted path that ends at `end`; false where the name is empty or too long. */
bool brume_yaml_next_name(const char **path, const char *end, char name[BRUME_YAML_MAX_NAME + 1]);

// writer.c

/**
 * Appends the entries of a map as block lines. Maps and lists inside it are written on one line where they are short or
 * deeply nested. `depth` is the nesting of the map itself, and `first` precedes its first line: blanks, or blanks and a
 * dash, 2 x depth bytes in all.
 */
void brume_yaml_write(BrumeText *text, const BrumeYamlNode *map, int depth, const char *first);

#endif
