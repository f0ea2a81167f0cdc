/**
 * @file numbers.h
 * Decimal numbers to and from text. All functions expect the "C" locale in the calling thread, where the decimal point
 * is a point.
 */
#ifndef BRUME_YAML_NUMBERS_H
#define BRUME_YAML_NUMBERS_H

typedef enum BrumeNumberKind {
    BRUME_NUMBER_NONE,     ///< not a number, or a number followed by other characters
    BRUME_NUMBER_INFINITE, ///< infinite, NaN or too large for a double: .inf, nan, 1e999
    BRUME_NUMBER_REAL,
    BRUME_NUMBER_WHOLE, ///< digits only, with an optional sign
} BrumeNumberKind;

/**
 * Parses a number: `[+-] digits [. digits] [e [+-] digits]`, with at least one digit before or after the point.
 * `*value` is 0 unless the number is finite.
 */
BrumeNumberKind brume_parse_number(const char *text, double *value);

/** A number as a text of up to 31 characters. */
typedef struct BrumeDigits {
    char text[32];
} BrumeDigits;

/** The shortest text that is parsed to the same bits, in single and in double precision. */
BrumeDigits brume_float_digits(float value);
BrumeDigits brume_double_digits(double value);

/** The number of the fewest digits that, divided by `divisor` and rounded to single precision, gives `quotient`. */
double brume_shortest_dividend(float quotient, int divisor);

#endif
