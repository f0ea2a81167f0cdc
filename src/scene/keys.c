#include "scene/keys.h"
#include "core/vec3.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

const char *brume_key_word(const BrumeKey *key, int index)
{
    return key->type == BRUME_KEY_NAME ? key->name_at(index) : key->words[index];
}

/** Adds to a text what fits. */
static void append(char *text, size_t size, const char *more)
{
    const size_t used = strlen(text);
    (void)snprintf(text + used, size - used, "%s", more);
}

static void describe_words(const BrumeKey *key, char *text, size_t size)
{
    (void)snprintf(text, size, "one of ");
    for (int i = 0; brume_key_word(key, i); i++) {
        append(text, size, i > 0 ? ", " : "");
        append(text, size, brume_key_word(key, i));
    }
}

void brume_key_unit(const BrumeKey *key, char *text, size_t size)
{
    const bool pure = !key->unit || strcmp(key->unit, "1") == 0;
    (void)snprintf(text, size, pure ? "%s" : " [%s]", pure ? "" : key->unit);
}

void brume_key_range(const BrumeKey *key, char *text, size_t size)
{
    switch (key->type) {
    case BRUME_KEY_WORD:
    case BRUME_KEY_NAME:
        describe_words(key, text, size);
        break;
    case BRUME_KEY_FLAG:
        (void)snprintf(text, size, "true or false");
        break;
    case BRUME_KEY_TEXT:
        (void)snprintf(text, size, "at most %.0f bytes", key->max);
        break;
    case BRUME_KEY_LIST:
    case BRUME_KEY_ITEMS:
        (void)snprintf(text, size, "at most %.0f items", key->max);
        break;
    case BRUME_KEY_MAP:
    case BRUME_KEY_PATHS:
        text[0] = '\0';
        break;
    default:
        (void)snprintf(text, size, "from %.10g to %.10g", key->min, key->max);
        break;
    }
}

const char *brume_key_type(const BrumeKey *key)
{
    static const char *const names[] = {
        [BRUME_KEY_NUMBER] = "a number",
        [BRUME_KEY_DOUBLE] = "a number",
        [BRUME_KEY_WHOLE] = "a whole number",
        [BRUME_KEY_SEED] = "a whole number",
        [BRUME_KEY_FLAG] = "true or false",
        [BRUME_KEY_WORD] = "a word",
        [BRUME_KEY_NAME] = "a word",
        [BRUME_KEY_TEXT] = "a text",
        [BRUME_KEY_VECTOR] = "a list of three numbers",
        [BRUME_KEY_SPLAT] = "a number or a list of three",
        [BRUME_KEY_SIDES] = "a number or a list of three",
        [BRUME_KEY_COUNTS] = "a whole number or a list of three",
        [BRUME_KEY_MAP] = "a map",
        [BRUME_KEY_LIST] = "a list",
        [BRUME_KEY_ITEMS] = "a list",
        [BRUME_KEY_PATHS] = "a map of dotted paths",
    };
    return key->type == BRUME_KEY_MAP && key->section->shorthand ? "a word or a map" : names[key->type];
}

void brume_key_value(const BrumeKey *key, const void *into, char *text, size_t size)
{
    const void *const member = (const char *)into + key->offset;
    const BrumeVec3 *const vector = member;
    const double *const reals = member;
    text[0] = '\0';
    switch (key->type) {
    case BRUME_KEY_NUMBER:
        (void)snprintf(text, size, "%.7g", (double)*(const float *)member);
        break;
    case BRUME_KEY_DOUBLE:
        (void)snprintf(text, size, "%.7g", reals[0]);
        break;
    case BRUME_KEY_SIDES:
        (void)snprintf(text, size, "[%.7g, %.7g, %.7g]", reals[0], reals[1], reals[2]);
        break;
    case BRUME_KEY_WHOLE:
    case BRUME_KEY_COUNTS:
        (void)snprintf(text, size, "%d", *(const int *)member);
        break;
    case BRUME_KEY_SEED:
        (void)snprintf(text, size, "%" PRIu32, *(const uint32_t *)member);
        break;
    case BRUME_KEY_FLAG:
        (void)snprintf(text, size, "%s", *(const bool *)member ? "true" : "false");
        break;
    case BRUME_KEY_WORD:
        (void)snprintf(text, size, "%s", key->words[*(const int *)member]);
        break;
    case BRUME_KEY_NAME:
        (void)snprintf(text, size, "%s", *(const char *const *)member);
        break;
    case BRUME_KEY_TEXT:
        (void)snprintf(text, size, "%s", (const char *)member);
        break;
    case BRUME_KEY_VECTOR:
    case BRUME_KEY_SPLAT:
        (void)snprintf(text, size, "[%.7g, %.7g, %.7g]", (double)vector->x, (double)vector->y, (double)vector->z);
        break;
    case BRUME_KEY_MAP:
    case BRUME_KEY_LIST:
    case BRUME_KEY_ITEMS:
    case BRUME_KEY_PATHS:
        break;
    }
}
