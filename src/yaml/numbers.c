#include "yaml/numbers.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static const char *skip_digits(const char *text)
{
    while (isdigit((unsigned char)*text)) {
        text++;
    }
    return text;
}

static const char *skip_sign(const char *text) { return *text == '+' || *text == '-' ? text + 1 : text; }

/** Classifies a text that does not start with digits. */
static BrumeNumberKind classify_word(const char *text)
{
    static const char *const words[] = {"inf", ".inf", "infinity", "nan", ".nan"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcasecmp(skip_sign(text), words[i]) == 0) {
            return BRUME_NUMBER_INFINITE;
        }
    }
    return BRUME_NUMBER_NONE;
}

BrumeNumberKind brume_parse_number(const char *text, double *value)
{
    *value = 0.0;
    const char *const whole = skip_sign(text);
    const char *end = skip_digits(whole);
    long digits = end - whole;
    BrumeNumberKind kind = BRUME_NUMBER_WHOLE;
    if (*end == '.') {
        kind = BRUME_NUMBER_REAL;
        const char *const fraction = end + 1;
        end = skip_digits(fraction);
        digits += end - fraction;
    }
    if (digits == 0) {
        return classify_word(text);
    }
    if (*end == 'e' || *end == 'E') {
        kind = BRUME_NUMBER_REAL;
        const char *const exponent = skip_sign(end + 1);
        end = skip_digits(exponent);
        if (end == exponent) {
            return BRUME_NUMBER_NONE;
        }
    }
    if (*end != '\0') {
        return BRUME_NUMBER_NONE;
    }
    const double number = strtod(text, NULL);
    if (!isfinite(number)) {
        return BRUME_NUMBER_INFINITE;
    }
    *value = number;
    return kind;
}

/** Replaces an exponent by zeros where the number is short, as in 90 instead of 9e+01. */
static BrumeDigits without_exponent(BrumeDigits digits, double value)
{
    if (strchr(digits.text, 'e') && fabs(value) >= 1.0 && fabs(value) < 1e9) {
        (void)snprintf(digits.text, sizeof digits.text, "%.0f", value);
    }
    return digits;
}

BrumeDigits brume_float_digits(float value)
{
    BrumeDigits digits;
    int precision = 0;
    do {
        (void)snprintf(digits.text, sizeof digits.text, "%.*g", ++precision, (double)value);
    } while (precision < 9 && (float)strtod(digits.text, NULL) != value);
    return without_exponent(digits, (double)value);
}

BrumeDigits brume_double_digits(double value)
{
    BrumeDigits digits;
    int precision = 0;
    do {
        (void)snprintf(digits.text, sizeof digits.text, "%.*g", ++precision, value);
    } while (precision < 17 && strtod(digits.text, NULL) != value);
    return without_exponent(digits, value);
}

double brume_shortest_dividend(float quotient, int divisor)
{
    const double product = (double)quotient * divisor; // exact, so the loop ends at 17 digits
    double value;
    int precision = 0;
    do {
        char text[32];
        (void)snprintf(text, sizeof text, "%.*g", ++precision, product);
        value = strtod(text, NULL);
    } while (precision < 17 && (float)(value / divisor) != quotient);
    return value;
}
