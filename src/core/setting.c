#include "core/setting.h"

#include "brume/vec3.h"
#include "core/text.h"

#include <inttypes.h>
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

size_t brume_setting_size(const BrumeSetting *setting)
{
    static const size_t sizes[] = {
        [BRUME_VALUE_FLOAT] = sizeof(float),
        [BRUME_VALUE_DOUBLE] = sizeof(double),
        [BRUME_VALUE_INT] = sizeof(int),
        [BRUME_VALUE_UINT32] = sizeof(uint32_t),
        [BRUME_VALUE_BOOL] = sizeof(bool),
        [BRUME_VALUE_WORD] = sizeof(int),
        [BRUME_VALUE_NAME] = sizeof(const char *),
        [BRUME_VALUE_TEXT] = 1,
        [BRUME_VALUE_TEXTS] = 3,
        [BRUME_VALUE_VECTOR] = sizeof(BrumeVec3),
        [BRUME_VALUE_COLOR] = sizeof(BrumeVec3),
        [BRUME_VALUE_LENGTHS] = 3 * sizeof(double),
        [BRUME_VALUE_COUNTS] = 3 * sizeof(int),
        [BRUME_VALUE_POINTER] = sizeof(void *),
    };
    return is_text(setting) ? sizes[setting->type] * ((size_t)setting->max + 1) : sizes[setting->type];
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
    const BrumeVec3 *const vector = member;
    switch (setting->type) {
    case BRUME_VALUE_FLOAT:
        numbers[0] = (double)*(const float *)member;
        return 1;
    case BRUME_VALUE_DOUBLE:
        numbers[0] = *(const double *)member;
        return 1;
    case BRUME_VALUE_INT:
    case BRUME_VALUE_WORD:
        numbers[0] = *(const int *)member;
        return 1;
    case BRUME_VALUE_UINT32:
        numbers[0] = *(const uint32_t *)member;
        return 1;
    case BRUME_VALUE_VECTOR:
    case BRUME_VALUE_COLOR:
        numbers[0] = (double)vector->x;
        numbers[1] = (double)vector->y;
        numbers[2] = (double)vector->z;
        return 3;
    case BRUME_VALUE_LENGTHS:
        memcpy(numbers, member, 3 * sizeof(double));
        return 3;
    case BRUME_VALUE_COUNTS:
        for (int n = 0; n < 3; n++) {
            numbers[n] = ((const int *)member)[n];
        }
        return 3;
    case BRUME_VALUE_BOOL:
    case BRUME_VALUE_NAME:
    case BRUME_VALUE_TEXT:
    case BRUME_VALUE_TEXTS:
    case BRUME_VALUE_POINTER:
        break;
    }
    return 0;
}

void brume_setting_value(const BrumeSetting *setting, const void *member, char *text, size_t size)
{
    double numbers[3] = {0.0, 0.0, 0.0};
    const int count = brume_setting_numbers(setting, member, numbers);
    if (setting->type == BRUME_VALUE_WORD) {
        (void)snprintf(text, size, "%s", setting->words[(int)numbers[0]]);
    } else if (setting->type == BRUME_VALUE_BOOL) {
        const bool value = *(const bool *)member;
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
    if (setting->type == BRUME_VALUE_WORD) {
        return is_word(setting, value);
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

static void set_default(const BrumeSetting *setting, void *object)
{
    void *const member = (char *)object + setting->offset;
    const double *const standard = setting->standard;
    switch (setting->type) {
    case BRUME_VALUE_FLOAT:
        *(float *)member = (float)standard[0];
        break;
    case BRUME_VALUE_DOUBLE:
        *(double *)member = standard[0];
        break;
    case BRUME_VALUE_INT:
    case BRUME_VALUE_WORD:
        *(int *)member = (int)standard[0];
        break;
    case BRUME_VALUE_UINT32:
        *(uint32_t *)member = (uint32_t)standard[0];
        break;
    case BRUME_VALUE_BOOL:
        *(bool *)member = standard[0] != 0.0;
        break;
    case BRUME_VALUE_NAME:
        *(const char **)member = setting->standard_name;
        break;
    case BRUME_VALUE_VECTOR:
    case BRUME_VALUE_COLOR:
        *(BrumeVec3 *)member = (BrumeVec3){(float)standard[0], (float)standard[1], (float)standard[2]};
        break;
    case BRUME_VALUE_LENGTHS:
        memcpy(member, standard, 3 * sizeof(double));
        break;
    case BRUME_VALUE_COUNTS:
        for (int n = 0; n < 3; n++) {
            ((int *)member)[n] = (int)standard[n];
        }
        break;
    case BRUME_VALUE_TEXT:
    case BRUME_VALUE_TEXTS:
    case BRUME_VALUE_POINTER:
        break;
    }
}

void brume_settings_set_defaults(const BrumeSetting *settings, int count, void *object)
{
    for (int n = 0; n < count; n++) {
        set_default(&settings[n], object);
    }
}
