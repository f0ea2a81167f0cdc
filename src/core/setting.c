#include "core/setting.h"

#include "core/text.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MAX_RANGE_TEXT = 256 };

const char *brume_setting_name(const BrumeSetting *setting)
{
    const char *const dot = strrchr(setting->path, '.');
    return dot ? dot + 1 : setting->path;
}

bool brume_setting_has_words(const BrumeSetting *setting) { return setting->words || setting->name_at; }

const char *brume_setting_word(const BrumeSetting *setting, int n)
{
    return setting->type == BRUME_VALUE_NAME ? setting->name_at(n) : setting->words[n];
}

static bool is_text(const BrumeSetting *setting)
{
    return setting->type == BRUME_VALUE_TEXT || setting->type == BRUME_VALUE_TEXTS;
}

/** The type and the number of the numbers that a value consists of; none of words, texts and names. */
typedef struct Numbers {
    enum { NONE, FLOAT, DOUBLE, INT, UINT32, BOOL } type;
    int count;
} Numbers;

static Numbers number_layout(BrumeValueType type)
{
    static const Numbers numbers[] = {
        [BRUME_VALUE_FLOAT] = {FLOAT, 1},   [BRUME_VALUE_DOUBLE] = {DOUBLE, 1}, [BRUME_VALUE_INT] = {INT, 1},
        [BRUME_VALUE_UINT32] = {UINT32, 1}, [BRUME_VALUE_BOOL] = {BOOL, 1},     [BRUME_VALUE_WORD] = {INT, 1},
        [BRUME_VALUE_VECTOR] = {FLOAT, 3},  [BRUME_VALUE_COLOR] = {FLOAT, 3},   [BRUME_VALUE_LENGTHS] = {DOUBLE, 3},
        [BRUME_VALUE_COUNTS] = {INT, 3},    [BRUME_VALUE_POINTER] = {NONE, 0},
    };
    return numbers[type];
}

size_t brume_setting_size(const BrumeSetting *setting)
{
    static const size_t sizes[] = {0, sizeof(float), sizeof(double), sizeof(int), sizeof(uint32_t), sizeof(bool)};
    const Numbers numbers = number_layout(setting->type);
    if (is_text(setting)) {
        return (setting->type == BRUME_VALUE_TEXTS ? 3 : 1) * ((size_t)setting->max + 1);
    }
    return numbers.type == NONE ? sizeof(void *) : (size_t)numbers.count * sizes[numbers.type];
}

const char *brume_setting_type(const BrumeSetting *setting)
{
    static const char *const names[] = {
        [BRUME_VALUE_FLOAT] = "a number",
        [BRUME_VALUE_DOUBLE] = "a number",
        [BRUME_VALUE_INT] = "a whole number",
        [BRUME_VALUE_UINT32] = "a whole number",
        [BRUME_VALUE_BOOL] = "true or false",
        [BRUME_VALUE_TEXT] = "a text",
        [BRUME_VALUE_TEXTS] = "a text or a list of three",
        [BRUME_VALUE_VECTOR] = "a list of three numbers",
        [BRUME_VALUE_COLOR] = "a number or a list of three",
        [BRUME_VALUE_LENGTHS] = "a number or a list of three",
        [BRUME_VALUE_COUNTS] = "a whole number or a list of three",
    };
    return brume_setting_has_words(setting) ? "a word" : names[setting->type];
}

/** Appends as much of `more` as fits. */
static void append(char *text, size_t size, const char *more)
{
    const size_t used = strlen(text);
    (void)snprintf(text + used, size - used, "%s", more);
}

void brume_setting_range(const BrumeSetting *setting, char *text, size_t size)
{
    if (brume_setting_has_words(setting)) {
        (void)snprintf(text, size, "one of ");
        for (int n = 0; brume_setting_word(setting, n); n++) {
            append(text, size, n > 0 ? ", " : "");
            append(text, size, brume_setting_word(setting, n));
        }
    } else if (setting->type == BRUME_VALUE_BOOL) {
        (void)snprintf(text, size, "true or false");
    } else if (is_text(setting)) {
        (void)snprintf(text, size, "at most %.0f bytes", setting->max);
    } else {
        (void)snprintf(text, size, "from %.10g to %.10g", setting->min, setting->max);
    }
}

void brume_setting_unit(const BrumeSetting *setting, char *text, size_t size)
{
    const bool pure = !setting->unit || strcmp(setting->unit, "1") == 0;
    (void)snprintf(text, size, pure ? "%s" : " [%s]", pure ? "" : setting->unit);
}

bool brume_setting_is_used(const BrumeSetting *setting, const void *object)
{
    unsigned kind = 0;
    memcpy(&kind, (const char *)object + setting->kind_offset, sizeof kind);
    return setting->kinds == 0 || (kind < 32 && (setting->kinds >> kind & 1) != 0);
}

int brume_setting_numbers(const BrumeSetting *setting, const void *member, double numbers[3])
{
    const Numbers type = number_layout(setting->type);
    for (int n = 0; n < type.count; n++) {
        numbers[n] = type.type == FLOAT    ? (double)((const float *)member)[n]
                     : type.type == DOUBLE ? ((const double *)member)[n]
                     : type.type == INT    ? (double)((const int *)member)[n]
                     : type.type == UINT32 ? (double)((const uint32_t *)member)[n]
                                           : (double)((const bool *)member)[n];
    }
    return type.count;
}

