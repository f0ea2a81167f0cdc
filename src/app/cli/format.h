/**
 * @file format.h
 * Sizes and durations in readable units, and labeled lines on standard output.
 */
#ifndef BRUME_APP_CLI_FORMAT_H
#define BRUME_APP_CLI_FORMAT_H

/** A short text, returned by value so that one printf can use several. */
typedef struct BrumeShortText {
    char text[32];
} BrumeShortText;

/** Bytes in decimal units, rounded to three digits: "152 MB", "1.07 GB". */
BrumeShortText brume_format_bytes(double bytes);

/** A count, rounded to three digits from 1000 on: "262 k", "2.10 M". */
BrumeShortText brume_format_count(double count);

/** Seconds as minutes and seconds, or hours, minutes and seconds: "0:07", "5:06", "1:02:03". */
BrumeShortText brume_format_duration(double seconds);

/** Prints "label  value" on standard output, with aligned values. An empty label continues the value above. */
void brume_print_labeled(const char *label, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
