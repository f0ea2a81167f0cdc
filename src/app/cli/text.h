/**
 * @file text.h
 * A text that grows, for files that are composed in memory and written whole; with the rules of JSON.
 */
#ifndef BRUME_APP_CLI_TEXT_H
#define BRUME_APP_CLI_TEXT_H

#include "core/error.h"

#include <stdbool.h>
#include <stddef.h>

/** Starts as all zero. Without memory it keeps what it has and `failed` is set. */
typedef struct BrumeText {
    char *data;
    size_t size, capacity;
    bool failed;
} BrumeText;

/** Appends as printf does. */
void brume_text_add(BrumeText *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Appends a JSON string, quotes and escapes included. */
void brume_text_add_json_string(BrumeText *text, const char *string);

/** Appends a JSON number of `digits` significant digits; `null` where it is not finite, as JSON has no such numbers. */
void brume_text_add_json_number(BrumeText *text, double number, int digits);

/** Writes it to `path`, whole or not at all. */
BrumeStatus brume_text_write(const BrumeText *text, const char *path, BrumeError *error);

/** Frees it and makes it all zero. */
void brume_text_destroy(BrumeText *text);

#endif
