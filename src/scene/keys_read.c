#include "core/suggest.h"
#include "core/vec3.h"
#include "scene/keys.h"
#include "yaml/number.h"
#include "yaml/quote.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { LONG_TEXT = 400 };

/** A section being read: where it stands in the schema, what it fills, and where troubles go. */
typedef struct Reading {
    const BrumeSection *root; ///< of the whole schema, for hints where a key belongs
    const BrumeSection *section;
    void *into;
    BrumeError *error;
    bool again; ///< keys that are fixed are passed over
} Reading;

static BrumeStatus read_section(Reading reading, const BrumeYamlNode *map);
static BrumeStatus read_key(Reading reading, const BrumeKey *key, const BrumeYamlNode *node);

static Reading with_section(Reading reading, const BrumeSection *section, void *into)
{
    reading.section = section;
    reading.into = into;
    return reading;
}

static void *member_of(Reading reading, size_t offset) { return (char *)reading.into + offset; }

const BrumeKey *brume_section_find(const BrumeSection *section, const char *name)
{
    for (int i = 0; i < section->key_count; i++) {
        if (strcmp(section->keys[i].name, name) == 0) {
            return &section->keys[i];
        }
    }
    return NULL;
}

/** How errors name a section. */
static const char *name_section(const BrumeSection *section, char text[64])
{
    (void)snprintf(text, 64, section->path[0] ? "'%s'" : "%s", section->name);
    return text;
}

static BrumeStatus __attribute__((format(printf, 4, 5)))
fail_value(Reading reading, const BrumeKey *key, const BrumeYamlNode *node, const char *format, ...)
{
    char trouble[LONG_TEXT];
    char section[64];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(trouble, sizeof trouble, format, args);
    va_end(args);
    return brume_yaml_fail(node, reading.error, "'%s' in %s %s", key->name, name_section(reading.section, section),
                           trouble);
}

static BrumeStatus fail_type(Reading reading, const BrumeKey *key, const BrumeYamlNode *node)
{
    const char *const type = brume_key_type(key);
    char unit[64];
    brume_key_unit(key, unit, sizeof unit);
    if (brume_yaml_is_null(node)) {
        return fail_value(reading, key, node, "has no value");
    }
    if (node->kind == BRUME_YAML_LIST) {
        return fail_value(reading, key, node, "must be %s%s, not a list of %d", type, unit, node->count);
    }
    if (node->kind == BRUME_YAML_MAP) {
        return fail_value(reading, key, node, "must be %s%s, not a map", type, unit);
    }
    return fail_value(reading, key, node, "must be %s%s, not %s'%s'", type, unit, node->quoted ? "the text " : "",
                      brume_quote(node->text).text);
}

static BrumeStatus fail_range(Reading reading, const BrumeKey *key, const BrumeYamlNode *node)
{
    char range[LONG_TEXT / 2];
    char unit[64];
    brume_key_range(key, range, sizeof range);
    brume_key_unit(key, unit, sizeof unit);
    return fail_value(reading, key, node, "is %s, but must be %s%s", brume_quote(node->text).text, range, unit);
}

/** Reads a number within the key's range, whole where the key's type is; 0 where that fails. */
static BrumeStatus read_number(Reading reading, const BrumeKey *key, const BrumeYamlNode *node, double *value)
{
    const bool whole = key->type == BRUME_KEY_WHOLE || key->type == BRUME_KEY_SEED || key->type == BRUME_KEY_COUNTS;
    *value = 0.0;
    if (node->kind != BRUME_YAML_SCALAR || node->quoted) {
        return fail_type(reading, key, node);
    }
    double number = 0.0;
    const BrumeNumberKind kind = brume_parse_number(node->text, &number);
    if (kind == BRUME_NUMBER_NONE || (whole && kind == BRUME_NUMBER_REAL)) {
        return fail_type(reading, key, node);
    }
    if (kind == BRUME_NUMBER_INFINITE || number < key->min || number > key->max) {
        return fail_range(reading, key, node);
    }
    *value = number;
    return BRUME_OK;
}

/** Reads a list of three numbers. */
static BrumeStatus read_three(Reading reading, const BrumeKey *key, const BrumeYamlNode *node, double values[3])
{
    if (node->kind != BRUME_YAML_LIST || node->count != 3) {
        return fail_type(reading, key, node);
    }
    BrumeStatus status = BRUME_OK;
    int count = 0;
    for (const BrumeYamlNode *item = node->first; item && status == BRUME_OK; item = item->next) {
        status = read_number(reading, key, item, &values[count++]);
    }
    return status;
}

/** Reads a list of three numbers, or one that stands for all three. */
static BrumeStatus read_splat(Reading reading, const BrumeKey *key, const BrumeYamlNode *node, double values[3])
{
    if (node->kind != BRUME_YAML_SCALAR) {
        return read_three(reading, key, node, values);
    }
    const BrumeStatus status = read_number(reading, key, node, &values[0]);
    values[1] = values[2] = values[0];
    return status;
}

