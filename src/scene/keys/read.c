#include "core/suggest.h"
#include "core/text.h"
#include "scene/keys/keys.h"
#include "yaml/numbers.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    MESSAGE_SIZE = 400,
    MAX_NUMBER_SIZE = 1000, // bytes; a timeline converts the numbers of a scene again for each change
};

/** The section that is being read, the struct that it sets, and the error that a failure fills. */
typedef struct Context {
    const BrumeSection *root; ///< section of the whole file, in which suggestions are searched
    const BrumeSection *section;
    void *into;
    BrumeError *error;
    bool skip_fixed;
} Context;

static BrumeStatus read_section(Context context, const BrumeYamlNode *map);
static BrumeStatus read_key(Context context, const BrumeKey *key, const BrumeYamlNode *node);

static Context with_section(Context context, const BrumeSection *section, void *into)
{
    context.section = section;
    context.into = into;
    return context;
}

static void *member_of(Context context, size_t offset) { return (char *)context.into + offset; }

/** How errors name a section. */
static const char *name_section(const BrumeSection *section, char text[64])
{
    (void)snprintf(text, 64, section->path[0] ? "'%s'" : "%s", section->name);
    return text;
}

static BrumeStatus __attribute__((format(printf, 4, 5)))
fail_value(Context context, const BrumeKey *key, const BrumeYamlNode *node, const char *format, ...)
{
    char message[MESSAGE_SIZE];
    char section[64];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return brume_yaml_fail(node, context.error, "'%s' in %s %s", brume_key_name(key),
                           name_section(context.section, section), message);
}

/** The hint for the first two items that a comma without a blank separates, as in [0,5, 1, 2]. */
static BrumeHint point_hint_of_list(const BrumeYamlNode *list)
{
    for (const BrumeYamlNode *item = list->first; item && item->next; item = item->next) {
        const BrumeYamlNode *next = item->next;
        if (item->kind == BRUME_YAML_SCALAR && next->kind == BRUME_YAML_SCALAR && next->line == item->line &&
            next->column == item->column + (int)strlen(item->text) + 1) {
            char text[64];
            (void)snprintf(text, sizeof text, "%.30s,%.30s", item->text, next->text);
            return brume_point_hint(text);
        }
    }
    return (BrumeHint){""};
}

static BrumeStatus fail_type(Context context, const BrumeKey *key, const BrumeYamlNode *node)
{
    const char *const type = brume_key_type(key);
    char unit[64] = "";
    if (key->setting) {
        brume_setting_unit(key->setting, unit, sizeof unit);
    }
    if (brume_yaml_is_null(node)) {
        return fail_value(context, key, node, "has no value");
    }
    if (node->kind == BRUME_YAML_LIST) {
        return fail_value(context, key, node, "must be %s%s, not a list of %d%s", type, unit, node->count,
                          key->list_hint ? key->list_hint : point_hint_of_list(node).text);
    }
    if (node->kind == BRUME_YAML_MAP) {
        return fail_value(context, key, node, "must be %s%s, not a map", type, unit);
    }
    const BrumeQuote text = brume_quote(node->text);
    const BrumeHint hint = brume_point_hint(node->text);
    if (!node->quoted && hint.text[0] && strstr(type, "number")) {
        return fail_value(context, key, node, "must be %s%s, not '%s'%s", type, unit, text.text, hint.text);
    }
    if (!node->quoted && strchr(node->text, ',') && strstr(type, "list of ")) {
        return fail_value(context, key, node, "must be %s%s, not '%s' (write it as [%s])", type, unit, text.text,
                          text.text);
    }
    return fail_value(context, key, node, "must be %s%s, not %s'%s'", type, unit, node->quoted ? "the text " : "",
                      text.text);
}

static BrumeStatus fail_range(Context context, const BrumeKey *key, const BrumeYamlNode *node)
{
    char section[64];
    BrumeError message;
    (void)brume_setting_fail(key->setting, name_section(context.section, section), brume_quote(node->text).text,
                             &message);
    return brume_yaml_fail(node, context.error, "%s", message.text);
}

