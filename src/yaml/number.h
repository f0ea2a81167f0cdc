/**
 * @file number.h
 * Numbers as scenes write them: decimal, with an optional exponent, and nothing after them.
 */
#ifndef BRUME_YAML_NUMBER_H
#define BRUME_YAML_NUMBER_H

typedef enum BrumeNumberKind {
    BRUME_NUMBER_NONE,     ///< no number, or a number with something after it
    BRUME_NUMBER_INFINITE, ///< one that is not finite: .inf, nan, 1e999
    BRUME_NUMBER_REAL,
    BRUME_NUMBER_WHOLE, ///< digits only, with an optional sign
} BrumeNumberKind;

/**
 * Reads a number: `[+-] digits [. digits] [e [+-] digits]`, with a digit on one side of the point at least. The point
 * is that of the calling thread's locale in strtod, so callers see to the "C" locale. `*value` is 0 without a finite
 * number.
 */
BrumeNumberKind brume_parse_number(const char *text, double *value);

/** A number as text. */
typedef struct BrumeDigits {
    char text[32];
} BrumeDigits;

/** The shortest text that is read as this number, bit for bit: in single precision, and in double. */
BrumeDigits brume_float_digits(float value);
BrumeDigits brume_double_digits(double value);

/** The shortest number whose `parts`-th part is this one in single precision. */
double brume_whole_of(float part, int parts);

#endif
