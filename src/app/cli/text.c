#include "app/cli/text.h"

#include "core/error.h"
#include "io/file.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static bool make_room(BrumeText *text, size_t more)
{
    const size_t needed = text->size + more + 1;
    if (needed > text->capacity) {
        const size_t capacity = needed > 2 * text->capacity ? needed + 1024 : 2 * text->capacity;
        char *data = realloc(text->data, capacity);
        if (!data) {
            text->failed = true;
            return false;
        }
        text->data = data;
        text->capacity = capacity;
    }
    return true;
}

void brume_text_add(BrumeText *text, const char *format, ...)
{
    va_list args;
    va_list again;
    va_start(args, format);
    va_copy(again, args);
    const int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (length >= 0 && make_room(text, (size_t)length)) {
        (void)vsnprintf(text->data + text->size, (size_t)length + 1, format, again);
        text->size += (size_t)length;
    }
    va_end(again);
}

void brume_text_add_json_string(BrumeText *text, const char *string)
{
    brume_text_add(text, "\"");
    for (const char *c = string; *c; c++) {
        if (*c == '"' || *c == '\\') {
            brume_text_add(text, "\\%c", *c);
        } else if ((unsigned char)*c < 0x20) {
            brume_text_add(text, "\\u%04x", (unsigned)*c);
        } else {
            brume_text_add(text, "%c", *c);
        }
    }
    brume_text_add(text, "\"");
}

void brume_text_add_json_number(BrumeText *text, double number, int digits)
{
    if (isfinite(number)) {
        brume_text_add(text, "%.*g", digits, number);
    } else {
        brume_text_add(text, "null");
    }
}

BrumeStatus brume_text_write(const BrumeText *text, const char *path, BrumeError *error)
{
    if (text->failed) {
        return brume_fail(error, BRUME_FAILED, "%s: out of memory", path);
    }
    return brume_file_write(path, text->data ? text->data : "", text->size, error);
}

void brume_text_destroy(BrumeText *text)
{
    free(text->data);
    *text = (BrumeText){0};
}
