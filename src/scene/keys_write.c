#include "core/vec3.h"
#include "scene/keys.h"
#include "yaml/number.h"
#include "yaml/yaml_internal.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static BrumeYamlNode *plain(const char *text) { return brume_yaml_new_scalar(text, false); }

/** A list of three texts, or the first alone where `one`. */
static BrumeYamlNode *write_three(const BrumeDigits digits[3], bool one)
{
    if (one) {
        return plain(digits[0].text);
    }
    BrumeYamlNode *const list = brume_yaml_new(BRUME_YAML_LIST);
    bool whole = list != NULL;
    for (int i = 0; i < 3 && whole; i++) {
        whole = brume_yaml_add(list, NULL, plain(digits[i].text));
    }
    if (!whole) {
        brume_yaml_free(list);
        return NULL;
    }
    return list;
}

static BrumeYamlNode *write_vector(const BrumeVec3 *vector, bool splat)
{
    const BrumeDigits digits[3] = {brume_float_digits(vector->x), brume_float_digits(vector->y),
                                   brume_float_digits(vector->z)};
    return write_three(digits, splat && strcmp(digits[0].text, digits[1].text) == 0 &&
                                   strcmp(digits[0].text, digits[2].text) == 0);
}

static BrumeYamlNode *write_sides(const double sides[3])
{
    const BrumeDigits digits[3] = {brume_double_digits(sides[0]), brume_double_digits(sides[1]),
                                   brume_double_digits(sides[2])};
    return write_three(digits, sides[0] == sides[1] && sides[0] == sides[2]);
}

static BrumeYamlNode *write_counts(const int counts[3])
{
    BrumeDigits digits[3];
    for (int i = 0; i < 3; i++) {
        (void)snprintf(digits[i].text, sizeof digits[i].text, "%d", counts[i]);
    }
    return write_three(digits, counts[1] == 0 && counts[2] == 0);
}

/** A text, in quotes where it has anything that could mean something to YAML. */
static BrumeYamlNode *write_text(const char *text)
{
    bool safe = isalpha((unsigned char)text[0]) && text[strlen(text) - 1] != ' ' && strcmp(text, "null") != 0;
    for (const char *c = text; *c; c++) {
        safe = safe && (isalnum((unsigned char)*c) || strchr(" ,.-_()/'", *c));
    }
    return brume_yaml_new_scalar(text, !safe);
}

static BrumeYamlNode *write_value(const BrumeKey *key, const void *member)
{
    char text[32];
    switch (key->type) {
    case BRUME_KEY_NUMBER:
        return plain(brume_float_digits(*(const float *)member).text);
    case BRUME_KEY_DOUBLE:
        return plain(brume_double_digits(*(const double *)member).text);
    case BRUME_KEY_WHOLE:
        (void)snprintf(text, sizeof text, "%d", *(const int *)member);
        return plain(text);
    case BRUME_KEY_SEED:
        (void)snprintf(text, sizeof text, "%" PRIu32, *(const uint32_t *)member);
        return plain(text);
    case BRUME_KEY_FLAG:
        return plain(*(const bool *)member ? "true" : "false");
    case BRUME_KEY_WORD:
        return plain(key->words[*(const int *)member]);
    case BRUME_KEY_NAME:
        return plain(*(const char *const *)member);
    case BRUME_KEY_TEXT:
        return write_text(member);
    case BRUME_KEY_VECTOR:
    case BRUME_KEY_SPLAT:
        return write_vector(member, key->type == BRUME_KEY_SPLAT);
    case BRUME_KEY_SIDES:
        return write_sides(member);
    case BRUME_KEY_COUNTS:
        return write_counts(member);
    case BRUME_KEY_MAP:
    case BRUME_KEY_LIST:
    case BRUME_KEY_ITEMS:
    case BRUME_KEY_PATHS:
        break;
    }
    return NULL;
}

/** Whether a value has the mark of a key left out. */
static bool is_left_out(const BrumeKey *key, const void *member)
{
    const BrumeVec3 *const vector = member;
    switch (key->type) {
    case BRUME_KEY_NUMBER:
        return !isfinite(*(const float *)member);
    case BRUME_KEY_DOUBLE:
        return !isfinite(*(const double *)member);
    case BRUME_KEY_VECTOR:
    case BRUME_KEY_SPLAT:
        return !isfinite(vector->x);
    case BRUME_KEY_WORD:
        return *(const int *)member < 0;
    case BRUME_KEY_TEXT:
        return *(const char *)member == '\0';
    case BRUME_KEY_ITEMS:
    case BRUME_KEY_PATHS:
        return true;
    default:
        return false;
    }
}

