#include "scene/keys/keys.h"
#include "yaml/numbers.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static BrumeYamlNode *plain_scalar(const char *text) { return brume_yaml_new_scalar(text, false); }

/** One number, or a list of three; one for three where the type allows it. */
static BrumeYamlNode *write_numbers(const BrumeSetting *setting, const void *member)
{
    const BrumeValueType type = setting->type;
    double numbers[3] = {0.0, 0.0, 0.0};
    BrumeDigits digits[3];
    const int count = brume_setting_numbers(setting, member, numbers);
    for (int n = 0; n < count; n++) {
        if (type == BRUME_VALUE_DOUBLE || type == BRUME_VALUE_LENGTHS) {
            digits[n] = brume_double_digits(numbers[n]);
        } else if (type == BRUME_VALUE_FLOAT || type == BRUME_VALUE_VECTOR || type == BRUME_VALUE_COLOR) {
            digits[n] = brume_float_digits((float)numbers[n]);
        } else {
            (void)snprintf(digits[n].text, sizeof digits[n].text, "%.0f", numbers[n]);
        }
    }
    const bool same =
        count == 3 && strcmp(digits[0].text, digits[1].text) == 0 && strcmp(digits[0].text, digits[2].text) == 0;
    if (count == 1 || (same && (type == BRUME_VALUE_COLOR || type == BRUME_VALUE_LENGTHS)) ||
        (type == BRUME_VALUE_COUNTS && numbers[1] == 0.0 && numbers[2] == 0.0)) {
        return plain_scalar(digits[0].text);
    }
    BrumeYamlNode *const list = brume_yaml_new(BRUME_YAML_LIST);
    bool complete = list != NULL;
    for (int i = 0; i < 3 && complete; i++) {
        complete = brume_yaml_add(list, NULL, plain_scalar(digits[i].text));
    }
    if (!complete) {
        brume_yaml_free(list);
        return NULL;
    }
    return list;
}

/** A text, in quotes unless all its characters are without meaning in YAML. */
static BrumeYamlNode *write_text(const char *text)
{
    bool safe = isalpha((unsigned char)text[0]) && text[strlen(text) - 1] != ' ' && strcmp(text, "null") != 0;
    for (const char *c = text; *c; c++) {
        safe = safe && (isalnum((unsigned char)*c) || strchr(" ,.-_()/'", *c));
    }
    return brume_yaml_new_scalar(text, !safe);
}

/** The first of three texts alone where the others are empty, otherwise a list. */
static BrumeYamlNode *write_texts(const BrumeSetting *setting, const char *texts)
{
    const size_t stride = (size_t)setting->max + 1;
    if (texts[stride] == '\0' && texts[2 * stride] == '\0') {
        return brume_yaml_new_scalar(texts, true);
    }
    BrumeYamlNode *const list = brume_yaml_new(BRUME_YAML_LIST);
    bool complete = list != NULL;
    for (size_t i = 0; i < 3 && complete; i++) {
        complete = brume_yaml_add(list, NULL, brume_yaml_new_scalar(texts + i * stride, true));
    }
    if (!complete) {
        brume_yaml_free(list);
        return NULL;
    }
    return list;
}

static BrumeYamlNode *write_value(const BrumeSetting *setting, const void *member)
{
    if (setting->type == BRUME_VALUE_TEXT) {
        return write_text(member);
    }
    if (setting->type == BRUME_VALUE_TEXTS) {
        return write_texts(setting, member);
    }
    if (setting->type == BRUME_VALUE_BOOL || brume_setting_has_words(setting)) {
        char text[32];
        brume_setting_value(setting, member, text, sizeof text);
        return plain_scalar(text);
    }
    return write_numbers(setting, member);
}

/** Whether a value has the mark of an absent key. */
static bool is_absent(const BrumeSetting *setting, const void *member)
{
    double numbers[3] = {0.0, 0.0, 0.0};
    (void)brume_setting_numbers(setting, member, numbers);
    switch (setting->type) {
    case BRUME_VALUE_INT:
        return numbers[0] < setting->min;
    case BRUME_VALUE_WORD:
        return numbers[0] < 0.0;
    case BRUME_VALUE_TEXT:
    case BRUME_VALUE_TEXTS:
        return *(const char *)member == '\0';
    case BRUME_VALUE_COUNTS:
        return numbers[0] == 0.0;
    default:
        return !isfinite(numbers[0]);
    }
}