/** Reads a number within the limits of the setting, a whole one where its type is; 0 after a failure. */
static BrumeStatus read_number(Context context, const BrumeKey *key, const BrumeYamlNode *node, double *value)
{
    const BrumeSetting *const setting = key->setting;
    const bool whole =
        setting->type == BRUME_VALUE_INT || setting->type == BRUME_VALUE_UINT32 || setting->type == BRUME_VALUE_COUNTS;
    *value = 0.0;
    if (node->kind != BRUME_YAML_SCALAR || node->quoted) {
        return fail_type(context, key, node);
    }
    double number = 0.0;
    const BrumeNumberKind kind = brume_parse_number(node->text, &number);
    if (kind == BRUME_NUMBER_NONE || (whole && kind == BRUME_NUMBER_REAL)) {
        return fail_type(context, key, node);
    }
    if (kind == BRUME_NUMBER_INFINITE || (number < setting->min && !(setting->one_allowed && number == 1.0)) ||
        number > setting->max) {
        return fail_range(context, key, node);
    }
    const size_t size = strlen(node->text);
    if (size > MAX_NUMBER_SIZE) {
        return fail_value(context, key, node, "has %zu characters, but a number must have at most %d", size,
                          MAX_NUMBER_SIZE);
    }
    *value = number;
    return BRUME_OK;
}

/** Reads one number, or a list of three; one number may stand for three where the type allows it. */
static BrumeStatus read_numbers(Context context, const BrumeKey *key, const BrumeYamlNode *node, double values[3])
{
    const BrumeValueType type = key->setting->type;
    const bool vector = type == BRUME_VALUE_VECTOR;
    const bool three = vector || type == BRUME_VALUE_COLOR || type == BRUME_VALUE_LENGTHS || type == BRUME_VALUE_COUNTS;
    if (!three || (node->kind == BRUME_YAML_SCALAR && !vector)) {
        const BrumeStatus status = read_number(context, key, node, &values[0]);
        values[1] = values[2] = type == BRUME_VALUE_COUNTS ? 0.0 : values[0];
        return status;
    }
    if (node->kind != BRUME_YAML_LIST || node->count != 3) {
        return fail_type(context, key, node);
    }
    BrumeStatus status = BRUME_OK;
    int count = 0;
    for (const BrumeYamlNode *item = node->first; item && status == BRUME_OK; item = item->next) {
        status = read_number(context, key, item, &values[count++]);
    }
    return status;
}

static BrumeStatus read_word(Context context, const BrumeKey *key, const BrumeYamlNode *node, int *index)
{
    *index = 0;
    if (node->kind != BRUME_YAML_SCALAR || brume_yaml_is_null(node)) {
        return fail_type(context, key, node);
    }
    BrumeSuggestion closest = {.word = node->text};
    for (int i = 0; brume_setting_word(key->setting, i); i++) {
        const char *const word = brume_setting_word(key->setting, i);
        if (strcmp(word, node->text) == 0) {
            *index = i;
            return BRUME_OK;
        }
        brume_suggest(&closest, word);
    }
    char range[MESSAGE_SIZE / 2];
    brume_setting_range(key->setting, range, sizeof range);
    return fail_value(context, key, node, "is '%s', but must be %s%s", brume_quote(node->text).text, range,
                      brume_suggestion_hint(&closest).text);
}

static BrumeStatus read_text(Context context, const BrumeKey *key, const BrumeYamlNode *node, char *text)
{
    if (node->kind != BRUME_YAML_SCALAR || brume_yaml_is_null(node)) {
        return fail_type(context, key, node);
    }
    const size_t size = strlen(node->text);
    if ((double)size > key->setting->max) {
        return fail_value(context, key, node, "has %zu bytes, but must have at most %.0f", size, key->setting->max);
    }
    for (size_t i = 0; i < size; i++) {
        const unsigned char byte = (unsigned char)node->text[i];
        if (byte < 0x20 || byte == 0x7f || (byte == 0xc2 && (unsigned char)node->text[i + 1] < 0xa0)) {
            return fail_value(context, key, node, "must be one line without control characters");
        }
    }
    memcpy(text, node->text, size + 1);
    return BRUME_OK;
}

/** Reads a text, or a list of three texts. */
static BrumeStatus read_texts(Context context, const BrumeKey *key, const BrumeYamlNode *node, char *texts)
{
    const size_t stride = (size_t)key->setting->max + 1;
    texts[stride] = texts[2 * stride] = '\0';
    if (node->kind == BRUME_YAML_SCALAR) {
        return read_text(context, key, node, texts);
    }
    if (node->kind != BRUME_YAML_LIST || node->count != 3) {
        return fail_type(context, key, node);
    }
    BrumeStatus status = BRUME_OK;
    for (const BrumeYamlNode *item = node->first; item && status == BRUME_OK; item = item->next) {
        status = read_text(context, key, item, texts);
        texts += stride;
    }
    return status;
}