static BrumeStatus read_vector(Reading reading, const BrumeKey *key, const BrumeYamlNode *node, BrumeVec3 *vector)
{
    double values[3] = {0.0, 0.0, 0.0};
    const BrumeStatus status =
        key->type == BRUME_KEY_SPLAT ? read_splat(reading, key, node, values) : read_three(reading, key, node, values);
    *vector = brume_vec3((float)values[0], (float)values[1], (float)values[2]);
    return status;
}

static BrumeStatus read_counts(Reading reading, const BrumeKey *key, const BrumeYamlNode *node, int counts[3])
{
    double values[3] = {0.0, 0.0, 0.0};
    const BrumeStatus status = node->kind == BRUME_YAML_SCALAR ? read_number(reading, key, node, &values[0])
                                                               : read_three(reading, key, node, values);
    for (int axis = 0; axis < 3; axis++) {
        counts[axis] = (int)values[axis];
    }
    return status;
}

static BrumeStatus read_word(Reading reading, const BrumeKey *key, const BrumeYamlNode *node, int *index)
{
    *index = 0;
    if (node->kind != BRUME_YAML_SCALAR || brume_yaml_is_null(node)) {
        return fail_type(reading, key, node);
    }
    BrumeSuggestion closest = {.word = node->text};
    for (int i = 0; brume_key_word(key, i); i++) {
        if (strcmp(brume_key_word(key, i), node->text) == 0) {
            *index = i;
            return BRUME_OK;
        }
        brume_suggest(&closest, brume_key_word(key, i));
    }
    char range[LONG_TEXT / 2];
    char hint[LONG_TEXT / 4] = "";
    brume_key_range(key, range, sizeof range);
    if (closest.name) {
        (void)snprintf(hint, sizeof hint, " (did you mean '%s'?)", closest.name);
    }
    return fail_value(reading, key, node, "is '%s', but must be %s%s", brume_quote(node->text).text, range, hint);
}

static BrumeStatus read_text(Reading reading, const BrumeKey *key, const BrumeYamlNode *node, char *text)
{
    if (node->kind != BRUME_YAML_SCALAR || brume_yaml_is_null(node)) {
        return fail_type(reading, key, node);
    }
    const size_t size = strlen(node->text);
    if ((double)size > key->max) {
        return fail_value(reading, key, node, "has %zu bytes, but must have at most %.0f", size, key->max);
    }
    for (size_t i = 0; i < size; i++) {
        const unsigned char byte = (unsigned char)node->text[i];
        if (byte < 0x20 || byte == 0x7f || (byte == 0xc2 && (unsigned char)node->text[i + 1] < 0xa0)) {
            return fail_value(reading, key, node, "must be one line without control characters");
        }
    }
    memcpy(text, node->text, size + 1);
    return BRUME_OK;
}

static BrumeStatus read_flag(Reading reading, const BrumeKey *key, const BrumeYamlNode *node, bool *flag)
{
    const bool plain = node->kind == BRUME_YAML_SCALAR && !node->quoted;
    *flag = plain && strcmp(node->text, "true") == 0;
    return *flag || (plain && strcmp(node->text, "false") == 0) ? BRUME_OK : fail_type(reading, key, node);
}

static BrumeStatus read_map(Reading reading, const BrumeKey *key, const BrumeYamlNode *node)
{
    const BrumeSection *const section = key->section;
    void *const into = member_of(reading, key->offset);
    if (section->shorthand && node->kind == BRUME_YAML_SCALAR) {
        // errors name the key that the file has, not the one that it stands for
        BrumeKey stand_in = *brume_section_find(section, section->shorthand);
        stand_in.name = key->name;
        return read_key(with_section(reading, reading.section, into), &stand_in, node);
    }
    if (brume_yaml_is_null(node)) {
        return BRUME_OK;
    }
    return node->kind == BRUME_YAML_MAP ? read_section(with_section(reading, section, into), node)
                                        : fail_type(reading, key, node);
}

/** Sees that a value is a list of maps, and of how many. */
static BrumeStatus check_list(Reading reading, const BrumeKey *key, const BrumeYamlNode *node)
{
    if (brume_yaml_is_null(node)) {
        return BRUME_OK;
    }
    if (node->kind != BRUME_YAML_LIST) {
        return fail_type(reading, key, node);
    }
    int count = 0;
    for (const BrumeYamlNode *item = node->first; item; item = item->next) {
        if (count == (int)key->max) {
            return fail_value(reading, key, item, "has %d items, but must have at most %.0f", node->count, key->max);
        }
        if (item->kind != BRUME_YAML_MAP) {
            return fail_value(reading, key, item, "is a list of maps, but its item %d is none", count);
        }
        count++;
    }
    return BRUME_OK;
}

static BrumeStatus read_list(Reading reading, const BrumeKey *key, const BrumeYamlNode *node)
{
    int *const count = member_of(reading, key->count_offset);
    *count = 0;
    const BrumeStatus valid = check_list(reading, key, node);
    if (valid != BRUME_OK) {
        return valid;
    }
    for (const BrumeYamlNode *item = node->first; item; item = item->next) {
        void *const into = member_of(reading, key->offset + (size_t)*count * key->stride);
        const BrumeStatus status = read_section(with_section(reading, key->section, into), item);
        if (status != BRUME_OK) {
            return status;
        }
        ++*count;
    }
    return BRUME_OK;
}