static bool is_selected(const BrumeKey *key, const void *member, const void *defaults, BrumeKeySelection selection)
{
    const BrumeSetting *const setting = key->setting;
    const bool unused = key->is_member && !brume_setting_is_used(setting, (const char *)member - setting->offset);
    if (unused || is_absent(setting, member)) {
        return false;
    }
    return brume_key_fallback(key) || selection == BRUME_WRITE_CHANGEABLE ||
           memcmp(member, defaults, brume_setting_size(setting)) != 0;
}

/** Adds a map unless it is empty; a map with no key but its shorthand is written as the scalar. */
static bool add_map(BrumeYamlNode *parent, const BrumeKey *key, const void *member, const void *defaults,
                    BrumeKeySelection selection)
{
    const BrumeSection *const section = key->section;
    BrumeKey word;
    const bool shorthand = section->shorthand && brume_section_find(section, section->shorthand, &word);
    if (shorthand && is_absent(word.setting, (const char *)member + word.offset)) {
        return true;
    }
    // the map of a shorthand is replaced as one value, so its keys are never changed one by one
    BrumeYamlNode *const map =
        brume_section_write(section, member, defaults, shorthand ? BRUME_WRITE_NON_DEFAULT : selection);
    if (!map) {
        return false;
    }
    if (shorthand && map->count == 1) {
        brume_yaml_free(map);
        return brume_yaml_add(parent, brume_key_name(key),
                              write_value(word.setting, (const char *)member + word.offset));
    }
    if (map->count == 0) {
        brume_yaml_free(map);
        return true;
    }
    return brume_yaml_add(parent, brume_key_name(key), map);
}

/** An item of a list: a map, or the value of the shorthand where the section has no other key. */
static BrumeYamlNode *write_item(const BrumeSection *section, const void *item, const void *defaults,
                                 BrumeKeySelection selection)
{
    if (section->shorthand && section->key_count == 1) {
        return write_value(section->keys[0].setting, (const char *)item + section->keys[0].offset);
    }
    return brume_section_write(section, item, defaults, selection);
}

static bool add_list(BrumeYamlNode *parent, const BrumeKey *key, const void *from, const void *defaults,
                     BrumeKeySelection selection)
{
    const int count = *(const int *)((const char *)from + key->count_offset);
    if (count < 0 || (count == 0 && !brume_key_fallback(key) && selection == BRUME_WRITE_NON_DEFAULT)) {
        return true;
    }
    BrumeYamlNode *const list = brume_yaml_new(BRUME_YAML_LIST);
    bool complete = list != NULL;
    for (int i = 0; i < count && complete; i++) {
        const size_t offset = key->offset + (size_t)i * key->stride;
        complete = brume_yaml_add(
            list, NULL,
            write_item(key->section, (const char *)from + offset, (const char *)defaults + offset, selection));
    }
    if (!complete) {
        brume_yaml_free(list);
        return false;
    }
    return brume_yaml_add(parent, brume_key_name(key), list);
}

static bool add_key(BrumeYamlNode *map, const BrumeSection *section, const BrumeKey *key, const void *from,
                    const void *defaults, BrumeKeySelection selection)
{
    const void *const member = (const char *)from + key->offset;
    const void *const default_member = (const char *)defaults + key->offset;
    if (key->kind == BRUME_KEY_MAP) {
        return add_map(map, key, member, default_member, selection);
    }
    if (key->kind == BRUME_KEY_LIST) {
        return add_list(map, key, from, defaults, selection);
    }
    if (key->kind != BRUME_KEY_VALUE) {
        return true; // items and paths
    }
    const bool shorthand = section->shorthand && strcmp(brume_key_name(key), section->shorthand) == 0;
    if (!shorthand && !is_selected(key, member, default_member, selection)) {
        return true;
    }
    return brume_yaml_add(map, brume_key_name(key), write_value(key->setting, member));
}

BrumeYamlNode *brume_section_write(const BrumeSection *section, const void *from, const void *defaults,
                                   BrumeKeySelection selection)
{
    BrumeYamlNode *const map = brume_yaml_new(BRUME_YAML_MAP);
    bool complete = map != NULL;
    BrumeKey key;
    for (int i = 0; complete && brume_section_key(section, i, &key); i++) {
        if (!(brume_key_is_fixed(&key) && selection == BRUME_WRITE_CHANGEABLE)) {
            complete = add_key(map, section, &key, from, defaults, selection);
        }
    }
    if (!complete) {
        brume_yaml_free(map);
        return NULL;
    }
    return map;
}
