/**
 * @file keys.h
 * Tables of the keys of a YAML map, and the functions that read, write and describe a map by them. A key either holds a
 * value, described by its setting (core/setting.h), or another map or list with a table of its own.
 */
#ifndef BRUME_SCENE_KEYS_KEYS_H
#define BRUME_SCENE_KEYS_KEYS_H

#include "core/setting.h"
#include "yaml/yaml.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum BrumeKeyKind {
    BRUME_KEY_VALUE,    ///< a value, of the type of the setting
    BRUME_KEY_SETTINGS, ///< a value for each of consecutive settings of a table; brume_section_key returns each of them
    BRUME_KEY_MAP,      ///< a map with a section of its own
    BRUME_KEY_LIST,     ///< a list of maps: an array of structs, and an int with their count
    BRUME_KEY_ITEMS, ///< a list of maps too long for an array: only its form is checked, its items are read one by one
    BRUME_KEY_PATHS, ///< a map of dotted paths and values of any kind: only its form is checked
} BrumeKeyKind;

typedef struct BrumeSection BrumeSection;

/** One key of a map. */
typedef struct BrumeKey {
    BrumeKeyKind kind;
    const BrumeSetting *setting; ///< BRUME_KEY_VALUE: name, type, limits, default, document text; SETTINGS: the first
    size_t offset;               ///< of the member that it sets, in the struct of its section [bytes]; SETTINGS: of the
                                 ///< struct that the table describes
    bool is_member;              ///< of a value: its member belongs to the struct that the table describes
    const char *fallback;        ///< for documents: the value without the key; NULL: the fallback of the setting
    const char *former_name;     ///< an earlier or other name of it, for the error message there; NULL for none
    const char *list_hint;       ///< ends the error message at a list where one number belongs; NULL for none

    // of the other kinds
    const char *name;
    const char *doc;
    bool fixed;                  ///< holds for the whole scene: a timeline cannot change it
    const BrumeSection *section; ///< BRUME_KEY_MAP, BRUME_KEY_LIST, BRUME_KEY_ITEMS: its keys
    size_t stride;               ///< BRUME_KEY_LIST: bytes from item to item
    size_t count_offset;         ///< BRUME_KEY_LIST: of the int with the count
    int max_count;               ///< BRUME_KEY_LIST, BRUME_KEY_ITEMS: maximum number of items; SETTINGS: their number
} BrumeKey;

/** The keys of one kind of map. */
struct BrumeSection {
    const char *name; ///< in errors: "emitter"
    const char *path; ///< in the documents: "emitters[]"; "" for the whole file
    const BrumeKey *keys;
    int key_count;         ///< length of `keys`
    const char *shorthand; ///< the key that a scalar in place of the map, or any value as a list item, sets; or NULL
};

// keys.c

/** The name, the document text, the fallback (or NULL) and the fixedness of a key, from its setting where it has one.
 */
const char *brume_key_name(const BrumeKey *key);
const char *brume_key_doc(const BrumeKey *key);
const char *brume_key_fallback(const BrumeKey *key);
bool brume_key_is_fixed(const BrumeKey *key);

/** The type of a key's value: "a number", "a list of three numbers", "a word or a map". */
const char *brume_key_type(const BrumeKey *key);

/** Writes the valid values of a key as text: "from 0 to 1", "at most 64 items"; "" for maps. */
void brume_key_range(const BrumeKey *key, char *text, size_t size);

/** Sets `key` to the n-th key of a section; false past the last. */
bool brume_section_key(const BrumeSection *section, int n, BrumeKey *key);

/** Sets `key` to the key of that name; false where a section has none. */
bool brume_section_find(const BrumeSection *section, const char *name, BrumeKey *key);

// read.c

/**
 * Sets the members of `into` whose keys `map` has; the others keep their values. A null map or list counts as empty.
 * BRUME_BAD_INPUT at the first key that the section does not have (with a suggestion) or whose value has the wrong type
 * or is out of its limits; keys before it have been read then. Expects the "C" locale (yaml/numbers.h).
 */
BrumeStatus brume_section_read(const BrumeSection *section, const BrumeYamlNode *map, void *into, BrumeError *error);

/** As brume_section_read, but skips keys that are fixed. */
BrumeStatus brume_section_read_changeable(const BrumeSection *section, const BrumeYamlNode *map, void *into,
                                          BrumeError *error);

/**
 * As brume_section_read, for one item of a BRUME_KEY_ITEMS. `root` is the section of the whole file, in which
 * suggestions are searched.
 */
BrumeStatus brume_section_read_item(const BrumeSection *root, const BrumeSection *section, const BrumeYamlNode *map,
                                    void *into, BrumeError *error);

// write.c

/** Which keys of a section are written. */
typedef enum BrumeKeySelection {
    BRUME_WRITE_NON_DEFAULT, ///< keys whose values differ from the defaults
    BRUME_WRITE_CHANGEABLE,  ///< all keys that are not fixed
} BrumeKeySelection;

/**
 * The map from which brume_section_read would set the members of `from`, where `defaults` holds the values of absent
 * keys. A key with a fallback has no such value: it is written unless its member is marked as absent. The mark is a
 * number that is not finite, a whole number below its range, counts of 0, an empty text, a negative count, or, for a
 * map with a shorthand, a negative word as its shorthand; keys without a fallback may have it too. Items and paths are
 * not written. NULL without memory; otherwise freed with brume_yaml_free. Expects the "C" locale.
 */
BrumeYamlNode *brume_section_write(const BrumeSection *section, const void *from, const void *defaults,
                                   BrumeKeySelection selection);

#endif