static BrumeStatus read_key(Reading reading, const BrumeKey *key, const BrumeYamlNode *node)
{
    void *const member = member_of(reading, key->offset);
    double number = 0.0;
    BrumeStatus status = BRUME_OK;
    switch (key->type) {
    case BRUME_KEY_NUMBER:
        status = read_number(reading, key, node, &number);
        *(float *)member = (float)number;
        break;
    case BRUME_KEY_DOUBLE:
        status = read_number(reading, key, node, member);
        break;
    case BRUME_KEY_SIDES:
        status = read_splat(reading, key, node, member);
        break;
    case BRUME_KEY_WHOLE:
        status = read_number(reading, key, node, &number);
        *(int *)member = (int)number;
        break;
    case BRUME_KEY_SEED:
        status = read_number(reading, key, node, &number);
        *(uint32_t *)member = (uint32_t)number;
        break;
    case BRUME_KEY_FLAG:
        status = read_flag(reading, key, node, member);
        break;
    case BRUME_KEY_WORD:
        status = read_word(reading, key, node, member);
        break;
    case BRUME_KEY_NAME: {
        int index = 0;
        status = read_word(reading, key, node, &index);
        *(const char **)member = key->name_at(index);
        break;
    }
    case BRUME_KEY_TEXT:
        status = read_text(reading, key, node, member);
        break;
    case BRUME_KEY_VECTOR:
    case BRUME_KEY_SPLAT:
        status = read_vector(reading, key, node, member);
        break;
    case BRUME_KEY_COUNTS:
        status = read_counts(reading, key, node, member);
        break;
    case BRUME_KEY_MAP:
        status = read_map(reading, key, node);
        break;
    case BRUME_KEY_LIST:
        status = read_list(reading, key, node);
        break;
    case BRUME_KEY_ITEMS:
        status = check_list(reading, key, node);
        break;
    case BRUME_KEY_PATHS:
        status = node->kind == BRUME_YAML_MAP ? BRUME_OK : fail_type(reading, key, node);
        break;
    }
    return status;
}

/** The first section of the schema that knows a key; NULL where none does. */
static const BrumeSection *find_owner(const BrumeSection *section, const char *name)
{
    const BrumeSection *owner = brume_section_find(section, name) ? section : NULL;
    for (int i = 0; i < section->key_count && !owner; i++) {
        owner = section->keys[i].section ? find_owner(section->keys[i].section, name) : NULL;
    }
    return owner;
}

static BrumeStatus fail_unknown(Reading reading, const BrumeYamlNode *node)
{
    const BrumeQuote name = brume_quote(node->key);
    const BrumeSection *const owner = find_owner(reading.root, node->key);
    char hint[LONG_TEXT];
    char section[64];
    BrumeSuggestion closest = {.word = node->key};
    for (int i = 0; i < reading.section->key_count; i++) {
        brume_suggest(&closest, reading.section->keys[i].name);
    }
    if (closest.name) {
        (void)snprintf(hint, sizeof hint, " (did you mean '%s'?)", closest.name);
    } else if (owner) {
        (void)snprintf(hint, sizeof hint, " (it belongs in %s)", name_section(owner, section));
    } else {
        int used = snprintf(hint, sizeof hint, " (it knows");
        for (int i = 0; i < reading.section->key_count && used < (int)sizeof hint; i++) {
            used += snprintf(hint + used, sizeof hint - (size_t)used, "%s %s", i > 0 ? "," : "",
                             reading.section->keys[i].name);
        }
        if (used < (int)sizeof hint) {
            (void)snprintf(hint + used, sizeof hint - (size_t)used, ")");
        }
    }
    return brume_yaml_fail_key(node, reading.error, "unknown key '%s' in %s%s", name.text,
                               name_section(reading.section, section), hint);
}

static BrumeStatus read_section(Reading reading, const BrumeYamlNode *map)
{
    for (const BrumeYamlNode *child = map->first; child; child = child->next) {
        const BrumeKey *const key = brume_section_find(reading.section, child->key);
        if (key && key->fixed && reading.again) {
            continue;
        }
        const BrumeStatus status = key ? read_key(reading, key, child) : fail_unknown(reading, child);
        if (status != BRUME_OK) {
            return status;
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_section_read(const BrumeSection *section, const BrumeYamlNode *map, void *into, BrumeError *error)
{
    return read_section((Reading){section, section, into, error, false}, map);
}

BrumeStatus brume_section_reread(const BrumeSection *section, const BrumeYamlNode *map, void *into, BrumeError *error)
{
    return read_section((Reading){section, section, into, error, true}, map);
}

BrumeStatus brume_item_read(const BrumeSection *root, const BrumeSection *section, const BrumeYamlNode *map, void *into,
                            BrumeError *error)
{
    return read_section((Reading){root, section, into, error, false}, map);
}
