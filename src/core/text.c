#include "core/text.h"

#include "core/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Makes room for `more` bytes and the terminating 0; false without memory. */
static bool reserve(BrumeText *text, size_t more)
{
    const size_t needed = text->size + more + 1;
    if (needed <= text->capacity) {
        return true;
    }
    const size_t capacity = 2 * needed + 1024;
    char *const data = brume_alloc_untouched(capacity, 1);
    if (!data) {
        return false;
    }
    if (text->data) {
        memcpy(data, text->data, text->size + 1);
    }
    brume_free(text->data);
    text->data = data;
    text->capacity = capacity;
    return true;
}

void brume_text_add(BrumeText *text, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const int size = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (size < 0 || text->failed || !reserve(text, (size_t)size)) {
        text->failed = true;
        return;
    }
    va_start(args, format);
    (void)vsnprintf(text->data + text->size, text->capacity - text->size, format, args);
    va_end(args);
    text->size += (size_t)size;
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

void brume_text_add_exact_number(BrumeText *text, double number)
{
    char digits[32];
    int precision = 15;
    if (isnan(number)) {
        brume_text_add(text, "nan"); // without the sign that the C library prints
        return;
    }
    do {
        (void)snprintf(digits, sizeof digits, "%.*g", precision++, number);
    } while (precision <= 17 && strtod(digits, NULL) != number);
    brume_text_add(text, "%s", digits);
}

void brume_text_destroy(BrumeText *text)
{
    brume_free(text->data);
    *text = (BrumeText){0};
}

BrumeQuote brume_quote(const char *text)
{
    BrumeQuote quote;
    const size_t most = sizeof quote.text - 4; // leaves room for "..." and the 0
    size_t size = strlen(text);
    const bool cut = size > most;
    if (cut) {
        size = most;
        while (size > 0 && ((unsigned char)text[size] & 0xc0) == 0x80) { // inside a UTF-8 character
            size--;
        }
    }
    for (size_t i = 0; i < size; i++) {
        const unsigned char byte = (unsigned char)text[i];
        const unsigned char next = i + 1 < size ? (unsigned char)text[i + 1] : 0;
        const bool c1_control = byte == 0xc2 && next >= 0x80 && next < 0xa0;
        quote.text[i] = byte < 0x20 || byte == 0x7f ? '?' : text[i];
        if (c1_control) {
            quote.text[i] = '?';
            quote.text[++i] = '?';
        }
    }
    memcpy(quote.text + size, cut ? "..." : "", cut ? 4 : 1);
    return quote;
}
