/**
 * @file number.h
 * Numbers as scenes write them: decimal, with an optional exponent, and nothing after them.
 */
#ifndef BRUME_SCENE_NUMBER_H
#define BRUME_SCENE_NUMBER_H

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

#endif