static BrumeStatus read_bool(Context context, const BrumeKey *key, const BrumeYamlNode *node, bool *value)
{
    const bool plain = node->kind == BRUME_YAML_SCALAR && !node->quoted;
    *value = plain && strcmp(node->text, "true") == 0;
    return *value || (plain && strcmp(node->text, "false") == 0) ? BRUME_OK : fail_type(context, key, node);
}

static BrumeStatus read_map(Context context, const BrumeKey *key, const BrumeYamlNode *node)
{
    const BrumeSection *const section = key->section;
    void *const into = member_of(context, key->offset);
    if (section->shorthand && node->kind == BRUME_YAML_SCALAR) {
        // errors name the key in the file, not the key that its value is read as
        BrumeKey shorthand;
        (void)brume_section_find(section, section->shorthand, &shorthand);
        shorthand.name = brume_key_name(key);
        return read_key(with_section(context, context.section, into), &shorthand, node);
    }
    if (brume_yaml_is_null(node)) {
        return BRUME_OK;
    }
    return node->kind == BRUME_YAML_MAP ? read_section(with_section(context, section, into), node)
                                        : fail_type(context, key, node);
}

/** Checks that a value is a list of maps, and their number. */
static BrumeStatus check_list(Context context, const BrumeKey *key, const BrumeYamlNode *node)
{
    if (brume_yaml_is_null(node)) {
        return BRUME_OK;
    }
    if (node->kind != BRUME_YAML_LIST) {
        return fail_type(context, key, node);
    }
    int count = 0;
    for (const BrumeYamlNode *item = node->first; item; item = item->next) {
        if (count == key->max_count) {
            return fail_value(context, key, item, "has %d items, but must have at most %d", node->count,
                              key->max_count);
        }
        if (item->kind != BRUME_YAML_MAP && !key->section->shorthand) {
            return fail_value(context, key, item, "is a list of maps, but its item %d is not a map", count);
        }
        count++;
    }
    return BRUME_OK;
}

/** Reads an item of a list: a map, or the value of the shorthand of its section. */
static BrumeStatus read_item(Context context, const BrumeKey *list, const BrumeYamlNode *item, void *into)
{
    if (item->kind == BRUME_YAML_MAP) {
        return read_section(with_section(context, list->section, into), item);
    }
    // errors name the list, as in read_map
    BrumeKey shorthand;
    (void)brume_section_find(list->section, list->section->shorthand, &shorthand);
    shorthand.name = brume_key_name(list);
    return read_key(with_section(context, context.section, into), &shorthand, item);
}

static BrumeStatus read_list(Context context, const BrumeKey *key, const BrumeYamlNode *node)
{
    int *const count = member_of(context, key->count_offset);
    *count = 0;
    const BrumeStatus valid = check_list(context, key, node);
    if (valid != BRUME_OK) {
        return valid;
    }
    for (const BrumeYamlNode *item = node->first; item; item = item->next) {
        void *const into = member_of(context, key->offset + (size_t)*count * key->stride);
        const BrumeStatus status = read_item(context, key, item, into);
        if (status != BRUME_OK) {
            return status;
        }
        ++*count;
    }
    return BRUME_OK;
}

static BrumeStatus read_value(Context context, const BrumeKey *key, const BrumeYamlNode *node)
{
    const BrumeSetting *const setting = key->setting;
    void *const member = member_of(context, key->offset);
    double numbers[3] = {0.0, 0.0, 0.0};
    if (setting->type == BRUME_VALUE_TEXT) {
        return read_text(context, key, node, member);
    }
    if (setting->type == BRUME_VALUE_TEXTS) {
        return read_texts(context, key, node, member);
    }
    if (setting->type == BRUME_VALUE_BOOL && !setting->words) {
        return read_bool(context, key, node, member);
    }
    if (!brume_setting_has_words(setting)) {
        const BrumeStatus status = read_numbers(context, key, node, numbers);
        brume_setting_set_numbers(setting, member, numbers);
        return status;
    }
    int index = 0;
    const BrumeStatus status = read_word(context, key, node, &index);
    if (setting->type == BRUME_VALUE_NAME) {
        *(const char **)member = setting->name_at(index);
    } else {
        numbers[0] = index;
        brume_setting_set_numbers(setting, member, numbers);
    }
    return status;
}

