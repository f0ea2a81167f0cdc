/**
 * @file keys.h
 * What a scene file may say, as tables: one entry a key, from which values are read, checked, explained in errors and
 * documented.
 */
#ifndef BRUME_SCENE_KEYS_H
#define BRUME_SCENE_KEYS_H

#include "core/error.h"
#include "yaml/yaml.h"

#include <stdbool.h>
#include <stddef.h>

/** What a key holds, and the type of the member that it fills. */
typedef enum BrumeKeyType {
    BRUME_KEY_NUMBER, ///< float
    BRUME_KEY_DOUBLE, ///< double
    BRUME_KEY_WHOLE,  ///< int
    BRUME_KEY_SEED,   ///< uint32_t
    BRUME_KEY_FLAG,   ///< bool: true or false
    BRUME_KEY_WORD,   ///< int: the place of the word in `words`
    BRUME_KEY_NAME,   ///< const char *: one of the texts that `name_at` gives
    BRUME_KEY_TEXT,   ///< char[max + 1]
    BRUME_KEY_VECTOR, ///< BrumeVec3, from a list of three numbers
    BRUME_KEY_SPLAT,  ///< BrumeVec3, from a list of three numbers or from one that stands for all three
    BRUME_KEY_SIDES,  ///< double[3], written as a SPLAT
    BRUME_KEY_COUNTS, ///< int[3], from a list of three whole numbers, or from one (the others become 0)
    BRUME_KEY_MAP,    ///< a section of its own
    BRUME_KEY_LIST,   ///< an array of sections and an int with their count
    BRUME_KEY_ITEMS,  ///< a list of sections too many for an array: their keys are read one item after the other
    BRUME_KEY_PATHS,  ///< a map of dotted paths and values of any kind, put into the tree by others
} BrumeKeyType;

typedef struct BrumeSection BrumeSection;

/** One key. */
typedef struct BrumeKey {
    const char *name;
    BrumeKeyType type;
    const char *unit;         ///< as written in brackets; "1" for pure numbers, NULL where units make no sense
    double min, max;          ///< of a number and of each component, both included; of a text: its bytes
    size_t offset;            ///< of the member, in what the section fills
    const char *fallback;     ///< what holds without the key, where that is not simply the member's value before
    const char *doc;          ///< one sentence of docs/scene.md
    bool fixed;               ///< holds for the whole scene: a timeline cannot change it
    const char *const *words; ///< BRUME_KEY_WORD: in the order of the enum, NULL at the end
    const char *(*name_at)(int index); ///< BRUME_KEY_NAME: the names, NULL past the last
    const BrumeSection *section;       ///< BRUME_KEY_MAP, BRUME_KEY_LIST, BRUME_KEY_ITEMS
    size_t stride;                     ///< BRUME_KEY_LIST: bytes from item to item
    size_t count_offset;               ///< BRUME_KEY_LIST: of the int with the count; `max` is the most
} BrumeKey;

/** The keys of one kind of map. */
struct BrumeSection {
    const char *name; ///< in errors: "emitter"
    const char *path; ///< in the docs: "emitters[]"; "" at the top
    const BrumeKey *keys;
    int key_count;
    const char *shorthand; ///< the key that a single value in the place of the map stands for, or NULL
};

/**
 * Fills the members of `into` whose keys `map` has; the others keep their values. A map or list left out counts as
 * empty. BRUME_BAD_INPUT at the first key that the section does not know (with a suggestion) or whose value has the
 * wrong type or is out of its range. The "C" locale is expected (number.h).
 */
BrumeStatus brume_section_read(const BrumeSection *section, const BrumeYamlNode *map, void *into, BrumeError *error);

/** As brume_section_read, for the keys that are not `fixed`; the others are passed over. */
BrumeStatus brume_section_reread(const BrumeSection *section, const BrumeYamlNode *map, void *into, BrumeError *error);

/**
 * As brume_section_read, for an item of a BRUME_KEY_ITEMS. `root` is the whole schema, for hints where a key belongs.
 */
BrumeStatus brume_item_read(const BrumeSection *root, const BrumeSection *section, const BrumeYamlNode *map, void *into,
                            BrumeError *error);

/** How much of a section is written. */
typedef enum BrumeWriting {
    BRUME_WRITE_PARTICULAR, ///< keys whose values differ from the standard ones
    BRUME_WRITE_CHANGEABLE, ///< all keys that are not `fixed`
} BrumeWriting;

/**
 * The tree of a map that brume_section_read would fill `from` with, where `standard` has the values that keys left out
 * stand for. A key with a `fallback` has no such value: it is written unless it is marked as left out. That mark is a
 * number that is not finite, an empty text, a negative count, or, for a map with a shorthand, a negative word in its
 * place; keys without a fallback may have it too. Items and paths are left to others. NULL without memory; otherwise
 * freed with brume_yaml_free. The "C" locale is expected.
 */
BrumeYamlNode *brume_section_write(const BrumeSection *section, const void *from, const void *standard,
                                   BrumeWriting writing);

/** The key of that name; NULL where a section has none. */
const BrumeKey *brume_section_find(const BrumeSection *section, const char *name);

/** The range of a key in words, for errors and docs: "from 0 to 1", "one of wall, open"; "" for maps. */
void brume_key_range(const BrumeKey *key, char *text, size_t size);

/** The unit of a key as it follows its range: " [1/m]"; "" for pure numbers and where units make no sense. */
void brume_key_unit(const BrumeKey *key, char *text, size_t size);

/** The `index`-th word of a BRUME_KEY_WORD or BRUME_KEY_NAME; NULL past the last. */
const char *brume_key_word(const BrumeKey *key, int index);

/** What a key holds in words: "a number", "a list of three numbers". */
const char *brume_key_type(const BrumeKey *key);

/** The value that `into` holds for a key, as it would be written in a scene; "" for maps and lists. */
void brume_key_value(const BrumeKey *key, const void *into, char *text, size_t size);

#endif