void brume_setting_set_numbers(const BrumeSetting *setting, void *member, const double numbers[3])
{
    const Numbers type = number_layout(setting->type);
    for (int n = 0; n < type.count; n++) {
        switch (type.type) {
        case FLOAT:
            ((float *)member)[n] = (float)numbers[n];
            break;
        case DOUBLE:
            ((double *)member)[n] = numbers[n];
            break;
        case INT:
            ((int *)member)[n] = (int)numbers[n];
            break;
        case UINT32:
            ((uint32_t *)member)[n] = (uint32_t)numbers[n];
            break;
        case BOOL:
            ((bool *)member)[n] = numbers[n] != 0.0;
            break;
        case NONE:
            break;
        }
    }
}

void brume_setting_value(const BrumeSetting *setting, const void *member, char *text, size_t size)
{
    double numbers[3] = {0.0, 0.0, 0.0};
    const int count = brume_setting_numbers(setting, member, numbers);
    if (setting->type == BRUME_VALUE_WORD) {
        (void)snprintf(text, size, "%s", setting->words[(int)numbers[0]]);
    } else if (setting->type == BRUME_VALUE_BOOL) {
        const bool value = numbers[0] != 0.0;
        (void)snprintf(text, size, "%s", setting->words ? setting->words[value] : value ? "true" : "false");
    } else if (setting->type == BRUME_VALUE_NAME) {
        (void)snprintf(text, size, "%s", *(const char *const *)member);
    } else if (is_text(setting)) {
        (void)snprintf(text, size, "%s", (const char *)member);
    } else if (count == 3 && setting->type != BRUME_VALUE_COUNTS) {
        (void)snprintf(text, size, "[%.7g, %.7g, %.7g]", numbers[0], numbers[1], numbers[2]);
    } else {
        (void)snprintf(text, size, setting->type == BRUME_VALUE_UINT32 ? "%.0f" : "%.7g", numbers[0]);
    }
}

static bool is_word(const BrumeSetting *setting, double index)
{
    int count = 0;
    while (setting->words[count]) {
        count++;
    }
    return index >= 0.0 && index < count;
}

bool brume_setting_allows(const BrumeSetting *setting, double value)
{
    if (setting->type == BRUME_VALUE_WORD || setting->type == BRUME_VALUE_BOOL) {
        return setting->type == BRUME_VALUE_BOOL || is_word(setting, value);
    }
    const bool single =
        setting->type == BRUME_VALUE_FLOAT || setting->type == BRUME_VALUE_VECTOR || setting->type == BRUME_VALUE_COLOR;
    // a float may lie beyond the limit that it was rounded from
    const double min = single ? (double)(float)setting->min : setting->min;
    const double max = single ? (double)(float)setting->max : setting->max;
    return (value >= min && value <= max) || (setting->one_allowed && value == 1.0) ||
           (setting->infinity_allowed && isinf(value) && value > 0.0);
}

BrumeStatus brume_setting_fail(const BrumeSetting *setting, const char *owner, const char *value, BrumeError *error)
{
    char range[MAX_RANGE_TEXT];
    char unit[64];
    brume_setting_range(setting, range, sizeof range);
    brume_setting_unit(setting, unit, sizeof unit);
    return brume_fail(error, BRUME_BAD_INPUT, "'%s' in %s is %s, but must be %s%s", brume_setting_name(setting), owner,
                      value, range, unit);
}

static BrumeStatus check_name(const BrumeSetting *setting, const char *name, const char *owner, BrumeError *error)
{
    for (int n = 0; name && brume_setting_word(setting, n); n++) {
        if (strcmp(brume_setting_word(setting, n), name) == 0) {
            return BRUME_OK;
        }
    }
    char value[80];
    (void)snprintf(value, sizeof value, name ? "'%s'" : "NULL", name ? brume_quote(name).text : "");
    return brume_setting_fail(setting, owner, value, error);
}

BrumeStatus brume_setting_check(const BrumeSetting *setting, const void *object, const char *owner, BrumeError *error)
{
    const void *const member = (const char *)object + setting->offset;
    if (setting->type == BRUME_VALUE_NAME) {
        return check_name(setting, *(const char *const *)member, owner, error);
    }
    double numbers[3] = {0.0, 0.0, 0.0};
    const int count = brume_setting_numbers(setting, member, numbers);
    for (int n = 0; n < count; n++) {
        if (!brume_setting_allows(setting, numbers[n])) {
            char value[32];
            (void)snprintf(value, sizeof value, "%.7g", numbers[n]);
            return brume_setting_fail(setting, owner, value, error);
        }
    }
    return BRUME_OK;
}

void brume_settings_set_defaults(const BrumeSetting *settings, int count, void *object)
{
    for (int n = 0; n < count; n++) {
        void *const member = (char *)object + settings[n].offset;
        brume_setting_set_numbers(&settings[n], member, settings[n].defaults);
        if (settings[n].type == BRUME_VALUE_NAME) {
            *(const char **)member = settings[n].default_name;
        }
    }
}