static size_t size_of(const BrumeKey *key)
{
    static const size_t sizes[] = {
        [BRUME_KEY_NUMBER] = sizeof(float),     [BRUME_KEY_DOUBLE] = sizeof(double),
        [BRUME_KEY_WHOLE] = sizeof(int),        [BRUME_KEY_SEED] = sizeof(uint32_t),
        [BRUME_KEY_FLAG] = sizeof(bool),        [BRUME_KEY_WORD] = sizeof(int),
        [BRUME_KEY_NAME] = sizeof(char *),      [BRUME_KEY_TEXT] = 1,
        [BRUME_KEY_VECTOR] = sizeof(BrumeVec3), [BRUME_KEY_SPLAT] = sizeof(BrumeVec3),
        [BRUME_KEY_SIDES] = 3 * sizeof(double), [BRUME_KEY_COUNTS] = 3 * sizeof(int),
    };
    return sizes[key->type];
}

static bool is_wanted(const BrumeKey *key, const void *member, const void *standard, BrumeWriting writing)
{
    if (is_left_out(key, member)) {
        return false;
    }
    return key->fallback || writing == BRUME_WRITE_CHANGEABLE || memcmp(member, standard, size_of(key)) != 0;
}

/** Adds a map unless it is empty; one with nothing but its shorthand becomes that. */
static bool add_map(BrumeYamlNode *parent, const BrumeKey *key, const void *member, const void *standard,
                    BrumeWriting writing)
{
    const BrumeSection *const section = key->section;
    const BrumeKey *const shorthand = section->shorthand ? brume_section_find(section, section->shorthand) : NULL;
    if (shorthand && is_left_out(shorthand, (const char *)member + shorthand->offset)) {
        return true;
    }
    // a map with a shorthand is always given whole, so that it has nothing to change key by key
    BrumeYamlNode *const map =
        brume_section_write(section, member, standard, shorthand ? BRUME_WRITE_PARTICULAR : writing);
    if (!map) {
        return false;
    }
    if (shorthand && map->count == 1) {
        brume_yaml_free(map);
        return brume_yaml_add(parent, key->name, write_value(shorthand, (const char *)member + shorthand->offset));
    }
    if (map->count == 0) {
        brume_yaml_free(map);
        return true;
    }
    return brume_yaml_add(parent, key->name, map);
}

static bool add_list(BrumeYamlNode *parent, const BrumeKey *key, const void *from, const void *standard,
                     BrumeWriting writing)
{
    const int count = *(const int *)((const char *)from + key->count_offset);
    if (count < 0 || (count == 0 && !key->fallback && writing == BRUME_WRITE_PARTICULAR)) {
        return true;
    }
    BrumeYamlNode *const list = brume_yaml_new(BRUME_YAML_LIST);
    bool whole = list != NULL;
    for (int i = 0; i < count && whole; i++) {
        const size_t offset = key->offset + (size_t)i * key->stride;
        whole = brume_yaml_add(
            list, NULL,
            brume_section_write(key->section, (const char *)from + offset, (const char *)standard + offset, writing));
    }
    if (!whole) {
        brume_yaml_free(list);
        return false;
    }
    return brume_yaml_add(parent, key->name, list);
}

static bool add_key(BrumeYamlNode *map, const BrumeSection *section, const BrumeKey *key, const void *from,
                    const void *standard, BrumeWriting writing)
{
    const void *const member = (const char *)from + key->offset;
    const void *const usual = (const char *)standard + key->offset;
    if (key->type == BRUME_KEY_MAP) {
        return add_map(map, key, member, usual, writing);
    }
    if (key->type == BRUME_KEY_LIST) {
        return add_list(map, key, from, standard, writing);
    }
    const bool shorthand = section->shorthand && strcmp(key->name, section->shorthand) == 0;
    if (!shorthand && !is_wanted(key, member, usual, writing)) {
        return true;
    }
    return brume_yaml_add(map, key->name, write_value(key, member));
}

BrumeYamlNode *brume_section_write(const BrumeSection *section, const void *from, const void *standard,
                                   BrumeWriting writing)
{
    BrumeYamlNode *const map = brume_yaml_new(BRUME_YAML_MAP);
    bool whole = map != NULL;
    for (int i = 0; i < section->key_count && whole; i++) {
        const BrumeKey *const key = &section->keys[i];
        if (!(key->fixed && writing == BRUME_WRITE_CHANGEABLE)) {
            whole = add_key(map, section, key, from, standard, writing);
        }
    }
    if (!whole) {
        brume_yaml_free(map);
        return NULL;
    }
    return map;
}
