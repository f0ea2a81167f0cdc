/**
 * @file text.h
 * Texts composed in memory: a buffer that grows as text is appended, and quotations that are safe to print.
 */
#ifndef BRUME_CORE_TEXT_H
#define BRUME_CORE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/**
 * A growable text. Zero-initialized, it is empty. Where memory runs out, `failed` is set, the text so far is kept and
 * later appends do nothing, so that it is enough to check `failed` once at the end.
 */
typedef struct BrumeText {
    char *data;  ///< the text, terminated by a 0; NULL while nothing was appended
    size_t size; ///< bytes of the text, without the 0
    size_t capacity;
    bool failed;
} BrumeText;

/** Appends a printf-style text. */
void brume_text_add(BrumeText *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Appends a JSON string with its quotes; characters that JSON does not allow in a string are escaped. */
void brume_text_add_json_string(BrumeText *text, const char *string);

/** Appends a JSON number of `digits` significant digits, or `null` for an infinity or NaN, which JSON cannot express.
 */
void brume_text_add_json_number(BrumeText *text, double number, int digits);

/**
 * Appends a number with the fewest digits, 15 to 17, from which strtod reads the same one: "0.1", "-2.5e-08"; "nan",
 * "inf" or "-inf" for the others. Expects a locale with a decimal point.
 */
void brume_text_add_exact_number(BrumeText *text, double number);

/** Frees the text and leaves it empty. `data` may instead be passed on to a caller that frees it with brume_free. */
void brume_text_destroy(BrumeText *text);

/** A short copy of a text from an untrusted file, for error messages. */
typedef struct BrumeQuote {
    char text[68];
} BrumeQuote;

/** `text` cut at 64 bytes, between UTF-8 characters ("..." marks the cut), with control characters replaced by '?'. */
BrumeQuote brume_quote(const char *text);

#endif