static BrumeStatus read_key(Context context, const BrumeKey *key, const BrumeYamlNode *node)
{
    switch (key->kind) {
    case BRUME_KEY_VALUE:
    case BRUME_KEY_SETTINGS:
        return read_value(context, key, node);
    case BRUME_KEY_MAP:
        return read_map(context, key, node);
    case BRUME_KEY_LIST:
        return read_list(context, key, node);
    case BRUME_KEY_ITEMS:
        return check_list(context, key, node);
    case BRUME_KEY_PATHS:
        break;
    }
    return node->kind == BRUME_YAML_MAP ? BRUME_OK : fail_type(context, key, node);
}

/** Finds the sections, from the given one down, that have a key: the last one found, and how many there are. */
static int find_owners(const BrumeSection *section, const char *name, const BrumeSection **owner)
{
    int count = 0;
    BrumeKey key;
    for (int i = 0; i < section->key_count; i++) {
        count += section->keys[i].section ? find_owners(section->keys[i].section, name, owner) : 0;
    }
    if (brume_section_find(section, name, &key) && *owner != section) {
        *owner = section;
        count++;
    }
    return count;
}

static BrumeStatus fail_unknown(Context context, const BrumeYamlNode *node)
{
    const BrumeQuote name = brume_quote(node->key);
    const BrumeSection *owner = NULL;
    const int owners = find_owners(context.root, node->key, &owner);
    char hint[MESSAGE_SIZE];
    char section[64];
    BrumeSuggestion closest = {.word = node->key};
    const char *present_name = NULL;
    BrumeKey key;
    for (int i = 0; brume_section_key(context.section, i, &key); i++) {
        brume_suggest(&closest, brume_key_name(&key));
        present_name = key.former_name && strcmp(key.former_name, node->key) == 0 ? brume_key_name(&key) : present_name;
    }
    if (present_name) {
        (void)snprintf(hint, sizeof hint, " (it is called '%s')", present_name);
    } else if (closest.name) {
        (void)snprintf(hint, sizeof hint, "%s", brume_suggestion_hint(&closest).text);
    } else if (owners == 1) {
        (void)snprintf(hint, sizeof hint, " (it belongs in %s)", name_section(owner, section));
    } else {
        enum { MOST = MESSAGE_SIZE - 128 }; // with room for the place, one more name and the end
        int used = snprintf(hint, sizeof hint, " (its keys are");
        int count = 0;
        for (; used < MOST && brume_section_key(context.section, count, &key); count++) {
            used +=
                snprintf(hint + used, sizeof hint - (size_t)used, "%s %s", count > 0 ? "," : "", brume_key_name(&key));
        }
        const bool all = !brume_section_key(context.section, count, &key);
        (void)snprintf(hint + used, sizeof hint - (size_t)used, "%s)", all ? "" : ", ...");
    }
    return brume_yaml_fail_key(node, context.error, "unknown key '%s' in %s%s", name.text,
                               name_section(context.section, section), hint);
}

static BrumeStatus read_section(Context context, const BrumeYamlNode *map)
{
    for (const BrumeYamlNode *child = map->first; child; child = child->next) {
        BrumeKey key;
        const bool known = brume_section_find(context.section, child->key, &key);
        if (known && context.skip_fixed && brume_key_is_fixed(&key)) {
            continue;
        }
        const BrumeStatus status = known ? read_key(context, &key, child) : fail_unknown(context, child);
        if (status != BRUME_OK) {
            return status;
        }
    }
    return BRUME_OK;
}

BrumeStatus brume_section_read(const BrumeSection *section, const BrumeYamlNode *map, void *into, BrumeError *error)
{
    return read_section((Context){section, section, into, error, false}, map);
}

BrumeStatus brume_section_read_changeable(const BrumeSection *section, const BrumeYamlNode *map, void *into,
                                          BrumeError *error)
{
    return read_section((Context){section, section, into, error, true}, map);
}

BrumeStatus brume_section_read_item(const BrumeSection *root, const BrumeSection *section, const BrumeYamlNode *map,
                                    void *into, BrumeError *error)
{
    return read_section((Context){root, section, into, error, false}, map);
}
